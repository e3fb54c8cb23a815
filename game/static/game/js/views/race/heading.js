// What is raced on, in the page's header and wherever it is said whole.

import { html, render } from "../../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate } from "../../i18n.js";
import { tierName } from "../advice.js";
import { rulesName } from "../heading.js";
import { icon } from "../icons.js";

export function drawRaceHeading(root, store, act) {
  const copy = gettext("Copy link");
  render(
    html`<div class="deal">
        <span><small>${kindText(store)}</small><b>${titleText(store.race)}</b></span>
      </div>
      <button type="button" class="tool" title=${copy} aria-label=${copy} @click=${act.copyLink}>
        ${icon("link")}
      </button>`,
    root,
  );
}

export const titleText = ({ number }) =>
  number === null
    ? gettext("Race")
    : interpolate(gettext("Race on deal %(number)s"), { number });

/** "Classic · Easy": the rule set, and the tier that has dealt. */
export const kindText = (store) =>
  [rulesName(store, store.race.rules), tierName(store.race.tier)].filter(Boolean).join(" · ");
