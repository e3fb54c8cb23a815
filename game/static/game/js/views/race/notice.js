// What calls for attention at a race's table: no connection, no move left.

import { html, nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { gettext } from "../../i18n.js";
import { isCutOff, isOver, locksOf } from "../../store.js";
import { banner, choice, locked, loggedOut, noAnswer } from "../strip.js";

export function drawRaceNotice(root, store, act) {
  render(notice(store, act) ?? nothing, root);
}

function notice(store, act) {
  const { game, race } = store;
  if (store.loggedOut && !store.trouble) return loggedOut(act);
  if (isCutOff(store)) return lost(race);
  if (store.trouble) return noAnswer(store, act);
  if (!game || race.status !== "running") return null;
  if (isOver(game)) return null;
  if (game.status === "stuck") return stuck(act);
  if (game.locked.length && store.lockSeen !== locksOf(game)) return locked(game, act);
  return null;
}

function lost(race) {
  const text =
    race.status === "running"
      ? gettext("The connection is lost and is being restored. Your board stays, the clock runs on.")
      : gettext("The connection is lost and is being restored.");
  return html`<div role="alert">${banner("alarm", text, [])}</div>`;
}

/** Stuck is not the end: whoever takes back can go another way. */
function stuck(act) {
  const text = gettext("No move is left here, but the race goes on: take back, and try another way.");
  return banner("stuck", text, [
    choice(gettext("Undo"), act.undo, true),
    choice(gettext("Restart"), act.restart),
  ]);
}
