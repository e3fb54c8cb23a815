// After the race: who has won, what all have come to, what they did side by side, the next one.

import { html, nothing } from "../../../../vendor/lit-html/lit-html.js";
import { clockText, gettext, interpolate } from "../../i18n.js";
import { isSeated, ownSeat } from "../../store.js";
import { icon } from "../icons.js";
import { nameOf, placesText, removedText } from "../seats.js";
import { kindText, titleText } from "./heading.js";
import { logs } from "./logs.js";

export function outcome(store, act) {
  const { race } = store;
  const own = ownSeat(store);
  const won = !race.draw && own?.place === 1;
  return html`<section class="outcome ${won ? "won" : ""}">
    <header>
      <h2 tabindex="-1">${verdict(race, own)}</h2>
      <p>${[titleText(race), kindText(store)].join(" · ")}</p>
    </header>
    ${wasRun(race) ? placements(race) : nothing} ${steps(store, act)}
    ${wasRun(race) && isSeated(store) ? logs(store, act) : nothing}
    ${race.seed && wasRun(race) ? seed(race, act) : nothing}
  </section>`;
}

function verdict(race, own) {
  if (!wasRun(race)) return gettext("This race was never started");
  if (race.draw) return own ? gettext("A draw") : gettext("The race ends in a draw");
  if (own?.place === 1) return gettext("You win!");
  if (!race.winner) return gettext("The race is over");
  return interpolate(gettext("%(name)s wins"), { name: race.winner });
}

/** A lobby that all have left, or forgotten, ends without a race. */
const wasRun = ({ starts_at: start }) => start !== null;

// Placements

function placements(race) {
  const label = gettext("Places");
  const seats = race.seats.toSorted((one, other) => one.place - other.place);
  return html`<div>
    <ol class="places" aria-label=${label}>
      ${seats.map((seat) => placed(seat, seat.seat === race.me))}
    </ol>
    <p class="note">${placesText()}</p>
  </div>`;
}

function placed(seat, own) {
  const notes = [own ? gettext("you") : "", endText(seat), bestText(seat)].filter(Boolean).join(" · ");
  const time = seat.elapsed_ms === null ? "–" : clockText(seat.elapsed_ms);
  return html`<li class=${own ? "own" : ""} value=${seat.place} data-seat=${seat.seat}>
    <b class="place">${seat.place}</b>
    <p class="player"><bdi>${nameOf(seat)}</bdi> <small>${notes}</small></p>
    <dl>
      ${fact("removed", gettext("Removed"), removedText(seat.best_removed))}
      ${fact("time", gettext("Time"), time)} ${fact("moves", gettext("Moves"), seat.moves)}
      ${fact("undos", gettext("Undos"), seat.undos)}
    </dl>
  </li>`;
}

const fact = (name, label, value) =>
  html`<div><dt>${label}</dt><dd data-fact=${name}>${value}</dd></div>`;

function endText({ cleared, done }) {
  if (cleared) return gettext("Cleared");
  return done ? gettext("Gave up") : "";
}

/** What decides between those who have not cleared. */
function bestText({ cleared, best_removed: best, best_ms: time }) {
  if (cleared || !best) return "";
  // Translators: the most cards that a player had removed at any moment of a race, and when that
  // was: "at most 5/28, at 1:12".
  const text = gettext("at most %(removed)s, at %(time)s");
  return interpolate(text, { removed: removedText(best), time: clockText(time) });
}

// What comes next

function steps(store, act) {
  const { race } = store;
  const [again, join, look] = [
    gettext("Rematch"),
    gettext("Join the rematch"),
    gettext("Analysis"),
  ];
  const other = gettext("New race");
  const wanted = race.rematch !== null;
  const raced = wasRun(race) && isSeated(store);
  return html`<div class="steps">
    ${wanted ? html`<p aria-live="polite">${wantedText(race)}</p>` : nothing}
    <div class="choices">
      ${
        raced
          ? html`<button type="button" class="main big" data-action="rematch" @click=${act.rematch}>${icon("race")}${wanted ? join : again}</button>`
          : nothing
      }
      ${wanted && !isSeated(store) ? html`<a class="button main" href="/race/${race.rematch}">${gettext("Go to the rematch")}</a>` : nothing}
      ${
        raced && store.game
          ? html`<button type="button" data-action="analyse" @click=${act.analyse}>${icon("graph")}${look}</button>`
          : nothing
      }
      <a class="button" href="/race/">${other}</a>
    </div>
  </div>`;
}

function wantedText({ rematch_by: name }) {
  return name
    ? interpolate(gettext("%(name)s wants a rematch."), { name })
    : gettext("A rematch is wanted.");
}

// The seed

function seed({ seed, attempt }, act) {
  const title = gettext("Verify the deal");
  const text = gettext(
    "It was shuffled from this secret seed, fixed before the first card was seen. Anybody can deal it again:",
  );
  const copy = gettext("Copy");
  const command = `.venv/bin/python -m solver deal --seed ${seed} --try ${attempt ?? 0}`;
  return html`<details class="seed">
    <summary>${title}</summary>
    <p>${text}</p>
    <p class="command"><code>${command}</code>
      <button type="button" @click=${() => act.copyText(command)}>${copy}</button></p>
  </details>`;
}
