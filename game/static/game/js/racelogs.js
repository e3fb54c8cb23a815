// The logs of a race that is over, one for each seat whose game may be looked at.

import { Problem, Unreachable } from "./api.js";
import { gettext } from "./i18n.js";
import { logOf } from "./lookback.js";

/** Loads them into the store; each entry says how long after the start it was, in `after_ms`. */
export async function loadLogs(store) {
  const { seats, starts_at: start } = store.race;
  store.set({ logs: [] });
  try {
    const logs = await Promise.all(
      seats.filter((seat) => seat.game).map((seat) => logOfSeat(seat, Date.parse(start))),
    );
    store.set({ logs });
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
    store.set({ logs: { error: error.message || gettext("No answer from the server.") } });
  }
}

async function logOfSeat(seat, start) {
  const entries = await logOf(seat.game);
  return {
    seat: seat.seat,
    entries: entries.map((entry) => ({ ...entry, after_ms: Date.parse(entry.at) - start })),
  };
}
