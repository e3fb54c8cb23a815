// Who else plays this deal just now: in the corner that the pyramid leaves free, and one step to a
// race against them.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate } from "../i18n.js";
import { bar, nameOf, removedText } from "./seats.js";

export function drawCompany(root, store, act) {
  render(store.company.length ? company(store.company, act) : nothing, root);
}

function company(others, act) {
  const [first, ...more] = others.toSorted((one, other) => other.removed - one.removed);
  const race = gettext("Race");
  const title = gettext("They play this deal, too. Invite them to race on it.");
  const names = others.map((other) => `${nameOf(other)} ${removedText(other.removed)}`).join(", ");
  // Translators: for ears: who else plays the deal, and what the button does.
  const label = interpolate(gettext("Also on this deal now: %(names)s. Race on it"), { names });
  return html`<button type="button" class="company" data-action="race" title=${title} aria-label=${label} @click=${act.race}>
    <bdi>${nameOf(first)}</bdi> <b>${removedText(first.removed)}</b> ${bar(first.removed)}
    <span class="race">${race}</span> ${more.length ? html`<span class="more">+${more.length}</span>` : nothing}
  </button>`;
}
