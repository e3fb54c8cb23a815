// Wires the page: what the player does becomes a call, its answer becomes the store's state,
// and the views draw that.

import {
  becomePlayer,
  get,
  getThought,
  newId,
  onSessionEnd,
  post,
  postLast,
  postThought,
  Problem,
  Unreachable,
} from "./api.js";
import { anyOf, clockText, gettext, interpolate, ngettext, shortName } from "./i18n.js";
import { remember, wishes } from "./memory.js";
import {
  canCheck,
  canDo,
  canHint,
  goesAlone,
  isCovered,
  isOver,
  locksOf,
  ownerOf,
  partnersOf,
  settingsOf,
  Store,
} from "./store.js";
import { checkText, hintText } from "./views/advice.js";
import { drawBar } from "./views/bar.js";
import { drawDialog, wireDialog } from "./views/dialogs.js";
import { keepFocus, noteFocus, wireArrows } from "./views/focus.js";
import { dealName, drawHeading, drawStats, rulesName } from "./views/heading.js";
import { follow, notePlaces } from "./views/motion.js";
import { drawResult } from "./views/result.js";
import { drawNotice, drawStatus, lockText } from "./views/strip.js";
import { drawTable } from "./views/table.js";

const page = JSON.parse(document.getElementById("page").textContent);
const at = Object.fromEntries(
  ["heading", "stats", "table", "result", "status", "notice", "bar", "dialog"].map((id) => [
    id,
    document.getElementById(id),
  ]),
);
const defaultRules = page.default_rules;
const store = new Store({ player: page.player ?? {}, status: gettext("Dealing…") });

// Drawing

function draw(now, before) {
  const focus = noteFocus(at.table);
  const places = now.game === before.game ? null : notePlaces(at.table, settingsOf(now));
  drawHeading(at.heading, now, act);
  drawStats(at.stats, now);
  drawTable(at.table, now, act);
  drawStatus(at.status, now);
  drawNotice(at.notice, now, act);
  drawBar(at.bar, now, act);
  drawResult(at.result, now, act);
  drawDialog(at.dialog, now, act);
  follow(at.table, places, before.game, now.game);
  keepFocus(at.table, focus, () => at.result.querySelector("button"));
  document.body.classList.toggle("busy", Boolean(now.busy));
}

// Asking: one thing at a time, and again for as long as the server cannot be reached

let turn = Promise.resolve();
let waiting = 0;
let tryAgain = null;

/** Does the work when what was asked before is done; a few may wait, so that quick keys count. */
function inTurn(work) {
  if (store.trouble) tryAgain();
  if (store.trouble || waiting > 3) return;
  waiting += 1;
  turn = turn
    .then(work)
    .catch(report)
    .finally(() => {
      waiting -= 1;
      store.set(waiting ? { busy: null } : { busy: null, leaving: [] });
    });
}

/** The answer to a question, however often it has to be asked. Before there is a game to go
 * back to, a refusal (too many calls, say) is worth another try as well. */
async function answerTo(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Problem && (store.game || store.loggedOut)) throw error;
      await anotherTry(troubleOf(error));
    }
  }
}

function troubleOf(error) {
  if (error instanceof Problem) {
    return { status: error.message, trouble: gettext("The deal could not be opened.") };
  }
  if (error instanceof Unreachable) {
    const trouble = gettext("The server cannot be reached. Nothing is lost.");
    return { status: gettext("No answer from the server."), trouble };
  }
  throw error;
}

async function anotherTry(trouble) {
  await new Promise((resolve) => {
    tryAgain = resolve;
    store.set({ ...trouble, dialog: null, refused: true });
  });
  store.set({ trouble: null, status: gettext("Trying again…"), refused: false });
}

function report(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.state) adopt(error.state);
  store.set({ status: error.message, refused: true, marked: error.params.coverers ?? [] });
}

/** The page's session has ended, maybe on another device. An account is never quietly left for a
 * guest; a guest who is gone is followed by a new one, with the same deal. */
