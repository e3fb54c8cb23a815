// The seconds to the start, over the cards that are still face down.

import { html, nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { gettext } from "../../i18n.js";
import { until } from "../../store.js";

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

export function drawCountdown(root, store) {
  render(store.race.status === "countdown" ? countdown(store) : nothing, root);
}

function countdown(store) {
  const left = Math.ceil(until(store, store.race.starts_at) / 1000);
  const text = left > 0 ? String(left) : gettext("Go!");
  return html`<p class="count" data-left=${Math.max(left, 0)}>${text}</p>`;
}
