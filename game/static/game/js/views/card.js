// A card's face and back. Everything that tells cards apart stands in the upper part, which
// stays in sight when the card is covered from below.

import { html, svg, nothing } from "../../../vendor/lit-html/lit-html.js";
import { rankText } from "../i18n.js";

const suits = {
  C: "M50 4a22 22 0 0 1 16.4 36.6A22 22 0 1 1 55 69.5C56 81 60 89 68 96H32c8-7 12-15 13-26.5A22 22 0 1 1 33.6 40.6 22 22 0 0 1 50 4Z",
  D: "M50 2C59 20 71 36 88 50 71 64 59 80 50 98 41 80 29 64 12 50 29 36 41 20 50 2Z",
  H: "M50 94C19 69 5 51 5 32 5 17 16 7 29 7c9 0 17 5 21 15C54 12 62 7 71 7c13 0 24 10 24 25 0 19-14 37-45 62Z",
  S: "M50 3C61 24 93 40 93 64c0 13-9 21-20 21-8 0-14-4-18-10 1 9 5 16 12 22H33c7-6 11-13 12-22-4 6-10 10-18 10C16 85 7 77 7 64 7 40 39 24 50 3Z",
};

// Head-dresses of the court, on a field of 100 by 80.
const courts = {
  J: svg`<path d="M21 54c0-22 10-36 30-37 20 1 29 15 29 37-20-9-39-9-59 0Z" />
    <path d="M2 64c30-17 66-17 96 0-8 8-26 13-48 13S10 72 2 64Z" /><path d="M68 38C70 16 80 4 99 0c2 18-6 33-23 43Z" class="trim" />`,
  Q: svg`<path d="M10 62 4 26c8 8 15 9 22 4 4-4 6-9 7-15 5 9 10 13 17 13s12-4 17-13c1 6 3 11 7 15 7 5 14 4 22-4l-6 36Z" />
    <path d="M10 66h80v11H10Z" class="trim" /><circle cx="50" cy="14" r="9" class="trim" />
    <circle cx="33" cy="11" r="6" /><circle cx="67" cy="11" r="6" /><circle cx="5" cy="20" r="6" /><circle cx="95" cy="20" r="6" />`,
  K: svg`<path d="M12 62 4 22l24 18 22-22 22 22 24-18-8 40Z" /><path d="M12 66h76v11H12Z" class="trim" />
    <path d="M46 0h8v6h7v7h-7v9h-8v-9h-7V6h7Z" class="trim" /><circle cx="4" cy="19" r="5" /><circle cx="96" cy="19" r="5" />`,
};

const values = { A: 1, J: 11, Q: 12, K: 13 };

export function face(card) {
  const [rank, suit] = card;
  return html`<svg class="face suit-${suit.toLowerCase()}" viewBox="0 0 100 140" aria-hidden="true">
    <text x="8" y="46" class=${rank === "T" ? "rank ten" : "rank"}>${rankText(card)}</text>
    <path d=${suits[suit]} transform="translate(64 9) scale(.27)" />
    ${values[rank] ? svg`<text x="77.5" y="55.5" class="value">${values[rank]}</text>` : nothing}
    ${courts[rank] ? court(rank, suit) : svg`<path d=${suits[suit]} class="pip" transform="translate(24 74) scale(.52)" />`}
  </svg>`;
}

function court(rank, suit) {
  return svg`<g class="pip" transform="translate(21 74) scale(.58)">${courts[rank]}</g>
    <path d=${suits[suit]} class="pip" transform="translate(43 121) scale(.14)" />`;
}

export const back = html`<svg class="back" viewBox="0 0 100 140" aria-hidden="true">
  <rect x="7" y="7" width="86" height="126" rx="5" class="field" />
  <path d="M50 42 74 84H26Z" class="mark" /><path d="M50 61 57 73H43Z" class="field" />
</svg>`;

export const hintSign = html`<svg class="bulb" viewBox="0 0 24 24" aria-hidden="true">
  <circle cx="12" cy="12" r="11.5" /><path d="M9.6 17.2h4.8v1.6H9.6Zm0-1.2c0-2-2.4-2.8-2.4-6a4.8 4.8 0 0 1 9.6 0c0 3.2-2.4 4-2.4 6Z" />
</svg>`;

export const lockSign = html`<svg class="lock" viewBox="0 0 24 24" aria-hidden="true">
  <circle cx="12" cy="12" r="11.5" /><path d="M8.5 11V9a3.5 3.5 0 0 1 7 0v2h1v6h-9v-6Zm1.8 0h3.4V9a1.7 1.7 0 0 0-3.4 0Z" />
</svg>`;
