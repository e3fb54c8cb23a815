// What the players did, side by side: a column for each, and the seconds going down.

import { html, nothing } from "../../../../vendor/lit-html/lit-html.js";
import { clockText, gettext } from "../../i18n.js";
import { moveChips } from "../moves.js";
import { nameOf } from "../seats.js";

export function logs(store, act) {
  const title = gettext("Side by side");
  return html`<details class="logs" open>
    <summary>${title}</summary>
    ${content(store, act)}
  </details>`;
}

function content({ logs, race }, act) {
  if (logs?.error) {
    const again = gettext("Try again");
    return html`<p role="alert">${logs.error}</p>
      <button type="button" @click=${act.loadLogs}>${again}</button>`;
  }
  if (!logs?.length) return html`<p aria-live="polite">${gettext("Fetching the moves…")}</p>`;
  const columns = logs.map((log) => log.seat);
  const time = gettext("Time");
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${gettext("Side by side")}>
    <table>
      <thead>
        <tr>
          <th scope="col">${time}</th>
          ${columns.map((number) => html`<th scope="col">${heading(race, number)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${seconds(logs).map(([second, cells]) => row(second, columns, cells))}
      </tbody>
    </table>
  </div>`;
}

const heading = (race, number) =>
  html`<bdi>${nameOf(race.seats.find((seat) => seat.seat === number) ?? {})}</bdi>`;

/** The entries by the second in which they were made, and in it by seat: those seconds alone in
 * which somebody did something. */
function seconds(logs) {
  const rows = new Map();
  for (const { seat, entries } of logs) {
    for (const entry of entries) {
      const second = Math.max(0, Math.floor(entry.after_ms / 1000));
      const cells = rows.get(second) ?? new Map();
      cells.set(seat, [...(cells.get(seat) ?? []), entry]);
      rows.set(second, cells);
    }
  }
  return [...rows].toSorted(([one], [other]) => one - other);
}

function row(second, columns, cells) {
  return html`<tr>
    <th scope="row">${clockText(second * 1000)}</th>
    ${columns.map((seat) => html`<td>${cells.get(seat)?.map(entryText) ?? nothing}</td>`)}
  </tr>`;
}

function entryText(entry) {
  if (entry.type === "move") return html`<span class="made">${moveChips(entry)}</span>`;
  const texts = {
    undo: gettext("Undo"),
    rewind: gettext("Rewind"),
    restart: gettext("Restart"),
    resign: gettext("Gave up"),
    close: gettext("Time is up"),
  };
  return texts[entry.type] ? html`<span class="made aside">${texts[entry.type]}</span>` : nothing;
}
