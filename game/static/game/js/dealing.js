// Brings games to the table: the one of the page's address, one that goes on, a new deal, a day's.

import { becomePlayer, get, post, Problem, Unreachable } from "./api.js";
import { numberIn } from "./deals.js";
import { gettext, interpolate } from "./i18n.js";
import { namedAddress } from "./links.js";
import { remember, wishes } from "./memory.js";
import { loadRules } from "./rulesets.js";
import { isDaily, isOver, ownerOf } from "./store.js";
import { greeting } from "./told.js";
import { dealName, rulesName } from "./views/heading.js";

const closeDue = 3000; // milliseconds in which the server ends the games of a day that is closed

export class Dealing {
  #store;
  #asking;
  #playing;
  #page;
  #closing = null;

  /** `page`: the rule sets' keys in `rules`, and `default_rules`. */
  constructor(store, { asking, playing, page }) {
    this.#store = store;
    this.#asking = asking;
    this.#playing = playing;
    this.#page = page;
  }

  /** What the address of the page asks for. */
  start() {
    this.#open(async () => {
      // A day asks before it deals: until then one may look without being anybody.
      const somebody = this.#store.player.name || addressed().day;
      if (!somebody) this.#store.set({ player: await becomePlayer() });
      return this.#present();
    }, "replaceState");
  }

  /** The place in the browser's history has changed. */
  comeBack() {
    this.#open(() => this.#present(), "replaceState");
  }

  /** The same deal for one who is another player now, with a word on it. */
  startAnew(note) {
    const { rules, number, daily } = this.#store.game;
    const ask = () => {
      if (daily) return ofDay(rules, daily);
      return number === null ? this.#goOn() : byNumber(rules, number);
    };
    this.#open(ask, "replaceState", note);
  }

  /** How the game stands, where it may have been played on elsewhere; or the day without one. */
  refresh() {
    const { game, closed, busy } = this.#store;
    if (game) {
      const look = () => get(`games/${game.id}/`);
      this.#asking.inTurn(async () => {
        const now = await this.#asking.answerTo(look);
        this.#playing.follow(now);
        this.#playing.adopt(now); // its clock, too, where nothing else is new
      });
    } else if (closed?.day && !busy) this.comeBack();
  }

  /** A change came after the day had closed: shows how the game has ended, as soon as it has. */
  seeClose() {
    const { game } = this.#store;
    if (!game || isOver(game)) return;
    this.refresh();
    clearTimeout(this.#closing);
    const again = () => this.#store.game?.id === game.id && this.seeClose();
    this.#closing = setTimeout(again, closeDue);
  }

  /** Opens the game that ask answers, and gives it its place in the browser's history. The line
   * that speaks says the note, if there is one. */
  #open(ask, step = "pushState", note = null) {
    const store = this.#store;
    this.#asking.inTurn(async () => {
      store.set({ busy: "open" });
      const game = await this.#asking.answerTo(ask);
      if (!game) return store.set({ closed: addressed(), dialog: null, status: "" });
      if (game.resets_at) return this.#wait(game, note);
      if (isRacing(game)) return location.replace(game.url);
      const same = store.game?.id === game.id;
      const words = note ?? (leavesDaily(store, game) ? leftText() : greeting(game));
      if (!same) store.set({ chosen: null, lockSeen: null, resultSeen: null });
      store.set({ closed: null });
      this.#playing.adopt(game);
      const place = addressOf(game, store.player);
      history[same ? "replaceState" : step]({ game: game.id }, "", place);
      store.set({ dialog: null, status: words, refused: false });
      this.#entitle();
      this.loadDeal();
    });
  }

  /** A day without a game of the player's: it is started from here, or there is none any more. */
  #wait(day, note) {
    this.#store.set({
      ...{ game: null, deal: null, standing: null },
      closed: { day: { ...day, daily: day.date } },
      dialog: null,
      ...{ status: note ?? "", refused: false },
    });
    if (isToday(day)) this.#askDay();
    this.#entitle();
  }

  #askDay() {
    const store = this.#store;
    store.set({ dialog: { name: "daily", day: store.closed.day } });
  }

  /** Starts the day's game, unless it is meanwhile another player or another day than was asked. */
  #beginDay() {
    const store = this.#store;
    const { rules, date } = store.closed.day;
    const start = async () => {
      const asked = isRanked(store.player);
      const player = await (store.player.name ? get("me/") : becomePlayer());
      store.set({ player: { ...store.player, ...player } });
      const found = await ofDay(rules, date);
      if (!isToday(found) || isRanked(store.player) !== asked) return found;
      return post(`daily/${rules}/games/`);
    };
    this.#open(async () => {
      try {
        return await start();
      } catch (error) {
        if (!["daily_already_played", "daily_closed"].includes(error.code)) throw error;
        return ofDay(rules, date);
      }
    }, "replaceState");
  }

  /** What is known of the deal, or of the board that the game stands on: nice to have, so a failure
   * is none. */
  async loadDeal() {
    const store = this.#store;
    const { game } = store;
    for (const name of ["deal", "standing"])
      if (store[name]?.game !== game.id) store.set({ [name]: null });
    try {
      const known = await knownOf(store);
      if (store.game?.id === game.id) store.set(known);
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
    }
  }

  async loadRules() {
    await loadRules(this.#store);
    this.#entitle();
  }

  #entitle() {
    const store = this.#store;
    const shown = store.game ?? store.closed?.day;
    if (!shown) return;
    const names = { rules: rulesName(store, shown.rules), deal: dealName(shown) };
    // Translators: the title of the window, such as "Classic, Deal 7 – Pyramid".
    document.title = interpolate(gettext("%(rules)s, %(deal)s – Pyramid"), names);
  }

  /** The game of this place in the history if it is there still (a link may name it), else the one
   * of the address. Nothing, if the address names one that is not open to the player. */
  async #present() {
    const { rules, number, day, game: named } = addressed();
    const known = history.state?.game ?? named;
    if (known) {
      try {
        return await get(`games/${encodeURIComponent(known)}/`);
      } catch (error) {
        if (error.status !== 404) throw error;
        if (named && !day) return null;
      }
    }
    if (day) return ofDay(rules, day);
    return rules ? byNumber(rules, number) : this.#goOn();
  }

  /** The newest game that counts; else the newest that was begun; else the newest of all. */
  async #goOn() {
    const counting = await get("games/?status=running&kind=casual&counted=true");
    if (counting.results.length) return counting.results[0];
    const { results: running } = await get("games/?status=running&kind=casual");
    if (running.length) return running.find((game) => game.moves) ?? running[0];
    const { rules, tier } = wishes();
    const known = this.#page.rules.includes(rules);
    return byTier(known ? rules : this.#page.default_rules, tier);
  }

  /** Deals by tier. Where a game would be lost by that, on the table or not, it asks first. */
  #dealAnew(rules, tier) {
    const store = this.#store;
    const go = () => {
      store.set({ dialog: null });
      this.#open(() => byTier(rules, tier));
    };
    this.#asking.inTurn(async () => {
      store.set({ busy: "open" });
      const losing = await this.#asking.answerTo(() => gameAtStake(rules, tier));
      if (losing) store.set({ dialog: { name: "leave", losing, go } });
      else go();
    });
  }

  /** `number`: as typed or pasted, with other digits, spaces or a whole link to a deal. */
  #playNumber({ rules, number }) {
    const found = numberIn(number);
    const { dialog } = this.#store;
    if (!found) {
      const error = gettext("Type the number of a deal.");
      return this.#store.set({ dialog: { ...dialog, rules, error } });
    }
    const chosen = found.rules ?? rules;
    this.#openFromDialog({ ...dialog, rules: chosen }, () => byNumber(chosen, found.number));
  }

  /** A refusal is shown in the dialog, which stays open for another try. */
  #openFromDialog(dialog, ask) {
    this.#open(async () => {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof Problem)
          this.#store.set({ dialog: { ...dialog, error: error.message } });
        throw error;
      }
    });
  }

  #chooseDeal() {
    if (!this.#store.rules.length) this.loadRules();
    this.#store.set({ dialog: { name: "choose" } });
  }

  /** What the views and the keys may call. */
  acts() {
    const store = this.#store;
    return {
      newDeal: () => {
        // A daily stays as it is, and so does what was played before it.
        if (isDaily(store.game)) this.#open(() => this.#goOn());
        else this.#dealAnew(store.game.rules, store.game.tier ?? wishes().tier);
      },
      again: () => this.#open(() => sameDeal(store.game)),
      askDay: () => this.#askDay(),
      beginDay: () => this.#beginDay(),
      playClosed: ({ rules, number }) =>
        this.#open(() => (rules ? byNumber(rules, number) : this.#goOn())),
      goOnWith: ({ id }) => this.#open(() => get(`games/${id}/`)),
      playNumber: (asked) => this.#playNumber(asked),
      preferTier: (tier) => store.set({ dialog: { ...store.dialog, tier, error: "" } }),
      playTier: ({ rules, tier }) => {
        remember({ rules, tier });
        this.#dealAnew(rules, tier);
      },
      chooseDeal: () => this.#chooseDeal(),
    };
  }
}

