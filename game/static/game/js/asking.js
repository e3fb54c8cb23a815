// Asking the server for what changes the page: one thing at a time, and again for as long as the
// server cannot be reached.

import { Problem, Unreachable } from "./api.js";
import { gettext } from "./i18n.js";

export class Asking {
  #store;
  #report;
  #unopened;
  #turn = Promise.resolve();
  #waiting = 0;
  #again = null;

  /** `report(error)` hears of what a piece of work has thrown; `unopened` says in words that the
   * page has not got what it is for. */
  constructor(store, { report, unopened }) {
    this.#store = store;
    this.#report = report;
    this.#unopened = unopened;
    addEventListener("online", () => this.tryAgain());
    // A server that is started again tells nobody.
    setInterval(() => store.trouble && !document.hidden && this.tryAgain(), 5000);
  }

  /** Does the work when what was asked before is done; a few may wait, so that quick keys count. */
  inTurn(work) {
    const store = this.#store;
    if (store.trouble) this.tryAgain();
    if (store.trouble || this.#waiting > 3) return;
    this.#waiting += 1;
    this.#turn = this.#turn
      .then(work)
      .catch(this.#report)
      .finally(() => {
        this.#waiting -= 1;
        store.set(this.#waiting ? { busy: null } : { busy: null, leaving: [] });
      });
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
      this.#store.set({ ...trouble, dialog: null, refused: true });
    });
    this.#store.set({ trouble: null, status: gettext("Trying again…"), refused: false });
  }
}