async function sessionEnded() {
  const { name, is_guest: guest } = store.player;
  if (guest === false) {
    store.set({ loggedOut: true, dialog: null, chosen: null });
    throw new Problem(401, { detail: gettext("You are logged out on this device.") });
  }
  store.set({ player: await becomePlayer() });
  if (!name || !store.game) return;
  const { rules, number } = store.game;
  const detail = gettext("Your time as a guest has ended. You are a new guest now.");
  open(() => (number === null ? goOn() : byNumber(rules, number)), "replaceState", detail);
  throw new Problem(401, { detail });
}

async function goOnAsGuest() {
  await answerTo(becomePlayer);
  location.assign(location.pathname);
}

/** Takes a state over, unless a later one of the same game is here already. */
function adopt(game) {
  const { game: present, chosen } = store;
  if (present?.id === game.id && present.version > game.version) return;
  const kept = chosen && cardsInReach(game).includes(chosen) ? chosen : null;
  const advice = samePosition(present, game) ? {} : { hint: null, check: null };
  store.set({ game, received: performance.now(), chosen: kept, marked: [], ...advice });
}

const samePosition = (one, other) =>
  ["id", "status", "moves", "undos"].every((member) => one?.[member] === other[member]);

const cardsInReach = (game) =>
  [...game.pyramid.flat(), game.waste.top, game.stock.top].filter(Boolean);

// Changes of the game

function change(what, body = {}, ask = post) {
  inTurn(async () => {
    const { game: before } = store;
    if (!before || ownerOf(store)) return;
    const sent = { ...body, version: before.version, client_move_id: newId() };
    store.set({ busy: body.action ?? what, marked: [], hint: null });
    const answer = answerTo(() => ask(`games/${before.id}/${what}/`, sent));
    const after = await (ask === postThought ? thoughtOver(answer) : answer);
    adopt(after);
    store.set({ chosen: null, status: told(what, body, before, after), refused: false });
    if (isOver(after)) loadDeal();
  });
}

const move = (action, ...cards) => change("moves", { action, cards });

/** Cards that may go are out of reach from now on, so that a double click asks once. */
function remove(...cards) {
  store.set({ leaving: [...store.leaving, ...cards], chosen: null });
  move("remove", ...cards);
}

/** What has happened, in words. */
function told(what, body, before, after) {
  if (after.status === "won") {
    return interpolate(gettext("Won: the deal is cleared in %(time)s."), {
      time: clockText(after.elapsed_ms),
    });
  }
  if (after.status === "lost") return gettext("You have given up.");
  const [lock] = newLocks(before, after);
  if (lock) return lockText(lock);
  if (after.status === "stuck")
    return gettext("Stuck: no card can be removed, and no draw or pass is left.");
  if (what === "undos") return gettext("The last move is taken back.");
  if (body.to === "winnable") return gettext("From here it can be won.");
  if (what === "rewinds") return gettext("Back before the card was locked.");
  if (what === "restarts") return gettext("Back at the start of the deal.");
  if (body.action === "draw") return toldDraw(after);
  if (body.action === "redeal") {
    return interpolate(gettext("The waste is turned over: pass %(pass)s of %(passes)s."), after);
  }
  const [first, second] = body.cards.map(shortName);
  const text = second
    ? gettext("%(first)s and %(second)s are removed.")
    : gettext("%(first)s is removed.");
  return interpolate(text, { first, second });
}

const newLocks = (before, after) =>
  after.locked.filter(({ card }) => !before.locked.some((known) => known.card === card));

function toldDraw({ stock, waste }) {
  const text = ngettext(
    "Drawn: %(card)s. %(count)s card is left in the stock.",
    "Drawn: %(card)s. %(count)s cards are left in the stock.",
    stock.count,
  );
  return interpolate(text, { card: shortName(waste.top), count: stock.count });
}

// Advice: counted by the server, but no move

function askHint() {
  if (!canHint(store.game)) return;
  advise("hints", (hint) => ({ hint, status: hintText(hint) }));
}

function askCheck() {
  if (!canCheck(store.game)) return;
  advise("checks", (check) => ({ check, status: checkText(check) }));
}

