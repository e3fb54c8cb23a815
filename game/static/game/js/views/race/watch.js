// The race as those see it who have no seat in it, or whose own race has ended.

import { html, nothing } from "../../../../vendor/lit-html/lit-html.js";
import { clockText, gettext, interpolate } from "../../i18n.js";
import { isSeated, until } from "../../store.js";
import { icon } from "../icons.js";
import { progressList } from "../seats.js";
import { kindText, titleText } from "./heading.js";

export function watch(store) {
  const { race } = store;
  const fresh = gettext("New race");
  const note = gettext("You are watching. The cards are shown to nobody but their players.");
  const seats = race.seats.toSorted((one, other) => other.removed - one.removed);
  return html`<section class="watch">
    <header>
      <h2>${titleText(race)}</h2>
      <p>${kindText(store)}</p>
      ${race.ends_at ? html`<p class="left">${leftText(store)}</p>` : nothing}
    </header>
    ${progressList({ ...store, player: {} }, seats)}
    <p class="note">${note}</p>
    ${isSeated(store) ? html`<div class="choices"><a class="button" href="/race/">${icon("race")}${fresh}</a></div>` : nothing}
  </section>`;
}

export const leftText = (store) =>
  interpolate(gettext("%(time)s left"), { time: clockText(until(store, store.race.ends_at)) });
