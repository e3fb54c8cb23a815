// Takes part in a race: what the race's room tells becomes the store's race, and what the player
// does becomes a call. Frames say what has changed; whole races come with the first look, with a
// snapshot and at the finish.

import { becomePlayer, get, Problem, request, Unreachable } from "./api.js";
import { clockText, gettext, interpolate } from "./i18n.js";
import { Room, sessionEnded } from "./socket.js";
import { greeting } from "./told.js";

const tellLoss = 1200; // a connection that is back sooner has not been missed
const lookAgain = 4000; // while there is none
const comeBack = 1000;
const noticed = 4000; // news of others has been read by then, and the line is for the game again

/** Whether the race ends for good when its player leaves it. */
const isAlone = ({ race }) => race.status === "lobby" && race.seats.length === 1;

export class Racing {
  #store;
  #asking;
  #playing;
  #code;
  #room = null;
  #lossTimer = null;
  #newsTimer = null;

  constructor(store, { asking, playing, code }) {
    this.#store = store;
    this.#asking = asking;
    this.#playing = playing;
    this.#code = code;
    setInterval(() => this.#keepUp(), lookAgain);
  }

  /** Makes a player of whoever comes, looks at the race and goes into its room. */
  open(note = null) {
    this.#asking.inTurn(async () => {
      const store = this.#store;
      const look = async () => {
        if (!store.player.name) store.set({ player: await becomePlayer() });
        return get(this.#path());
      };
      this.#adopt(await this.#asking.answerTo(look));
      this.#say(note ?? (store.game ? greeting(store.game) : ""));
      this.#enter();
    });
  }

  #path(rest = "") {
    return `races/${this.#code}/${rest}`;
  }

  #enter() {
    this.#room?.close();
    this.#room = new Room(this.#path(), {
      hear: (frame) => this.#hear(frame),
      tell: (room, code) => this.#follow(room, code),
    });
    this.#store.set({ clock: this.#room.clock });
  }

  // The connection

  #follow(room, code) {
    clearTimeout(this.#lossTimer);
    if (code === sessionEnded) return setTimeout(() => this.#comeBack(), comeBack);
    if (room.state === "closed")
      return this.#say(gettext("This race is not open to you."), true);
    if (!room.isOpen) {
      const tell = () => this.#store.set({ lost: true });
      this.#lossTimer = setTimeout(tell, tellLoss);
    } else if (this.#store.lost) {
      this.#store.set({ lost: false });
      this.#tell(gettext("The connection is back."));
      this.#asking.tryAgain();
    }
  }

  /** The room's session has ended. Where another has taken its place (its player has registered, say)
   * the race goes on; else the call finds out whose it was. */
  #comeBack() {
    this.#asking.inTurn(async () => {
      const player = await this.#asking.answerTo(() => get("me/"));
      this.#store.set({ player: { ...this.#store.player, ...player } });
      this.open();
    });
  }

  /** Without a room the race goes on, and the start comes though its frame be late. */
  #keepUp() {
    const { race, loggedOut } = this.#store;
    if (!race || race.status === "over" || loggedOut || document.hidden) return;
    const late = race.status === "countdown" && this.#untilStart() < -1000;
    if (late || !this.#room?.isOpen) this.#look();
  }

  #untilStart() {
    return Date.parse(this.#store.race.starts_at) - this.#store.clock.now();
  }

  /** How the race stands; where there is no answer, what is shown stays. */
  async #look() {
    try {
      this.#adopt(await get(this.#path()));
      this.#room?.wake(); // the server is there
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
    }
  }

  // What is told

  /** Takes a whole race over, unless a later one is here. */
  #adopt(race) {
    const { race: present } = this.#store;
    if (present && present.version > race.version) return;
    this.#store.set({ race: { ...present, ...race } });
    if (race.game) this.#playing.adopt(race.game);
  }

  #hear(frame) {
    const { type, v: version, seat } = frame;
    if (type === "finish") this.#say("");
    if (type === "snapshot" || type === "finish") return this.#adopt({ ...frame, version });
    if (type === "countdown") this.#count(frame);
    else if (type === "start") this.#begin(frame);
    else if (type === "rematch") this.#change({ rematch: frame.code, rematch_by: frame.player });
    else if (seat) this.#seat(frame);
    this.#change({ version });
  }

  #change(values) {
    this.#store.set({ race: { ...this.#store.race, ...values } });
  }

  #seat({ type, seat, left }) {
    const { seats, me } = this.#store.race;
    const others = seats.filter((other) => other.seat !== seat.seat);
    const known = seats.find((other) => other.seat === seat.seat);
    const merged = left ? others : [...others, { ...known, ...seat }];
    const mine = seat.player === this.#store.player.name;
    this.#change({
      seats: merged.toSorted((one, other) => one.seat - other.seat),
      me: mine ? (left ? null : seat.seat) : me,
    });
    const what = left ? "left" : known ? type : "come";
    if (!mine) this.#tellOf(what, { ...known, ...seat });
  }

  /** What deserves a word. How far the others come does not: it would never be quiet. */
  #tellOf(what, seat) {
    const texts = {
      cleared: gettext("%(name)s has cleared the deal in %(time)s."),
      done: gettext("%(name)s has given up."),
      left: gettext("%(name)s has left."),
      come: gettext("%(name)s has come."),
    };
    const text = texts[what];
    const data = { name: seat.player ?? gettext("Somebody"), time: clockText(seat.elapsed_ms ?? 0) };
    if (text) this.#tell(interpolate(text, data));
  }

  #count({ starts_at }) {
    this.#change({ status: starts_at ? "countdown" : "lobby", starts_at });
    if (!starts_at) this.#tell(gettext("The start is called off."));
  }

  #begin({ starts_at, ends_at, game }) {
    this.#change({ status: "running", starts_at, ends_at });
    if (game) this.#playing.adopt(game);
    this.#tell(gettext("Go!"));
  }

  /** Says what is news, and is none after a while. */
  #tell(news) {
    this.#say(news);
    clearTimeout(this.#newsTimer);
    const forget = () => this.#store.status === news && this.#say("");
    this.#newsTimer = setTimeout(forget, noticed);
  }

  #say(status, refused = false) {
    this.#store.set({ status, refused });
  }

  // What the player does

  #ask(method, rest, body) {
    this.#asking.change(async () => {
      this.#store.set({ busy: "race", dialog: null });
      const race = await this.#asking.answerTo(() => request(method, this.#path(rest), body));
      this.#adopt(race);
      this.#say("");
    });
  }

  #leave() {
    this.#ask("DELETE", "seats/me/");
  }

  #rematch() {
    this.#asking.change(async () => {
      this.#store.set({ busy: "rematch" });
      const ask = () => request("POST", this.#path("rematches/"), {});
      location.assign((await this.#asking.answerTo(ask)).url);
    });
  }

  /** What the views may call. */
  acts() {
    const store = this.#store;
    return {
      join: () => this.#ask("POST", "seats/", {}),
      ready: (ready) => this.#ask("PATCH", "seats/me/", { ready }),
      startRace: () => this.#ask("POST", "starts/", {}),
      leave: () => (isAlone(store) ? store.set({ dialog: { name: "leaveRace" } }) : this.#leave()),
      leaveNow: () => this.#leave(),
      askGiveUp: () => store.set({ dialog: { name: "giveUp" } }),
      giveUp: () => this.#leave(),
      watchRace: () => store.set({ watching: true }),
      rematch: () => this.#rematch(),
    };
  }
}
