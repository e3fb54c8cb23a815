// What is peculiar to a daily at the table: the question before it starts, and its result.

import { html, nothing } from "../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate, momentText } from "../i18n.js";
import { canShare, entrance, pageOf } from "../links.js";
import { rankText, shareText } from "../sharing.js";
import { canAnalyse, canDealAgain, isOpen } from "../store.js";
import { rulesName } from "./heading.js";

// Before it starts

/** Everything that holds for the game, before the clock runs; and whether it will be ranked. */
export function dayQuestion({ player, busy }, act) {
  const ranked = player.is_guest === false;
  const starts = ranked ? gettext("Start the clock") : gettext("Play unranked");
  const cancel = gettext("Not now");
  return html`<div class="question" tabindex="-1" autofocus>
      ${dailyTerms()} ${ranked ? nothing : unrankedNote()}
    </div>
    <div class="choices">
      <button type="button" class=${ranked ? "main" : ""} data-answer="yes" ?disabled=${busy} @click=${act.beginDay}>${starts}</button>
      <button type="button" data-answer="no" @click=${act.closeDialog}>${cancel}</button>
    </div>`;
}

export function dailyTerms() {
  const terms = [
    [gettext("One game"), gettext("Everybody gets the same deal, and one game of it.")],
    [
      gettext("The clock never stops"),
      gettext("It starts with the deal and goes on, also while this page is hidden or closed."),
    ],
    [
      gettext("Hints count"),
      gettext("With one you come behind those who removed as many cards without."),
    ],
    [
      gettext("No checks"),
      gettext("The deal can be won, but nobody is told whether it still can. Undo is free."),
    ],
  ];
  return html`<dl class="advice terms">
    ${terms.map(([name, does]) => html`<div><dt>${name}</dt><dd>${does}</dd></div>`)}
  </dl>`;
}

function unrankedNote() {
  const text = gettext(
    "Without an account your game will not be ranked, even if you register later.",
  );
  const next = location.pathname;
  const [register, logIn] = [gettext("Register"), gettext("Log in")];
  return html`<section class="unranked">
    <p>${text}</p>
    <div class="choices">
      <a class="button main" href=${entrance("signup", next)}>${register}</a>
      <a class="button" href=${entrance("login", next)}>${logIn}</a>
    </div>
  </section>`;
}

// Its result

/** Where the player stands, or why nowhere; and when the deal is no secret any more. */
export function dailyNotes(store) {
  const { game } = store;
  const rank = rankOf(store);
  const notes = [rank ? "" : unrankedText(game), countingText(game), closingText(game)];
  return html`${rank ? html`<p class="standing">${rankText(rank)}</p>` : nothing}
    <p>${notes.filter(Boolean).join(" ")}</p>`;
}

/** As the board is now, where that is known; else as it was when the game ended. */
function rankOf({ game, standing }) {
  const { rank, players } = standing ?? game.result;
  return rank ? { rank, players, closes_at: game.closes_at } : null;
}

/** Why the numbers beside it are not those of the end. */
export const countingText = ({ result, ...end }) =>
  result.best && ["elapsed_ms", "moves", "undos"].some((name) => result.best[name] !== end[name])
    ? gettext("The board counts until the moment with the most cards removed.")
    : "";

function unrankedText(game) {
  if (!game.counted) return gettext("This game was unranked: it is on no board.");
  return game.moves ? "" : gettext("Without a move it is on no board.");
}

function closingText(game) {
  if (isOpen(game)) return "";
  const text = gettext("Analysis from %(time)s on, when the day is closed.");
  return interpolate(text, { time: momentText(game.closes_at) });
}

export function dailyChoices(store, act) {
  const { game } = store;
  const board = gettext("See the board");
  const fresh = gettext("New deal");
  const analyse = gettext("Analysis");
  const practice = gettext("Play for practice");
  return html`<a class="button main wide" data-action="board" href=${pageOf(game)}>${board}</a>
    ${shareChoice(store, act)}
    <button type="button" @click=${act.newDeal}>${fresh}</button>
    ${
      canAnalyse(game)
        ? html`<button type="button" data-action="analyse" @click=${act.analyse}>${analyse}</button>`
        : nothing
    }
    ${
      canDealAgain(game)
        ? html`<button type="button" data-action="practice" @click=${act.again}>${practice}</button>`
        : nothing
    }`;
}

function shareChoice(store, act) {
  const row = store.standing?.rank ? store.standing : unrankedRow(store.game);
  if (!row) return nothing;
  const text = () => sharedText(store, row);
  const label = gettext("Share");
  const share = () => (canShare() ? act.shareWords(text()) : act.copyText(text()));
  return html`<button type="button" data-action="share" @click=${share}>${label}</button>`;
}

/** Of an unranked game what a board would show; nothing of one without a move, or that waits for
 * the board's answer. */
function unrankedRow({ counted, result: { best } }) {
  return counted || !best ? null : { ...best, rank: null, assisted: best.hints > 0 };
}

function sharedText(store, row) {
  const { game } = store;
  const day = {
    rules: rulesName(store, game.rules),
    date: game.daily,
    address: location.origin + pageOf(game),
    players: row.players,
    closes_at: game.closes_at,
  };
  return shareText(day, row);
}
