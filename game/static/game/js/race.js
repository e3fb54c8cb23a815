// Wires the page of one race, from the lobby to the result.

import { Asking } from "./asking.js";
import { GameRoom } from "./gameroom.js";
import { gettext, interpolate } from "./i18n.js";
import { wireKeys } from "./keys.js";
import { copyLink, copyText, shareLink } from "./links.js";
import { analyse } from "./lookback.js";
import { Playing } from "./playing.js";
import { loadLogs } from "./racelogs.js";
import { Racing } from "./racing.js";
import { loadRules } from "./rulesets.js";
import { goOnAsGuest, watchSession } from "./session.js";
import { canDo, isAtTable, isCutOff, isOver, isWaiting, settingsOf, Store } from "./store.js";
import { keepAwake } from "./wakelock.js";
import { drawAccount } from "./views/account.js";
import { drawDialog, wireDialog } from "./views/dialogs.js";
import { keepFocus, noteFocus, wireArrows } from "./views/focus.js";
import { drawStats } from "./views/heading.js";
import { follow, notePlaces } from "./views/motion.js";
import { drawRaceBar } from "./views/race/bar.js";
import { drawCountdown, faceDown } from "./views/race/countdown.js";
import { drawRaceHeading, titleText } from "./views/race/heading.js";
import { drawRaceNotice } from "./views/race/notice.js";
import { drawRivals, drawRoom } from "./views/race/room.js";
import { drawStatus } from "./views/strip.js";
import { drawTable } from "./views/table.js";

const page = JSON.parse(document.getElementById("page").textContent);
const parts = ["heading", "rivals", "stats", "table", "countdown", "room"];
const more = ["status", "notice", "bar", "dialog"];
const at = Object.fromEntries([...parts, ...more].map((id) => [id, document.getElementById(id)]));
const store = new Store({ player: page.player ?? {}, status: gettext("Opening the race…") });
const unopened = gettext("The race could not be opened.");
const asking = new Asking(store, { report: (error) => playing.report(error), unopened });
const room = new GameRoom({ hear: (game) => playing.follow(game) });
const playing = new Playing(store, { asking, room });
const racing = new Racing(store, { asking, playing, code: page.code });

// Drawing

function draw(now, before) {
  drawStatus(at.status, isCutOff(now) ? { ...now, ...pending(now) } : now);
  drawRaceNotice(at.notice, now, act);
  drawDialog(at.dialog, now, act);
  document.body.classList.toggle("busy", Boolean(now.busy));
  if (!now.race) return;
  const table = isAtTable(now);
  document.body.dataset.stage = now.race.status;
  document.body.classList.toggle("at-table", table);
  drawRaceHeading(at.heading, now, act);
  document.body.classList.toggle("done", table && isWaiting(now));
  drawRoom(at.room, now, act);
  if (table) drawBoard(now, before);
  drawCountdown(at.countdown, now, act);
  if (now.race.status !== before.race?.status) enterStage(now.race);
  if (table && isWaiting(now) && !isWaiting(before)) leadToHeading();
}

/** Without a connection the notice says why; the line, that something has not gone out yet. */
const pending = ({ busy }) => ({ status: busy ? gettext("Sending…") : "", refused: false });

function drawBoard(now, before) {
  const shown = now.race.status === "countdown" ? { ...now, game: faceDown } : now;
  const focus = noteFocus(at.table);
  const places = now.game === before.game ? null : notePlaces(at.table, settingsOf(now));
  at.table.inert = shown.game === faceDown || isOver(shown.game);
  drawTable(at.table, shown, act);
  drawStats(at.stats, shown);
  drawRivals(at.rivals, now);
  drawRaceBar(at.bar, shown, act);
  follow(at.table, places, before.game ?? faceDown, now.game);
  keepFocus(at.table, focus, () => null);
}

/** The race has come to its next stage: whoever uses the keys is led there. */
function enterStage(race) {
  // Translators: the title of the window, such as "Race on deal 7 – Pyramid".
  document.title = interpolate(gettext("%(race)s – Pyramid"), { race: titleText(race) });
  keepAwake(race.status !== "over");
  if (race.status === "running") leadToTable();
  if (race.status === "over") leadToResult(race);
}

function leadToTable() {
  if (document.activeElement !== document.body) return;
  at.table.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
}

function leadToResult({ seats }) {
  leadToHeading();
  if (seats.some((seat) => seat.game)) loadLogs(store);
}

const leadToHeading = () => at.room.querySelector("h2").focus({ preventScroll: true });

function enterRoom({ race, game, busy, loggedOut }) {
  const going = race?.status === "running" && game && !isOver(game) && !loggedOut;
  if (going) room.enter(game.id);
  else if (!busy) room.enter(null);
}

function tick() {
  const { race } = store;
  if (race?.status === "countdown") return drawCountdown(at.countdown, store, act);
  if (race?.status !== "running") return;
  if (isAtTable(store)) drawStats(at.stats, store);
  drawRoom(at.room, store, act);
}

// What the views and the keys may call

const address = () => new URL(store.race.url, location.href).href;

const act = {
  ...playing.acts(),
  ...racing.acts(),
  copyLink: () => copyLink(store, address()),
  shareLink: () => shareLink(address(), document.title),
  copyText: (text) => copyText(store, text),
  goOnAsGuest: () => goOnAsGuest(asking),
  analyse: () => analyse(store),
  lookAtStep: (at) => store.set({ analysis: { ...store.analysis, at } }),
  loadLogs: () => loadLogs(store),
};

const keys = {
  d: act.draw,
  r: act.redeal,
  u: act.undo,
  "?": act.help,
  Escape: () => playing.letGo(),
};
wireKeys(store, keys, (key) =>
  key === "d" ? canDo(store.game, "draw") : key === "u" && store.game.can_undo,
);

// A page that the browser has kept is as the race was then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
setInterval(tick, 200);

watchSession(store, (detail) => racing.open(detail));
store.listen(draw);
store.listen(drawAccount);
store.listen(enterRoom);
wireArrows(at.table);
wireDialog(at.dialog, act);
document.getElementById("help")?.addEventListener("click", act.help);
store.set({});
loadRules(store);
racing.open();
