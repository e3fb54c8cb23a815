// Wires the page of the table: what the player does becomes a call, its answer becomes the
// store's state, and the views draw that.

import { newId, postLast, postThought } from "./api.js";
import { Asking } from "./asking.js";
import { Company } from "./company.js";
import { Dealing } from "./dealing.js";
import { GameRoom } from "./gameroom.js";
import { aimHeader, aimWayBack } from "./headerlinks.js";
import { gettext } from "./i18n.js";
import { wireKeys } from "./keys.js";
import { copyLink, copyText, pageOf, shareWords } from "./links.js";
import { analyse } from "./lookback.js";
import { Playing } from "./playing.js";
import { goOnAsGuest, watchSession } from "./session.js";
import {
  canCheck,
  canDo,
  canHint,
  isDaily,
  isHintDear,
  isOver,
  ownerOf,
  settingsOf,
  Store,
} from "./store.js";
import { drawAccount } from "./views/account.js";
import { checkText, hintText } from "./views/advice.js";
import { drawBar } from "./views/bar.js";
import { drawCompany } from "./views/company.js";
import { drawDialog, wireDialog } from "./views/dialogs.js";
import { keepFocus, noteFocus, wireArrows } from "./views/focus.js";
import { drawHeading, drawStats } from "./views/heading.js";
import { follow, notePlaces } from "./views/motion.js";
import { drawResult } from "./views/result.js";
import { drawNotice, drawStatus } from "./views/strip.js";
import { drawTable } from "./views/table.js";

const page = JSON.parse(document.getElementById("page").textContent);
const parts = ["heading", "stats", "table", "company", "result", "status", "notice", "bar", "dialog"];
const at = Object.fromEntries(parts.map((id) => [id, document.getElementById(id)]));
const store = new Store({ player: page.player ?? {}, status: gettext("Dealing…") });
const unopened = gettext("The deal could not be opened.");
const asking = new Asking(store, { report, unopened });
const room = new GameRoom({
  hear: (game) => playing.follow(game),
  left: () => dealing.refresh(),
});
const playing = new Playing(store, { asking, room, ended: () => dealing.loadDeal() });
const dealing = new Dealing(store, { asking, playing, page });
const company = new Company(store);

function report(error) {
  playing.report(error);
  if (error.code === "daily_closed") dealing.seeClose();
}

// Drawing

function draw(now, before) {
  const focus = noteFocus(at.table);
  const places = now.game === before.game ? null : notePlaces(at.table, settingsOf(now));
  drawHeading(at.heading, now, act);
  drawStats(at.stats, now);
  drawTable(at.table, now, act);
  drawCompany(at.company, now, act);
  drawStatus(at.status, now);
  drawNotice(at.notice, now, act);
  drawBar(at.bar, now, act);
  drawResult(at.result, now, act);
  drawDialog(at.dialog, now, act);
  follow(at.table, places, before.game, now.game);
  keepFocus(at.table, focus, () => at.result.querySelector("button"));
  document.body.classList.toggle("busy", Boolean(now.busy));
}

/** The rooms are those of the game on the table; an ended one is left once its end is told. */
function enterRooms({ game, busy, closed, loggedOut }) {
  const own = game && !ownerOf(store) && !closed && !loggedOut;
  if (!own || !isOver(game)) room.enter(own ? game.id : null);
  else if (!busy) room.enter(null);
  company.follow();
}

// Advice: counted by the server, but no move

function askHint() {
  if (!canHint(store.game)) return;
  if (isHintDear(store.game)) store.set({ dialog: { name: "hint" } });
  else takeHint();
}

function takeHint() {
  store.set({ dialog: null });
  advise("hints", (hint) => ({ hint, status: hintText(hint) }));
}

function askCheck() {
  if (!canCheck(store.game)) return;
  advise("checks", (check) => ({ check, status: checkText(check) }));
}

function advise(what, told) {
  asking.change(async () => {
    const { game } = store;
    const sent = { version: game.version, client_move_id: newId() };
    store.set({ busy: what, chosen: null, marked: [], hint: null });
    const ask = () => playing.thoughtOver(postThought(`games/${game.id}/${what}/`, sent));
    const answer = await asking.answerTo(ask);
    playing.adopt(answer.state);
    store.set({ ...told(answer), refused: false });
  });
}

/** Others come to a daily by the page of its day. */
const linkOf = (shown) => location.origin + (shown.daily ? pageOf(shown) : shown.url);

// What the views and the keys may call

const act = {
  ...playing.acts(),
  ...dealing.acts(),
  ...company.acts(),
  rewindToWinnable: () => playing.changeByThought("rewinds", { to: "winnable" }),
  hint: askHint,
  takeHint,
  check: askCheck,
  analyse: () => analyse(store),
  lookAtStep: (at) => store.set({ analysis: { ...store.analysis, at } }),
  copyLink: () => copyLink(store, linkOf(store.game ?? store.closed.day)),
  copyText: (text) => copyText(store, text),
  shareWords,
  goOnAsGuest: () => goOnAsGuest(asking),
  seeAdvice: () => store.set({ check: null, hint: null }),
  seeResult: () => store.set({ resultSeen: store.game.id }),
  more: () => store.set({ dialog: { name: "more" } }),
  askResign: () => store.set({ dialog: { name: "resign" } }),
  resign: () => {
    store.set({ dialog: null });
    playing.change("resignations");
  },
};

const keys = {
  d: act.draw,
  r: act.redeal,
  u: act.undo,
  h: act.hint,
  n: act.newDeal,
  "?": act.help,
  Escape: () => playing.letGo(),
};
wireKeys(store, keys, (key) =>
  key === "d" ? canDo(store.game, "draw") : key === "u" && store.game.can_undo,
);

document.addEventListener("visibilitychange", () => {
  const { game } = store;
  if (game && isOver(game)) return;
  if (!document.hidden) return dealing.refresh();
  // Nothing stops the clock of a daily.
  if (game?.running && !isDaily(game))
    postLast(`games/${game.id}/pauses/`, { paused: true, client_move_id: newId() }).then(
      ({ body }) => playing.adopt(body),
      () => {},
    );
});

// A page that the browser has kept is as the settings were then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("popstate", () => dealing.comeBack());
setInterval(() => store.game?.running && drawStats(at.stats, store), 250);

watchSession(store, (detail) => dealing.startAnew(detail));
store.listen(draw);
store.listen(drawAccount);
store.listen(enterRooms);
store.listen(aimHeader);
store.listen(aimWayBack);
wireArrows(at.table);
wireDialog(at.dialog, act);
document.getElementById("help")?.addEventListener("click", act.help);
store.set({});
dealing.loadRules();
dealing.start();
