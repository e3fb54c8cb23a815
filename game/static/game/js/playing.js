// Plays the game that the store holds: what the player does becomes a change that the server is
// asked for, and its answer becomes the store's state.

import { newId, postThought, Problem } from "./api.js";
import { gettext } from "./i18n.js";
import { goesAlone, isCovered, isOver, locksOf, ownerOf, partnersOf } from "./store.js";
import { prospect, told, toldEnd } from "./told.js";

export class Playing {
  #store;
  #asking;
  #room;
  #ended;

  /** `room` is the game's (`gameroom.js`); `ended(game)` is called when a change ends the game. */
  constructor(store, { asking, room, ended = () => {} }) {
    this.#store = store;
    this.#asking = asking;
    this.#room = room;
    this.#ended = ended;
  }

  /** Takes a state over, unless a later one of the same game is here already. */
  adopt(game) {
    const { game: present, chosen } = this.#store;
    if (present?.id === game.id && present.version > game.version) return;
    const kept = chosen && cardsInReach(game).includes(chosen) ? chosen : null;
    const advice = samePosition(present, game) ? {} : { hint: null, check: null };
    this.#store.set({ game, received: performance.now(), chosen: kept, marked: [], ...advice });
  }

  /** Takes over what has been done elsewhere, in another tab or by the server. */
  follow(game) {
    const { game: present } = this.#store;
    if (present?.id !== game.id || present.version >= game.version) return;
    this.adopt(game);
    if (!isOver(game)) return;
    const status = toldEnd(game);
    if (status) this.#store.set({ status, refused: false });
    this.#ended(game);
  }

  /** Says why something was refused; the present state comes with it where ours was old. */
  report(error) {
    if (!(error instanceof Problem)) throw error;
    if (error.state) this.adopt(error.state);
    this.#store.set({ status: error.message, refused: true, marked: error.params.coverers ?? [] });
  }

  /** Answers whether it is asked for: not while an answer is missed. */
  change(what, body = {}) {
    return this.#ask(what, body, (id, sent) => this.#room.change(id, what, sent));
  }

  /** A change that the solver has to think about. */
  changeByThought(what, body) {
    this.#ask(what, body, (id, sent) =>
      this.thoughtOver(postThought(`games/${id}/${what}/`, sent)),
    );
  }

  #ask(what, body, ask) {
    const store = this.#store;
    return this.#asking.change(async () => {
      const { game: before } = store;
      if (!before || ownerOf(store)) return;
      const sent = { ...body, version: before.version, client_move_id: newId() };
      store.set({ busy: body.action ?? what, marked: [], hint: null });
      const after = await this.#asking.answerTo(() => ask(before.id, sent));
      this.adopt(after);
      store.set({ chosen: null, status: told(what, body, before, after), refused: false });
      if (isOver(after)) this.#ended(after);
    });
  }

  /** Says that the answer takes a moment, if it does. */
  async thoughtOver(answer) {
    const notice = () =>
      this.#store.set({ status: gettext("Thinking it over…"), refused: false });
    const timer = setTimeout(notice, 250);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  move(action, ...cards) {
    return this.change("moves", { action, cards });
  }

  /** Cards that may go are out of reach from now on, so that a double click asks once. */
  #remove(...cards) {
    if (this.move("remove", ...cards))
      this.#store.set({ leaving: [...this.#store.leaving, ...cards], chosen: null });
  }

  // Choosing cards

  #tap(card) {
    const { game, chosen, leaving } = this.#store;
    if (isOver(game) || leaving.includes(card)) return;
    if (card === chosen) return this.letGo();
    if (goesAlone(game, card)) return this.#remove(card);
    if (chosen && partnersOf(game, chosen).includes(card)) return this.#remove(chosen, card);
    if (chosen) return this.#askAndChoose(chosen, card);
    if (isCovered(game.pyramid, card) && !partnersOf(game, card).length)
      return this.move("remove", card);
    const status = prospect(game, card);
    this.#store.set({ chosen: card, status, refused: false, marked: [] });
  }

  /** The server says why two cards do not go together; the second, if free, is the one chosen then. */
  #askAndChoose(chosen, card) {
    const asked = this.move("remove", chosen, card);
    if (asked && !isCovered(this.#store.game.pyramid, card)) this.#store.set({ chosen: card });
  }

  letGo() {
    const { chosen, marked } = this.#store;
    if (chosen || marked.length)
      this.#store.set({ chosen: null, marked: [], status: "", refused: false });
  }

  #tapFaceDown() {
    this.#store.set({
      status: gettext("This card stays face down until no other card lies on it."),
      refused: true,
    });
  }

  #tapStock() {
    const { game } = this.#store;
    if (!isOver(game)) this.move(game.stock.count ? "draw" : "redeal");
  }

  /** What the views and the keys may call. */
  acts() {
    const store = this.#store;
    return {
      tap: (card) => this.#tap(card),
      tapFaceDown: () => this.#tapFaceDown(),
      tapStock: () => this.#tapStock(),
      draw: () => this.move("draw"),
      redeal: () => this.move("redeal"),
      undo: () => this.change("undos"),
      restart: () => store.game.can_undo && store.set({ dialog: { name: "restart" } }),
      restartNow: () => {
        store.set({ dialog: null });
        this.change("restarts");
      },
      rewind: () => this.change("rewinds", { to: "lock" }),
      seeLock: () => store.set({ lockSeen: locksOf(store.game) }),
      tryAgain: () => this.#asking.tryAgain(),
      help: () => store.set({ dialog: { name: "help" } }),
      closeDialog: () => store.dialog && store.set({ dialog: null }),
    };
  }
}

const samePosition = (one, other) =>
  ["id", "status", "moves", "undos"].every((member) => one?.[member] === other[member]);

const cardsInReach = (game) =>
  [...game.pyramid.flat(), game.waste.top, game.stock.top].filter(Boolean);
