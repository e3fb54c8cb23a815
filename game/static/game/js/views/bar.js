// The bar of actions. What cannot be done now looks so, but can be pressed all the same:
// the server then says why not.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext } from "../i18n.js";
import { canAnalyse, canCheck, canDo, canHint, isOver, ownerOf, settingsOf } from "../store.js";
import { icon } from "./icons.js";

export function drawBar(root, store, act) {
  const { game, hint } = store;
  if (!game) return;
  const fresh = action("new", "fresh", gettext("New deal"), "N", true, act.newDeal);
  const more = action("more", "more", gettext("More"), "", true, act.more);
  if (ownerOf(store)) return render(ordered(store, [playAction(game, act), fresh, more]), root);
  // Translators: a button (verb): take the top card of the stock.
  const draws = gettext("Draw");
  // Translators: a button (verb): turn the waste over, so that it is the stock again.
  const redeals = gettext("Redeal");
  // Translators: a button (verb): go back to the start of the same deal.
  const restarts = gettext("Restart");
  const empty = game.stock.count === 0;
  const going = !isOver(game);
  const stockHinted = ["draw", "redeal"].includes(hint?.action) ? "hinted" : "";
  const actions = [
    action("undo", "undo", gettext("Undo"), "U", going && game.can_undo, act.undo),
    action("restart", "restart", restarts, "", going && game.can_undo, act.restart),
    game.kind === "race" ? nothing : hintAction(store, act),
    empty
      ? action("draw", "redeal", redeals, "R", canDo(game, "redeal"), act.redeal, stockHinted)
      : action("draw", "draw", draws, "D", canDo(game, "draw"), act.draw, stockHinted),
    checkAction(store, act),
    fresh,
    more,
  ];
  render(ordered(store, actions), root);
}

const ordered = (store, actions) =>
  settingsOf(store).left_handed ? actions.toReversed() : actions;

/** Somebody else's game has ended: what is left is its deal. */
function playAction(game, act) {
  if (game.number === null) return nothing;
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

function action(name, sign, label, key, possible, act, look = "") {
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
