// Brings games to the table: the one of the page's address, one that goes on, a new deal.

import { becomePlayer, get, post, Problem, Unreachable } from "./api.js";
import { numberIn } from "./deals.js";
import { gettext, interpolate } from "./i18n.js";
import { remember, wishes } from "./memory.js";
import { loadRules } from "./rulesets.js";
import { isOver, ownerOf } from "./store.js";
import { greeting } from "./told.js";
import { dealName, rulesName } from "./views/heading.js";

export class Dealing {
  #store;
  #asking;
  #playing;
  #page;

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
      if (!this.#store.player.name) this.#store.set({ player: await becomePlayer() });
      return this.#present();
    }, "replaceState");
  }

  /** The place in the browser's history has changed. */
  comeBack() {
    this.#open(() => this.#present(), "replaceState");
  }

  /** The same deal for one who is another player now, with a word on it. */
  startAnew(note) {
    const { rules, number } = this.#store.game;
    const ask = () => (number === null ? this.#goOn() : byNumber(rules, number));
    this.#open(ask, "replaceState", note);
  }

  /** How the game stands, where it may have been played on elsewhere. */
  refresh() {
    const { game } = this.#store;
    const look = () => get(`games/${game.id}/`);
    this.#asking.inTurn(async () => this.#playing.adopt(await this.#asking.answerTo(look)));
  }

  /** Opens the game that ask answers, and gives it its place in the browser's history. The line
   * that speaks says the note, if there is one. */
  #open(ask, step = "pushState", note = null) {
    const store = this.#store;
    this.#asking.inTurn(async () => {
      store.set({ busy: "open" });
      const game = await this.#asking.answerTo(ask);
      if (!game) return store.set({ closed: addressed(), dialog: null, status: "" });
      if (isRacing(game)) return location.replace(game.url);
      const same = store.game?.id === game.id;
      if (!same) store.set({ chosen: null, lockSeen: null, resultSeen: null });
      store.set({ closed: null });
      this.#playing.adopt(game);
      const place = addressOf(game, store.player);
      history[same ? "replaceState" : step]({ game: game.id }, "", place);
      store.set({ dialog: null, status: note ?? greeting(game), refused: false });
      this.#entitle();
      this.loadDeal();
    });
  }

  /** What is known of the deal: nice to have, so a failure is none. */
  async loadDeal() {
    const store = this.#store;
    const { id, number, rules } = store.game;
    if (store.deal?.game !== id) store.set({ deal: null });
    if (number === null) return;
    try {
      const deal = await get(`deals/${number}/?rules=${rules}`);
      if (store.game.id === id) store.set({ deal: { ...deal, game: id } });
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
    if (!store.game) return;
    const names = { rules: rulesName(store, store.game.rules), deal: dealName(store.game) };
    // Translators: the title of the window, such as "Classic, Deal 7 – Pyramid".
    document.title = interpolate(gettext("%(rules)s, %(deal)s – Pyramid"), names);
  }

  /** The game of this place in the history if it is there still (a link may name it), else the one
   * of the address. Nothing, if the address names one that is not open to the player. */
  async #present() {
    const { rules, number, game: named } = addressed();
    const known = history.state?.game ?? named;
    if (known) {
      try {
        return await get(`games/${encodeURIComponent(known)}/`);
      } catch (error) {
        if (error.status !== 404) throw error;
        if (named) return null;
      }
    }
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
      newDeal: () => this.#dealAnew(store.game.rules, store.game.tier ?? wishes().tier),
      again: () => this.#open(() => byNumber(store.game.rules, store.game.number)),
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

/** The game that a new deal of the tier makes a lost one: it counts, and is begun and running. */
async function gameAtStake(rules, tier) {
  const sort = new URLSearchParams({ status: "running", counted: true, rules, tier });
  const { results } = await get(`games/?${sort}`);
  return results.find((game) => game.moves);
}

/** A race that runs has a table of its own. */
const isRacing = (game) => game.kind === "race" && !isOver(game) && game.url?.startsWith("/race/");

/** One's own game is what its deal's address leads to. Somebody else's, and one of a race, is named
 * by its address, which others can be shown and which outlives a reload. */
function addressOf(game, player) {
  if (game.kind === "casual" && !ownerOf({ game, player })) return game.url;
  const place = game.number === null ? "/" : `/play/${game.rules}/${game.number}`;
  return `${place}?game=${game.id}`;
}

/** The deal of the page's address, and the game that it names. */
function addressed() {
  const [, rules, number] = location.pathname.match(/\/play\/([^/]+)\/(\d+)/) ?? [];
  const game = new URLSearchParams(location.search).get("game");
  return { rules, number: rules ? Number(number) : null, game };
}
