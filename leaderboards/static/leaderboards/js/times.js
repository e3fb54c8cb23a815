// The hours of a day are told in UTC, and by the reader's own clock beside it: both of 24 hours.

import { gettext, interpolate } from "../../game/js/i18n.js";

const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const hourOfDay = { day: "numeric", month: "short", ...hour };

/** " (09:00 your time)": what the reader's clock shows at a moment, where that is not UTC. With the
 * day, where that need not be today or tomorrow. */
export function localTime(at, { withDay = false } = {}) {
  if (new Date(at).getTimezoneOffset() === 0) return [];
  const language = document.documentElement.lang;
  const format = new Intl.DateTimeFormat(language, withDay ? hourOfDay : hour);
  const local = document.createElement("span");
  local.className = "local-time";
  // Translators: follows a time in UTC, such as "(09:00 your time)" or "(Dec 3, 09:00 your time)".
  local.textContent = interpolate(gettext("(%(time)s your time)"), { time: format.format(at) });
  return [" ", local];
}

/** Completes each time that the server has told in UTC. */
export function addLocalTimes(times) {
  for (const time of times) time.append(...localTime(Date.parse(time.dateTime), { withDay: true }));
}
