// Who else plays this deal just now: in the corner that the pyramid leaves free.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate, ngettext } from "../i18n.js";
import { bar, nameOf } from "./seats.js";

const shown = 2;

export function drawCompany(root, store, act) {
  render(store.company.length ? company(store.company, act) : nothing, root);
}

function company(others, act) {
  const label = gettext("Also on this deal now");
  const race = gettext("Race");
  const title = gettext("Race on this deal: everybody on it is invited");
  const first = others.toSorted((one, other) => other.removed - one.removed).slice(0, shown);
  return html`<section class="company" aria-label=${label}>
    <ul>
      ${first.map(
        (other) => html`<li>
          <bdi>${nameOf(other)}</bdi> <span>${other.removed}</span>
          ${bar(other.removed)}
        </li>`,
      )}
    </ul>
    ${others.length > shown ? html`<p>${moreText(others.length - shown)}</p>` : nothing}
    <button type="button" data-action="race" title=${title} @click=${act.race}>${race}</button>
  </section>`;
}

function moreText(count) {
  return interpolate(ngettext("%(count)s more", "%(count)s more", count), { count });
}
