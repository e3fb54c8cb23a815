// Counts down to the next deal by the server's clock, and says when it is there.

import { gettext, interpolate } from "../../game/js/i18n.js";

const second = 1000;

/** `now()`: milliseconds since 1970 by the server's clock. `over()` is called once. */
export function countDown(root, { until, now, over }) {
  const at = Date.parse(until);
  const local = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" });
  const tick = () => {
    const left = at - now();
    if (left <= 0) {
      root.hidden = true;
      return over();
    }
    // Translators: a countdown and a time of the day, such as "Next deal in 03:12:45, at 01:00 your time".
    root.textContent = interpolate(gettext("Next deal in %(left)s, at %(time)s your time"), {
      left: leftText(left),
      time: local.format(at),
    });
    setTimeout(tick, left % second || second);
  };
  tick();
}

/** "03:12:45": the seconds that have begun. */
function leftText(milliseconds) {
  const seconds = Math.ceil(milliseconds / second);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