const byNumber = (rules, number) => post("games/", { rules, number });
const byTier = (rules, tier) => post("games/", { rules, tier });
const ofArchive = (rules, date) => post(`daily/${rules}/${date}/games/`);
const sameDeal = ({ rules, daily, number }) =>
  daily ? ofArchive(rules, daily) : byNumber(rules, number);

/** The player's game of the day, or practice once that is closed; else the day as the server tells
 * of it, which has a time when the next begins. */
async function ofDay(rules, date) {
  const day = await get(`daily/${rules}/${date}/`);
  if (day.game) return get(`games/${day.game}/`);
  return day.server_now < day.closes_at ? day : ofArchive(rules, date);
}

const isToday = ({ server_now: now, resets_at: end }) => Boolean(end) && now < end;

/** Whether a daily that the player starts stands on the board. */
const isRanked = (player) => player.is_guest === false;

/** What a game says nothing of itself. */
async function knownOf({ game, player }) {
  const { id, rules, number, daily } = game;
  if (number !== null)
    return { deal: { ...(await get(`deals/${number}/?rules=${rules}`)), game: id } };
  const stands = isDaily(game) && isOver(game) && game.counted && !ownerOf({ game, player });
  if (!stands) return {};
  const { players, me } = await get(`daily/${rules}/${daily}/board/?page_size=1`);
  return { standing: { ...me, players, game: id } }; // without a rank where it was taken off
}

