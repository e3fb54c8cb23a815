// What deal this is (in the page's header), and how far the game has come.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { clockText, dayText, gettext, interpolate } from "../i18n.js";
import { elapsed, isDaily, until } from "../store.js";
import { labelText, parText, tierName } from "./advice.js";
import { icon } from "./icons.js";

export function dealName(game) {
  // Translators: the deal of a day, such as "Daily · Dec 1".
  if (game.daily) return interpolate(gettext("Daily · %(day)s"), { day: dayText(game.daily) });
  // Translators: one shuffle of the cards (noun), where it has no number to show.
  if (game.number === null) return gettext("Deal");
  // Translators: a deal's number, such as "Deal 7".
  return interpolate(gettext("Deal %(number)s"), { number: game.number });
}

export function rulesName(store, key) {
  return store.rules.find((rules) => rules.key === key)?.name ?? key;
}

export function drawHeading(root, store, act) {
  const shown = store.game ?? store.closed?.day;
  if (!shown) return;
  // Every daily can be won: a label would tell nothing, and take the room of the day.
  const label = shown.daily ? null : (store.game.label ?? store.deal?.label);
  const choose = gettext("Choose a deal");
  const copy = gettext("Copy link");
  render(
    html`<button type="button" class="deal" title=${choose} @click=${act.chooseDeal}>
        <span>
          <small>${store.game ? kindText(store) : rulesName(store, shown.rules)}</small>
          <b>${dealName(shown)}</b>
        </span>
        ${label ? html`<span class="label ${label}" data-label=${label}>${labelText(label)}</span>` : nothing}
        ${icon("open")}
      </button>
      <button type="button" class="tool" title=${copy} aria-label=${copy} @click=${act.copyLink}>
        ${icon("link")}
      </button>`,
    root,
  );
}

/** "Classic · Easy": the rule set, the tier if one has dealt, and what the game counts for. */
export function kindText(store) {
  const { rules, tier } = store.game;
  return [rulesName(store, rules), tierName(tier), countsText(store.game)]
    .filter(Boolean)
    .join(" · ");
}

function countsText({ kind, counted }) {
  // Translators: a daily game: whether it comes to stand on the day's board.
  if (kind === "daily") return counted ? gettext("Ranked") : gettext("Unranked");
  // Translators: a game (noun) that counts for no record.
  return kind === "casual" && !counted ? gettext("Practice") : "";
}

/** How many cards are gone of those that must go. */
function progress(game, goal) {
  if (goal !== "all") return { removed: game.removed, all: 28 };
  const left = 28 - game.removed + game.stock.count + game.waste.count;
  return { removed: 52 - left, all: 52 };
}

export function drawStats(root, store) {
  const { game } = store;
  if (!game) return render(nothing, root);
  const record = store.rules.find((rules) => rules.key === game.rules);
  const of = { ...progress(game, record?.goal), pass: game.pass, passes: game.passes };
  // Translators: "4/28", cards removed of all cards of the pyramid.
  const removed = interpolate(gettext("%(removed)s/%(all)s"), of);
  // Translators: "1/3", the pass of all passes.
  const pass = interpolate(gettext("%(pass)s/%(passes)s"), of);
  // Translators: a label (noun): how often the stock has been gone through.
  const passes = gettext("Pass");
  const summary = record?.summary;
  const par = store.deal?.par ?? null;
  render(
    html`<dl>
        ${stat("removed", gettext("Removed"), removed)} ${stat("pass", passes, pass)}
        ${stat("stock", gettext("Stock"), game.stock.count)} ${stat("moves", gettext("Moves"), game.moves)}
        ${par === null ? nothing : stat("par", parText(), par)}
        ${isDaily(game) ? stat("hints", hintsText(), game.hints) : nothing}
        ${store.race ? timeLeft(store) : stat("time", gettext("Time"), clockText(elapsed(store)))}
      </dl>
      ${summary ? html`<p class="summary">${summary}</p>` : nothing}`,
    root,
  );
}

// Translators: a label (noun): how many hints were taken. It has little room: ten letters at most.
export const hintsText = () => gettext("Hints");

/** In a race what is left of the time counts, and it is short in the end. */
function timeLeft(store) {
  const left = store.race.ends_at ? until(store, store.race.ends_at) : store.race.time_limit_ms;
  const look = left < 60000 ? "short" : "";
  return html`<div class="stat ${look}"><dt>${gettext("Time left")}</dt><dd data-stat="left">${clockText(left)}</dd></div>`;
}

function stat(name, label, value) {
  return html`<div class="stat"><dt>${label}</dt><dd data-stat=${name}>${value}</dd></div>`;
}
