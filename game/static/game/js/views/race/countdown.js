// The seconds to the start, over the cards that are still face down, and the ways out.

import { html, nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { gettext } from "../../i18n.js";
import { isSeated, until } from "../../store.js";

/** A deal of which nothing is to be seen yet, for the table to draw. */
export const faceDown = {
  id: null,
  pyramid: Array.from({ length: 7 }, (_, row) => Array(row + 1).fill("??")),
  stock: { count: 24, top: null },
  waste: { count: 0, top: null },
  removed: 0,
  moves: 0,
  pass: 1,
  passes: 1,
  legal: [],
  locked: [],
};

export function drawCountdown(root, store, act) {
  render(store.race.status === "countdown" ? countdown(store, act) : nothing, root);
}

function countdown(store, act) {
  const left = Math.ceil(until(store, store.race.starts_at) / 1000);
  const text = left > 0 ? String(left) : gettext("Go!");
  return html`<p class="count" data-left=${Math.max(left, 0)}>${text}</p>
    ${isSeated(store) ? waysOut(act) : nothing}`;
}

function waysOut(act) {
  const [unready, leave] = [gettext("Not ready after all"), gettext("Leave the race")];
  return html`<div class="choices" aria-live="off">
    <button type="button" data-action="unready" @click=${() => act.ready(false)}>${unready}</button>
    <button type="button" data-action="leave" @click=${act.leave}>${leave}</button>
  </div>`;
}
