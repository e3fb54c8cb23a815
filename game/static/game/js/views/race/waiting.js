// One's own race has ended, and others play on: over the board, which is out of reach now.

import { html, nothing } from "../../../../vendor/lit-html/lit-html.js";
import { clockText, gettext, interpolate } from "../../i18n.js";
import { ownSeat, rivals } from "../../store.js";
import { icon } from "../icons.js";
import { nameOf, progressList } from "../seats.js";
import { leftText } from "./watch.js";

export function waiting(store, act) {
  const cleared = store.game.status === "won";
  const still = rivals(store).filter((seat) => !seat.done);
  const fresh = gettext("New race");
  // Translators: a button (verb): look on while the others race.
  const watch = gettext("Watch");
  return html`<section class="own-end ${cleared ? "won" : ""}">
    <header>
      <h2 tabindex="-1">${cleared ? clearedText(store) : gettext("You have given up.")}</h2>
      <p>${playOnText(still)}</p>
      ${store.race.ends_at ? html`<p class="left">${leftText(store)}</p>` : nothing}
    </header>
    ${progressList(store, still)}
    <div class="choices">
      <button type="button" class="main" data-action="watch" @click=${act.watchRace}>${watch}</button>
      <a class="button" href="/race/">${icon("race")}${fresh}</a>
    </div>
  </section>`;
}

function clearedText(store) {
  const time = ownSeat(store)?.elapsed_ms ?? store.game.elapsed_ms;
  const text = gettext("You have cleared the deal in %(time)s.");
  return interpolate(text, { time: clockText(time) });
}

function playOnText(still) {
  return still.length === 1
    ? interpolate(gettext("%(name)s plays on."), { name: nameOf(still[0]) })
    : gettext("The others play on.");
}
