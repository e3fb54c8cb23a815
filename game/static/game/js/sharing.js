// What a player tells others of a daily: how far it went, and no card of it.

import { clockText, dateText, gettext, interpolate, ngettext } from "./i18n.js";
import { removedText } from "./views/seats.js";

const blocks = 7; // of four cards each

/** A few lines to be pasted anywhere. `rules`: the rule set's name; `date`: the day; `address`: of
 * the day's page; `players`: how many stand on its board; `closes_at`: when it is final. `result`: a
 * row of that, or the same of a game that is on none, which has no rank. */
export function shareText({ rules, date, address, ...board }, result) {
  // Translators: the first line of a text to be shared, such as "Pyramid daily · Classic · Dec 1, 2026".
  const title = gettext("Pyramid daily · %(rules)s · %(date)s");
  const lines = [
    interpolate(title, { rules, date: dateText(date) }),
    `${barText(result.removed)} ${scoreText(result)}`,
    result.rank ? rankText({ ...board, rank: result.rank }) : "",
    address,
  ];
  return lines.filter(Boolean).join("\n");
}

/** Until the board closes, others may still come in before. */
export function rankText({ rank, players, closes_at: end }) {
  if (Date.parse(end) <= Date.now())
    return interpolate(gettext("Rank %(rank)s of %(players)s"), { rank, players });
  // Translators: others may still play, such as "Rank 4 of 120 so far".
  return interpolate(gettext("Rank %(rank)s of %(players)s so far"), { rank, players });
}

function scoreText({ removed, elapsed_ms: time, moves, assisted }) {
  const made = interpolate(ngettext("%(count)s move", "%(count)s moves", moves), { count: moves });
  const hints = assisted ? gettext("with hints") : "";
  return [removedText(removed), clockText(time), made, hints].filter(Boolean).join(" · ");
}

function barText(removed) {
  const full = Math.floor((removed * blocks) / 28);
  return "▰".repeat(full) + "▱".repeat(blocks - full);
}
