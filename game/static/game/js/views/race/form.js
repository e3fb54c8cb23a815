// What a race is to be: it can be made at once, as it stands.

import { html, nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate, ngettext } from "../../i18n.js";
import { tiers } from "../../memory.js";
import { tierName, tierNote } from "../advice.js";
import { icon } from "../icons.js";

const most = 10;
const minutes = [1, 3, 5, 10, 15, 20, 30, 45, 60];

export function drawForm(root, store, act) {
  render([form(store, act), byCode(act)], root);
}

function form(store, act) {
  const { wish, error, busy } = store;
  const make = gettext("Create the race");
  const submit = (event) => {
    event.preventDefault();
    act.make();
  };
  return html`<form class="race-form" novalidate @submit=${submit}>
    ${ruleChoice(store, act)} ${dealChoice(wish, error, act)}
    <div class="pair">${seatChoice(wish, act)} ${limitChoice(wish, act)}</div>
    <p id="race-error" role="alert">${error}</p>
    <button type="submit" class="main big" aria-disabled=${Boolean(busy)}>${icon("race")}${make}</button>
  </form>`;
}

function ruleChoice({ rules, wish }, act) {
  const label = gettext("Rule set");
  const chosen = rules.find((record) => record.key === wish.rules);
  return html`<label class="field">
    <span>${label}</span>
    <select name="rules" aria-describedby="rules-summary" @change=${(event) => act.wish({ rules: event.target.value })}>
      ${
        rules.length
          ? rules.map(
              ({ key, name }) =>
                html`<option value=${key} ?selected=${key === wish.rules}>${name}</option>`,
            )
          : html`<option value=${wish.rules}>${wish.rules}</option>`
      }
    </select>
    <small id="rules-summary">${chosen?.summary ?? ""}</small>
  </label>`;
}

function dealChoice({ deal, number }, error, act) {
  const legend = gettext("Deal");
  const byNumber = gettext("By number");
  const label = gettext("Deal number");
  const option = (value, text) => html`<label>
    <input type="radio" name="deal" value=${value} aria-describedby="deal-note" .checked=${value === deal} />
    <span>${text}</span>
  </label>`;
  return html`<fieldset class="tiers" @change=${(event) => event.target.name === "deal" && act.wish({ deal: event.target.value })}>
    <legend>${legend}</legend>
    <div>${tiers.map((tier) => option(tier, tierName(tier)))} ${option("number", byNumber)}</div>
    ${
      deal === "number"
        ? html`<input name="number" class="entry" inputmode="numeric" autocomplete="off" aria-label=${label} placeholder=${label}
            aria-invalid=${Boolean(error)} aria-describedby="race-error" .value=${number}
            @input=${(event) => act.wish({ number: event.target.value })} />`
        : nothing
    }
    <p id="deal-note">${dealNote(deal)}</p>
  </fieldset>`;
}

function dealNote(deal) {
  if (deal === "number")
    return gettext("Friendly: everybody can look this deal up, so it counts in no record.");
  const secret = gettext("The deal is secret until the end, and the race counts in your record.");
  return `${tierNote(deal)} ${secret}`;
}

function seatChoice({ seats }, act) {
  const label = gettext("Players");
  const [fewer, more] = [gettext("One fewer"), gettext("One more")];
  const step = (by) => () => act.wish({ seats: Math.min(most, Math.max(2, seats + by)) });
  return html`<div class="field" role="group" aria-labelledby="seats-label">
    <span id="seats-label">${label}</span>
    <div class="stepper">
      <button type="button" aria-label=${fewer} aria-disabled=${seats <= 2} @click=${step(-1)}>−</button>
      <output aria-live="polite">${seats}</output>
      <button type="button" aria-label=${more} aria-disabled=${seats >= most} @click=${step(1)}>+</button>
    </div>
  </div>`;
}

function limitChoice({ minutes: chosen }, act) {
  const label = gettext("Time limit");
  return html`<label class="field">
    <span>${label}</span>
    <select name="limit" @change=${(event) => act.wish({ minutes: Number(event.target.value) })}>
      ${minutes.map(
        (count) => html`<option value=${count} ?selected=${count === chosen}>
          ${interpolate(ngettext("%(count)s minute", "%(count)s minutes", count), { count })}
        </option>`,
      )}
    </select>
  </label>`;
}

const sayWhat = ({ target }) => target.setCustomValidity(gettext("Type the code of a race."));
const sayNothing = ({ target }) => target.setCustomValidity("");

/** For whoever was told the code and not sent the link. */
function byCode(act) {
  const label = gettext("You have a code?");
  const go = gettext("Go to the race");
  const submit = (event) => {
    event.preventDefault();
    act.goTo(event.target.elements.code.value);
  };
  return html`<form class="by-code" @submit=${submit}>
    <label class="field"><span>${label}</span>
      <input id="code" name="code" class="entry" required pattern=".*\\S.*" @invalid=${sayWhat} @input=${sayNothing} autocomplete="off" autocapitalize="characters" spellcheck="false" /></label>
    <button type="submit">${go}</button>
  </form>`;
}
