// Those who race, and how far each has come.

import { html, nothing, svg } from "../../../vendor/lit-html/lit-html.js";
import { clockText, gettext, interpolate } from "../i18n.js";
import { settingsOf } from "../store.js";
import { icon } from "./icons.js";

const all = 28;

/** The share of the pyramid that is gone. It is drawn only: the number stands beside it. */
export function bar(removed) {
  return html`<svg class="progress" viewBox="0 0 ${all} 1" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect width=${removed} height="1" />`}
  </svg>`;
}

/** A player's name; that of one whose account is deleted is not known any more. */
export const nameOf = ({ player }) => player ?? gettext("Somebody");

export const removedText = (removed) => interpolate(gettext("%(removed)s/%(all)s"), { removed, all });

export const placesText = () =>
  gettext(
    "First come those who clear the deal, the fastest first. Then it counts how many cards one had removed at most, and how soon.",
  );

/** How it stands with a seat while the race runs: a name for looks, and words. */
export function stateOf({ cleared, done, connected, elapsed_ms: time }) {
  if (cleared) {
    // Translators: a player has removed the whole pyramid, such as "Cleared in 3:21".
    const text = interpolate(gettext("Cleared in %(time)s"), { time: clockText(time ?? 0) });
    return { look: "cleared", sign: "check", text };
  }
  if (done) return { look: "gave-up", sign: "flag", text: gettext("Gave up") };
  if (!connected) return { look: "away", sign: "moon", text: gettext("Away") };
  return { look: "playing", sign: null, text: gettext("Playing") };
}

/** How far each of the seats has come. Whoever has hidden the others sees only who is there. */
export function progressList(store, seats) {
  const label = gettext("The others");
  const hidden = settingsOf(store).hide_opponent === true;
  return html`<ul class="rivals ${hidden ? "hidden" : ""}" data-count=${Math.min(seats.length, 4)}
    tabindex="0" aria-label=${label}>
    ${seats.map((seat) => progress(seat, hidden))}
  </ul>`;
}

function progress(seat, hidden) {
  const { look, sign, text } = stateOf(seat);
  return html`<li class="rival ${look}" data-seat=${seat.seat}>
    <bdi class="name" title=${nameOf(seat)}>${nameOf(seat)}</bdi>
    ${hidden ? nothing : count(seat)}
    <span class="state" title=${text}>${sign ? icon(sign) : nothing}<span>${text}</span></span>
  </li>`;
}

function count({ removed, pass }) {
  const passes = interpolate(gettext("Pass %(pass)s"), { pass });
  return html`<b class="count" data-count="removed">${removedText(removed)}</b>
    <small class="pass" title=${passes}>${icon("redeal")}<span class="unseen">${passes}</span><span aria-hidden="true">${pass}</span></small>
    ${bar(removed)}`;
}
