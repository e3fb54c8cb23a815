// The header's links, which the server has drawn before there was a game: they follow the one on the
// table.

import { placeOf } from "./links.js";
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
