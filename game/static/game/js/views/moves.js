// A move that has been made, as cards and in words.

import { html } from "../../../vendor/lit-html/lit-html.js";
import { allOf, gettext, interpolate, shortName, spokenName } from "../i18n.js";

export function moveChips(move) {
  if (move.action !== "remove") return html`<span class="chip pile-move">${moveName(move)}</span>`;
  return move.cards.map(
    (card) => html`<span class="chip card-chip suit-${card[1].toLowerCase()}" aria-hidden="true">${shortName(card)}</span
      ><span class="unseen">${spokenName(card)}</span>`,
  );
}

export function moveName({ action, cards, times = 1 }) {
  if (action === "remove") return allOf(cards.map(shortName));
  if (action === "redeal") return gettext("Redeal");
  if (times === 1) return gettext("Draw");
  return interpolate(gettext("Draw × %(times)s"), { times });
}
