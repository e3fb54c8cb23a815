// The bar of actions. What cannot be done now looks so, but can be pressed all the same:
// the server then says why not.

import { html, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext } from "../i18n.js";
import { canDo, isOver } from "../store.js";
import { icon } from "./icons.js";

export function drawBar(root, store, act) {
  const { game } = store;
  if (!game) return;
  // Translators: a button (verb): take the top card of the stock.
  const draws = gettext("Draw");
  // Translators: a button (verb): turn the waste over, so that it is the stock again.
  const redeals = gettext("Redeal");
  // Translators: a button (verb): go back to the start of the same deal.
  const restarts = gettext("Restart");
  const empty = game.stock.count === 0;
  const going = !isOver(game);
  render(
    [
      action("undo", "undo", gettext("Undo"), "U", going && game.can_undo, act.undo),
      action("restart", "restart", restarts, "", going && game.can_undo, act.restart),
      empty
        ? action("draw", "redeal", redeals, "R", canDo(game, "redeal"), act.redeal)
        : action("draw", "draw", draws, "D", canDo(game, "draw"), act.draw),
      action("new", "fresh", gettext("New deal"), "N", true, act.newDeal),
      action("more", "more", gettext("More"), "", true, act.more),
    ],
    root,
  );
}

function action(name, sign, label, key, possible, act) {
  return html`<button
    type="button"
    class="action ${name}"
    data-action=${name}
    aria-disabled=${!possible}
    aria-keyshortcuts=${key}
    @click=${act}
  >
    ${icon(sign)}<span>${label}</span><kbd aria-hidden="true">${key}</kbd>
  </button>`;
}
