// The card that stands on the table when a game has ended.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { clockText, gettext, interpolate, ngettext, percentText } from "../i18n.js";
import { entrance, placeOf } from "../links.js";
import { canAnalyse, canDealAgain, countedOf, isDaily, isOver, ownerOf } from "../store.js";
import { parText } from "./advice.js";
import { countingText, dailyChoices, dailyNotes } from "./daily.js";
import { hintsText, kindText } from "./heading.js";
import { ownerText } from "./strip.js";

export function drawResult(root, store, act) {
  const { game } = store;
  const shown = game && isOver(game) && store.resultSeen !== game.id;
  render(shown ? result(store, act) : nothing, root);
}

function result(store, act) {
  const { game } = store;
  const owner = ownerOf(store);
  const won = game.status === "won";
  const title = won ? gettext("Deal cleared") : gettext("Game over");
  const look = gettext("Look at the cards");
  return html`<section class="result ${game.status}" aria-labelledby="result-title">
    <h2 id="result-title">${title}</h2>
    ${facts(store)}
    ${notes(store, owner)}
    ${isRecorded(game) && !owner ? record(store) : nothing}
    <div class="choices">
      ${owner ? choicesAt(game, act) : isDaily(game) ? dailyChoices(store, act) : choices(game, act)}
      ${isInvited(store) ? invitation(game) : nothing}
      <button type="button" class="quiet" @click=${act.seeResult}>${look}</button>
    </div>
  </section>`;
}

function facts({ game, deal }) {
  const par = deal?.par ?? null;
  const counted = isDaily(game) ? countedOf(game) : game;
  const { elapsed_ms: time, moves, undos, removed, hints } = counted;
  return html`<dl>
    ${fact(gettext("Time"), clockText(time))} ${fact(gettext("Moves"), moves)}
    ${par === null ? nothing : fact(parText(), par)}
    ${fact(gettext("Undos"), undos)}${game.status === "won" ? nothing : fact(gettext("Removed"), removed)}
    ${isDaily(game) ? fact(hintsText(), hints) : nothing}
  </dl>`;
}

function notes(store, owner) {
  const { game } = store;
  if (owner) return html`<p>${ownerText(game, owner)} ${isDaily(game) ? countingText(game) : nothing}</p>`;
  return isDaily(game) ? dailyNotes(store) : html`<p>${noteOn(game)}</p>`;
}

function choices(game, act) {
  const again = gettext("Same deal again");
  const fresh = gettext("New deal");
  const analyse = analyseText(game);
  return html`<button type="button" class="main" @click=${act.newDeal}>${fresh}</button>
    ${canDealAgain(game) ? html`<button type="button" @click=${act.again}>${again}</button>` : nothing}
    ${
      canAnalyse(game)
        ? html`<button type="button" data-action="analyse" @click=${act.analyse}>${analyse}</button>`
        : nothing
    }
    ${game.number === null ? nothing : raceChoice(game)}`;
}

/** The same deal is a new one to a friend. */
function raceChoice(game) {
  const text = gettext("Race on this deal");
  return html`<a class="button" data-action="race-deal" href=${raceLink(game)}>${text}</a>`;
}

/** To the page where a race is made, with the rule set and the deal of a game. `as`: "number" chooses
 * the deal there, "deal" only offers it. */
export function raceLink({ rules, number = null }, as = "number") {
  const wish = number === null ? { rules } : { rules, [as]: number };
  return `/race/?${new URLSearchParams(wish)}`;
}

/** At somebody else's game: its deal is there for all, where it has a number. */
function choicesAt(game, act) {
  const play = gettext("Play this deal");
  const fresh = gettext("New deal");
  return html`${
      canDealAgain(game)
        ? html`<button type="button" class="main" @click=${act.again}>${play}</button>`
        : nothing
    }
    <button type="button" @click=${act.newDeal}>${fresh}</button>`;
}

/** A guest who has something to keep, a win or a game that counts, or who was on no board. */
function isInvited(store) {
  const { game, player } = store;
  const misses = game.status === "won" || isRecorded(game) || isDaily(game);
  return player.is_guest && !ownerOf(store) && misses;
}

/** The question that the analysis answers. */
export const analyseText = (game) =>
  game.status === "won" ? gettext("Analysis") : gettext("Where was it lost?");

/** Whether the game went into its player's record: the result then says how that stands. */
const isRecorded = ({ result }) => (result?.played ?? null) !== null;

function noteOn(game) {
  if (!game.counted) return gettext("This was practice: it counts for no record.");
  if (!isRecorded(game)) return gettext("Without a move it counts for no record.");
  return game.status === "won" ? streakText(game.result) : endedText(game.result);
}

function streakText({ streak_after: count, best_streak: best }) {
  const text =
    count < best
      ? ngettext(
          "%(count)s win in a row; your best is %(best)s.",
          "%(count)s wins in a row; your best is %(best)s.",
          count,
        )
      : ngettext("%(count)s win in a row, your best.", "%(count)s wins in a row, your best.", count);
  return interpolate(text, { count, best });
}

function endedText({ streak_before: count }) {
  if (!count) return gettext("It counts as lost.");
  const text = ngettext(
    "It counts as lost: your streak of %(count)s win has ended.",
    "It counts as lost: your streak of %(count)s wins has ended.",
    count,
  );
  return interpolate(text, { count });
}

/** How the player stands in the rule set and tier of this game. */
function record(store) {
  const { played, won_games: won, win_rate: rate, win_rate_before: before } = store.game.result;
  // Translators: how many games of all have been won, such as "3 of 4".
  const share = interpolate(gettext("%(won)s of %(played)s"), { won, played });
  // Translators: a label: how many games have been won.
  const wins = gettext("Won");
  const change = before === null ? nothing : html`<small>${percentText(before)} →</small> `;
  return html`<section class="record" aria-label=${kindText(store)}>
    <h3>${kindText(store)}</h3>
    <dl>
      ${fact(gettext("Win rate"), html`${change}${percentText(rate)}`)}
      ${fact(wins, share)}
    </dl>
  </section>`;
}

function invitation(game) {
  const text = isDaily(game)
    ? gettext("Register to be on the next board")
    : gettext("Register to keep your games");
  return html`<a class="invitation" href=${entrance("signup", placeOf(game))}>${text}</a>`;
}

function fact(label, value) {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
