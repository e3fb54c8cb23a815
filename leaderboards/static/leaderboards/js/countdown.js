// Counts down to the next deal by the server's clock, and says when it is there.

import { gettext, interpolate } from "../../game/js/i18n.js";
import { localTime } from "./times.js";

const second = 1000;

/** `now()`: milliseconds since 1970 by the server's clock. `over()` is called once. */
export function countDown(root, { until, now, over }) {
  const at = Date.parse(until);
  const told = new Text();
  const tick = () => {
    const left = at - now();
    if (left <= 0) {
      root.hidden = true;
      return over();
    }
    // Translators: a countdown, such as "Next deal in 03:12:45, at 00:00 UTC".
    const text = gettext("Next deal in %(left)s, at 00:00 UTC");
    told.data = interpolate(text, { left: leftText(left) });
    setTimeout(tick, left % second || second);
  };
  root.replaceChildren(told, ...localTime(at));
  tick();
}

/** "03:12:45": the seconds that have begun. */
function leftText(milliseconds) {
  const seconds = Math.ceil(milliseconds / second);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