function advise(what, told) {
  inTurn(async () => {
    const { game } = store;
    const sent = { version: game.version, client_move_id: newId() };
    store.set({ busy: what, chosen: null, marked: [], hint: null });
    const answer = await thoughtOver(
      answerTo(() => postThought(`games/${game.id}/${what}/`, sent)),
    );
    adopt(answer.state);
    store.set({ ...told(answer), refused: false });
  });
}

/** Says that the answer takes a moment, if it does. */
async function thoughtOver(answer) {
  const notice = () => store.set({ status: gettext("Thinking it over…"), refused: false });
  const timer = setTimeout(notice, 250);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

// After the game

async function analyse() {
  const { id, moves } = store.game;
  const known = store.analysis?.game === id && store.analysis.steps;
  store.set({ dialog: { name: "analysis" }, analysis: known ? store.analysis : { game: id } });
  if (known) return;
  const analysis = await analysisOf(id, moves);
  if (store.analysis?.game === id) store.set({ analysis });
}

/** Each step with its move, how many came `earlier` than the first of them, and the step to look
 * `at` first: where the game was `lost`, or the last. */
async function analysisOf(id, made) {
  try {
    const [found, entries] = await Promise.all([getThought(`games/${id}/analysis/`), logOf(id)]);
    const moves = new Map(entries.map((entry) => [entry.seq, entry]));
    const steps = found.steps.map((step) => ({ ...moves.get(step.seq), ...step }));
    const lost = steps.findIndex((step) => step.seq === found.losing_seq);
    const at = lost < 0 ? steps.length - 1 : lost;
    return { ...found, game: id, steps, lost, at, earlier: made - steps.length };
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
    return { game: id, error: error.message || gettext("No answer from the server.") };
  }
}

async function logOf(id) {
  const entries = [];
  for (;;) {
    const after = entries.at(-1)?.seq ?? 0;
    const page = await get(`games/${id}/log/?after=${after}`);
    entries.push(...page.entries);
    if (!page.next) return entries;
  }
}

// Choosing cards

function choose(card) {
  store.set({ chosen: card, status: prospect(card), refused: false, marked: [] });
}

/** What can be done with a card, in words. */
function prospect(card) {
  const partners = partnersOf(store.game, card);
  const lock = store.game.locked.find((other) => other.card === card);
  if (lock && !partners.length) return lockText(lock);
  const text = partners.length
    ? gettext("%(card)s fits with %(partners)s.")
    : gettext("%(card)s: no free card fits now.");
  return interpolate(text, { card: shortName(card), partners: anyOf(partners) });
}

function letGo() {
  if (store.chosen || store.marked.length)
    store.set({ chosen: null, marked: [], status: "", refused: false });
}

function tap(card) {
  const { game, chosen } = store;
  if (isOver(game) || store.leaving.includes(card)) return;
  if (card === chosen) return letGo();
  if (goesAlone(game, card)) return remove(card);
  if (chosen && partnersOf(game, chosen).includes(card)) return remove(chosen, card);
  if (chosen) return askAndChoose(chosen, card);
  if (isCovered(game.pyramid, card) && !partnersOf(game, card).length) return move("remove", card);
  choose(card);
}

/** The server says why two cards do not go together; the second, if free, is the one chosen then. */
function askAndChoose(chosen, card) {
  move("remove", chosen, card);
  if (!isCovered(store.game.pyramid, card)) store.set({ chosen: card });
}

function tapFaceDown() {
  store.set({
    status: gettext("This card stays face down until no other card lies on it."),
    refused: true,
  });
}

function tapStock() {
  if (isOver(store.game)) return;
  move(store.game.stock.count ? "draw" : "redeal");
}

// Deals

/** Opens the game that ask answers, and gives it its place in the browser's history. The line that
 * speaks says the note, if there is one. */
function open(ask, step = "pushState", note = null) {
  inTurn(async () => {
    store.set({ busy: "open" });
    const game = await answerTo(ask);
    if (!game) return store.set({ closed: addressed(), dialog: null, status: "" });
    const same = store.game?.id === game.id;
    if (!same) store.set({ chosen: null, lockSeen: null, resultSeen: null });
    store.set({ closed: null });
    adopt(game);
    history[same ? "replaceState" : step]({ game: game.id }, "", addressOf(game));
    store.set({ dialog: null, status: note ?? greeting(game), refused: false });
    entitle();
    loadDeal();
  });
}

/** What is known of the deal: nice to have, so a failure is none. */
async function loadDeal() {
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

function greeting(game) {
  if (isOver(game)) return "";
  if (game.locked.length) return lockText(game.locked[0]);
  return game.moves
    ? gettext("Your game goes on.")
    : gettext("Choose two free cards that add up to 13. A king goes alone.");
}

function entitle() {
  if (!store.game) return;
  const names = { rules: rulesName(store, store.game.rules), deal: dealName(store.game) };
  // Translators: the title of the window, such as "Classic, Deal 7 – Pyramid".
  document.title = interpolate(gettext("%(rules)s, %(deal)s – Pyramid"), names);
}

const byNumber = (rules, number) => post("games/", { rules, number });
const byTier = (rules, tier) => post("games/", { rules, tier });

/** Somebody else's game is named by its address, which others can be shown and which outlives a
 * reload; one's own is what its deal's address leads to. */
function addressOf(game) {
  return ownerOf({ game, player: store.player }) ? `${game.url ?? "/"}?game=${game.id}` : game.url;
}

/** The deal of the page's address, and the game that it names. */
function addressed() {
  const [, rules, number] = location.pathname.match(/\/play\/([^/]+)\/(\d+)/) ?? [];
  const game = new URLSearchParams(location.search).get("game");
  return { rules, number: rules ? Number(number) : null, game };
}

/** The game of this place in the history if it is there still (a link may name it), else the one
 * of the address. Nothing, if the address names one that is not open to the player. */
async function present() {
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
  return rules ? byNumber(rules, number) : goOn();
}

/** The newest game that counts; else the newest that was begun; else the newest of all. */
async function goOn() {
  const counting = await get("games/?status=running&kind=casual&counted=true");
  if (counting.results.length) return counting.results[0];
  const { results: running } = await get("games/?status=running&kind=casual");
  if (running.length) return running.find((game) => game.moves) ?? running[0];
  const { rules, tier } = wishes();
  return byTier(page.rules.includes(rules) ? rules : defaultRules, tier);
}

async function start() {
  if (!store.player.name) store.set({ player: await becomePlayer() });
  return present();
}

/** Deals by tier. Where a game would be lost by that, on the table or not, it asks first. */
function dealAnew(rules, tier) {
  const go = () => {
    store.set({ dialog: null });
    open(() => byTier(rules, tier));
  };
  inTurn(async () => {
    store.set({ busy: "open" });
    const losing = await answerTo(() => gameAtStake(rules, tier));
    if (losing) store.set({ dialog: { name: "leave", losing, go } });
    else go();
  });
}

/** The game that a new deal of the tier makes a lost one: it counts, and is begun and running. */
async function gameAtStake(rules, tier) {
  const sort = new URLSearchParams({ status: "running", counted: true, rules, tier });
  const { results } = await get(`games/?${sort}`);
  return results.find((game) => game.moves);
}

/** `number`: as typed or pasted, with other digits, spaces or a whole link to a deal. */
function playNumber({ rules, number }) {
  const typed = number.normalize("NFKC");
  const link = typed.match(/\/play\/([a-z0-9-]+)\/(\d+)/);
  const digits = link ? link[2] : typed.replace(/[\s,.#\u2019]/g, "");
  if (!/^\d{1,18}$/.test(digits)) {
    const error = gettext("Type the number of a deal.");
    return store.set({ dialog: { ...store.dialog, rules, error } });
  }
  const chosen = link ? link[1] : rules;
  openFromDialog({ ...store.dialog, rules: chosen }, () => byNumber(chosen, Number(digits)));
}

/** A refusal is shown in the dialog, which stays open for another try. */
function openFromDialog(dialog, ask) {
  open(async () => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Problem) store.set({ dialog: { ...dialog, error: error.message } });
      throw error;
    }
  });
}

async function loadRules() {
  try {
    const { results } = await get("rules/");
    store.set({ rules: results });
    entitle();
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
  }
}

function copyLink() {
  const address = location.origin + store.game.url;
  const done = () =>
    store.set({ dialog: null, status: gettext("The link is copied."), refused: false });
  const byHand = () => store.set({ dialog: { name: "link", address } });
  if (navigator.clipboard) navigator.clipboard.writeText(address).then(done, byHand);
  else byHand();
}

// What the views and the keys may call

const act = {
  tap,
  tapFaceDown,
  tapStock,
  draw: () => move("draw"),
  redeal: () => move("redeal"),
  undo: () => change("undos"),
  restart: () => (store.game.can_undo ? store.set({ dialog: { name: "restart" } }) : undefined),
  restartNow() {
    store.set({ dialog: null });
    change("restarts");
  },
  rewind: () => change("rewinds", { to: "lock" }),
  rewindToWinnable: () => change("rewinds", { to: "winnable" }, postThought),
  hint: askHint,
  check: askCheck,
  analyse,
  lookAtStep: (at) => store.set({ analysis: { ...store.analysis, at } }),
  newDeal: () => dealAnew(store.game.rules, store.game.tier ?? wishes().tier),
  again: () => open(() => byNumber(store.game.rules, store.game.number)),
  playClosed: ({ rules, number }) => open(() => (rules ? byNumber(rules, number) : goOn())),
  goOnWith: ({ id }) => open(() => get(`games/${id}/`)),
  playNumber,
  preferTier: (tier) => store.set({ dialog: { ...store.dialog, tier, error: "" } }),
  playTier({ rules, tier }) {
    remember({ rules, tier });
    dealAnew(rules, tier);
  },
  copyLink,
  tryAgain: () => tryAgain?.(),
  goOnAsGuest: () => inTurn(goOnAsGuest),
  seeAdvice: () => store.set({ check: null, hint: null }),
  seeLock: () => store.set({ lockSeen: locksOf(store.game) }),
  seeResult: () => store.set({ resultSeen: store.game.id }),
  chooseDeal() {
    if (!store.rules.length) loadRules();
    store.set({ dialog: { name: "choose" } });
  },
  more: () => store.set({ dialog: { name: "more" } }),
  help: () => store.set({ dialog: { name: "help" } }),
  askResign: () => store.set({ dialog: { name: "resign" } }),
  resign() {
    store.set({ dialog: null });
    change("resignations");
  },
  closeDialog: () => store.dialog && store.set({ dialog: null }),
};

const keys = {
  d: act.draw,
  r: act.redeal,
  u: act.undo,
  h: act.hint,
  n: act.newDeal,
  "?": act.help,
  Escape: letGo,
};

const canRepeat = { d: (game) => canDo(game, "draw"), u: (game) => game.can_undo };

/** The letter of the key, also where the layout writes another alphabet with it. */
function keyOf(event) {
  if (/^[^\x00-\x7f]$/.test(event.key) && event.code.startsWith("Key"))
    return event.code[3].toLowerCase();
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, select, textarea, dialog");
  if (writing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const does = store.game && keys[keyOf(event)];
  if (!does) return;
  event.preventDefault();
  // A key that is held down takes up where the last answer left it, and asks for nothing in vain.
  if (event.repeat && (store.busy || !canRepeat[keyOf(event)]?.(store.game))) return;
  does();
});

document.addEventListener("visibilitychange", () => {
  const { game } = store;
  if (!game || isOver(game)) return;
  if (document.hidden) {
    if (game.running)
      postLast(`games/${game.id}/pauses/`, { paused: true, client_move_id: newId() }).then(
        ({ body }) => adopt(body),
        () => {},
      );
  } else {
    inTurn(async () => adopt(await answerTo(() => get(`games/${game.id}/`))));
  }
});

// A page that the browser has kept is as the settings were then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("online", () => tryAgain?.());
// A server that is started again tells nobody.
setInterval(() => store.trouble && !document.hidden && tryAgain?.(), 5000);
addEventListener("popstate", () => open(present, "replaceState"));
setInterval(() => store.game?.running && drawStats(at.stats, store), 250);

onSessionEnd(sessionEnded);
store.listen(draw);
wireArrows(at.table);
wireDialog(at.dialog, act);
document.getElementById("help")?.addEventListener("click", act.help);
store.set({});
loadRules();
open(start, "replaceState");