/** The game that a new deal of the tier makes a lost one: it counts, and is begun and running. */
async function gameAtStake(rules, tier) {
  const sort = new URLSearchParams({ status: "running", counted: true, rules, tier });
  const { results } = await get(`games/?${sort}`);
  return results.find((game) => game.moves);
}

/** Whether the player goes from a daily that runs to another game. */
const leavesDaily = ({ game: present }, game) =>
  present !== null && isDaily(present) && !isOver(present) && present.id !== game.id;

const leftText = () => gettext("The clock of your daily goes on. The way back leads to it.");

/** A race that runs has a table of its own. */
const isRacing = (game) => game.kind === "race" && !isOver(game) && game.url?.startsWith("/race/");

/** One's own game is what its deal's address leads to. Somebody else's, and one of a race, is named
 * by its address, which others can be shown and which outlives a reload. */
function addressOf(game, player) {
  return game.kind !== "race" && !ownerOf({ game, player }) ? game.url : namedAddress(game);
}

/** The deal of the page's address, by number or by day, and the game that it names. */
function addressed() {
  const game = new URLSearchParams(location.search).get("game");
  const [, daily, day] = location.pathname.match(/\/daily\/([^/]+)\/([\d-]+)\/play/) ?? [];
  if (daily) return { rules: daily, number: null, day, game };
  const [, rules, number] = location.pathname.match(/\/play\/([^/]+)\/(\d+)/) ?? [];
  return { rules, number: rules ? Number(number) : null, game };
}
