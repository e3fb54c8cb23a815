// The header's links, which the server has drawn before there was a game: they follow the one on the
// table.

import { isDaily, isOver } from "./store.js";
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

/** Where the player finds this game again, maybe as another one: whose account plays the deal, too,
 * goes on with that game. A counted one that is not begun goes with its guest. */
function placeOf(game) {
  const { rules, number, moves, counted } = game;
  if (isDaily(game)) return game.url;
  if (isOver(game) || number === null) return location.pathname + location.search;
  return moves || !counted ? `/play/${rules}/${number}` : "/";
}
