// The header's links and the row below it, which the server has drawn before there was a game: they
// follow the one on the table.

import { placeOf } from "./links.js";
import { isDaily, isOver, ownerOf } from "./store.js";
import { raceLink } from "./views/result.js";

export function aimHeader({ game }) {
  if (!game) return;
  for (const link of document.querySelectorAll("[data-race]")) link.href = raceLink(game, "deal");
  for (const link of document.querySelectorAll("[data-comes-back]")) {
    const url = new URL(link.href);
    url.searchParams.set("next", placeOf(game));
    link.href = url.pathname + url.search;
  }
}

/** The row that leads to a daily whose clock runs, as long as that is not the game on the table. Of
 * several, to the one that it has led to. */
export function aimWayBack({ game, player }) {
  const row = document.querySelector(".way-back[data-daily]");
  if (!game || !row) return;
  const link = row.querySelector("a");
  const known = link.getAttribute("href");
  const runs = isDaily(game) && !isOver(game) && !ownerOf({ game, player });
  if (runs && known === null) link.href = game.url;
  if (isOver(game) && known === game.url) link.removeAttribute("href");
  row.hidden = [null, runs && game.url].includes(link.getAttribute("href"));
}
