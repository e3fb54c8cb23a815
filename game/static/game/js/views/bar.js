// The bar of actions. What cannot be done now looks so, but can be pressed all the same:
// the server then says why not.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext } from "../i18n.js";
import {
  canAnalyse,
  canCheck,
  canDealAgain,
  canDo,
  canHint,
  isOver,
  ownerOf,
  settingsOf,
} from "../store.js";
import { icon } from "./icons.js";

export function drawBar(root, store, act) {
  const { game } = store;
  if (!game) return render(nothing, root);
  const fresh = action("new", "fresh", gettext("New deal"), "N", true, act.newDeal);
  const more = action("more", "more", gettext("More"), "", true, act.more);
  if (ownerOf(store)) return render(ordered(store, [playAction(game, act), fresh, more]), root);
  const actions = [
    undoAction(game, act),
    restartAction(game, act),
    game.kind === "race" ? nothing : hintAction(store, act),
    drawAction(store, act),
    checkAction(store, act),
    fresh,
    more,
  ];
  render(ordered(store, actions), root);
}

export const ordered = (store, actions) =>
  settingsOf(store).left_handed ? actions.toReversed() : actions;

export function undoAction(game, act) {
  return action("undo", "undo", gettext("Undo"), "U", !isOver(game) && game.can_undo, act.undo);
}

export function restartAction(game, act) {
  // Translators: a button (verb): go back to the start of the same deal.
  const restarts = gettext("Restart");
  return action("restart", "restart", restarts, "", !isOver(game) && game.can_undo, act.restart);
}

/** The stock's own action; where it is empty, the waste is turned over. */
export function drawAction({ game, hint }, act) {
  const hinted = ["draw", "redeal"].includes(hint?.action) ? "hinted" : "";
  if (game.stock.count) {
    // Translators: a button (verb): take the top card of the stock.
    const draws = gettext("Draw");
    return action("draw", "draw", draws, "D", canDo(game, "draw"), act.draw, hinted);
  }
  // Translators: a button (verb): turn the waste over, so that it is the stock again.
  const redeals = gettext("Redeal");
  return action("draw", "redeal", redeals, "R", canDo(game, "redeal"), act.redeal, hinted);
}

/** Somebody else's game has ended: what is left is its deal. */
function playAction(game, act) {
  if (!canDealAgain(game)) return nothing;
  return action("draw", "draw", gettext("Play this deal"), "", true, act.again);
}

function hintAction({ game, busy }, act) {
  const look = busy === "hints" ? "thinking" : "";
  return action("hint", "hint", gettext("Hint"), "H", canHint(game), act.hint, look);
}

/** While the game lasts, whether it can be won; afterwards, where that was lost. */
function checkAction({ game, busy }, act) {
  if (canAnalyse(game))
    return action("analysis", "graph", gettext("Analysis"), "", true, act.analyse);
  if (!canCheck(game)) return nothing;
  const look = busy === "checks" ? "thinking" : "";
  // Translators: a button that asks whether the game can still be won; it has little room.
  return action("check", "cup", gettext("Can I still win?"), "", true, act.check, look);
}

export function action(name, sign, label, key, possible, act, look = "") {
  return html`<button
    type="button"
    class="action ${name} ${look}"
    data-action=${name}
    aria-disabled=${!possible}
    aria-busy=${look === "thinking"}
    aria-keyshortcuts=${key || nothing}
    @click=${act}
  >
    ${icon(sign)}<span>${label}</span><kbd aria-hidden="true">${key}</kbd>
  </button>`;
}
