// Asking the server for what changes the page: one thing at a time, and again for as long as the
// server cannot be reached.

import { Problem, Unreachable } from "./api.js";
import { gettext } from "./i18n.js";

const missed = 400; // milliseconds after which whoever waits for an answer is told so
const late = 1500; // and after which what was asked for meanwhile is not meant any more

export class Asking {
  #store;
  #report;
  #unopened;
  #turn = Promise.resolve();
  #waiting = 0;
  #again = null;
  #round = 0;

  /** `report(error)` hears of what a piece of work has thrown; `unopened` says in words that the
   * page has not got what it is for. */
  constructor(store, { report, unopened }) {
    this.#store = store;
    this.#report = report;
    this.#unopened = unopened;
    addEventListener("online", () => this.tryAgain());
    // A server that is started again tells nobody.
    setInterval(() => document.hidden || this.tryAgain(), 5000);
  }

  /** Does the work when what was asked before is done; a few may wait, so that quick keys count.
   * Answers whether it will. */
  inTurn(work) {
    if (this.#again) this.tryAgain();
    else if (this.#waiting <= 3) return this.#take(work);
    return false;
  }

  /** The same for what the player does, who must see what comes of it: nothing more is taken while
   * an answer is missed, and what waits behind one that comes late is forgotten. */
  change(work) {
    if (this.#store.sending) return false;
    const round = this.#round;
    return this.inTurn(() => round === this.#round && this.#watched(work));
  }

  #take(work) {
    const store = this.#store;
    this.#waiting += 1;
    this.#turn = this.#turn
      .then(work)
      .catch(this.#report)
      .finally(() => {
        this.#waiting -= 1;
        const done = { busy: null, sending: false, trouble: null };
        store.set(this.#waiting ? done : { ...done, leaving: [] });
      });
    return true;
  }

  async #watched(work) {
    const store = this.#store;
    const { status } = store;
    const tell = () => {
      const silent = store.status === status;
      const said = silent ? { status: gettext("Sending…"), refused: false } : {};
      store.set({ sending: true, ...said });
    };
    const timers = [setTimeout(tell, missed), setTimeout(() => this.#forget(), late)];
    try {
      await work();
    } finally {
      timers.forEach(clearTimeout);
    }
  }

  #forget() {
    this.#round += 1;
    this.#store.set({ leaving: [] });
  }

  /** The answer to a question, however often it has to be asked. Before there is something to go
   * back to, a refusal (too many calls, say) is worth another try as well. */
  async answerTo(ask) {
    const store = this.#store;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const back = store.game || store.race || store.loggedOut;
        if (error instanceof Problem && back) throw error;
        await this.#anotherTry(this.#troubleOf(error));
      }
    }
  }

  tryAgain() {
    this.#again?.();
  }

  #troubleOf(error) {
    if (error instanceof Problem) return { status: error.message, trouble: this.#unopened };
    if (error instanceof Unreachable) {
      const trouble = gettext("The server cannot be reached. Nothing is lost.");
      return { status: gettext("No answer from the server."), trouble };
    }
    throw error;
  }

  async #anotherTry(trouble) {
    await new Promise((resolve) => {
      this.#again = resolve;
      this.#forget();
      this.#store.set({ ...trouble, dialog: null, refused: true });
    });
    this.#again = null;
    this.#store.set({ status: gettext("Trying again…"), refused: false });
  }
}
