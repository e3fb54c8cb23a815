// Wires the page of a day: its times, the board that follows what others do, and sharing.

import { get } from "../../game/js/api.js";
import { Clock } from "../../game/js/clock.js";
import { gettext, interpolate, ngettext } from "../../game/js/i18n.js";
import { shareText } from "../../game/js/sharing.js";
import { Room } from "../../game/js/socket.js";
import { Rows } from "./board.js";
import { countDown } from "./countdown.js";
import { wireSharing } from "./share.js";
import { addLocalTimes } from "./times.js";

const askAgainAfter = 5000; // milliseconds from one look at the neighbours to the next

const page = JSON.parse(document.getElementById("page").textContent);
const at = (id) => document.getElementById(id);
const text = at("share-text");

addLocalTimes(document.querySelectorAll("time[data-utc]"));
openTarget();
addEventListener("hashchange", openTarget);
if (text) {
  text.textContent = shareText(page.share, page.share.result);
  text.parentElement.hidden = false;
  wireSharing({ text, copy: at("copy"), share: at("share"), told: at("copied") });
}
if (page.is_today) {
  const room = new Room(`daily/${page.rules}/`, { hear: (frame) => hear(frame) });
  const loaded = new Clock(); // until the socket knows better
  loaded.hear(page.server_now);
  countDown(at("countdown"), {
    until: page.resets_at,
    now: () => (room.clock.isKnown ? room.clock : loaded).now(),
    over: offerNext,
  });
}

/** Who comes by a link to a part that is folded, wants to read it. */
function openTarget() {
  at(location.hash.slice(1))?.querySelector(":scope > details")?.setAttribute("open", "");
}

/** The day is over: what was offered of it is no more, and the page stays as it is otherwise. */
function offerNext() {
  at("countdown").hidden = true;
  at("next-deal").hidden = false;
  for (const part of document.querySelectorAll(".until-reset")) part.hidden = true;
}

// The board

const blank = at("row");
const rows = new Rows(at("rows"), blank);
const around = new Rows(at("around"), blank);
let rank = page.rank;
let asking = null;

function hear({ date, players, results, me }) {
  if (date !== page.date) return offerNext();
  if (page.is_top) showTop(results, players, me);
  if (!me) return;
  const moved = me.rank !== rank;
  showOwn(me, players, moved && rank !== null);
  rank = me.rank;
  if (page.is_top) lookAround(results, me, moved);
}

function showTop(results, players, me) {
  rows.show(results, me);
  at("nobody").hidden = results.length > 0;
  at("rows").closest("table").hidden = !results.length;
  const count = ngettext("%(players)s player", "%(players)s players", players);
  for (const place of document.querySelectorAll("[data-players]"))
    place.textContent = interpolate(count, { players });
}

/** The own rank wherever it stands; said aloud only where it has become another. */
function showOwn(me, players, moved) {
  for (const place of document.querySelectorAll("[data-own-rank]")) place.textContent = me.rank;
  for (const place of document.querySelectorAll("[data-own-players]")) place.textContent = players;
  if (page.is_top)
    for (const place of document.querySelectorAll("[data-rank]")) place.textContent = me.rank;
  if (text) text.textContent = shareText({ ...page.share, players }, me);
  if (moved)
    at("told").textContent = interpolate(gettext("Your rank is %(rank)s of %(players)s now."), {
      rank: me.rank,
      players,
    });
}

/** Who stands in the top has neighbours there; the others' are asked for, once in a while. */
function lookAround(results, me, moved) {
  if (results.some((result) => result.player === me.player)) return around.show([], me);
  if (!moved || asking) return;
  asking = setTimeout(async () => {
    asking = null;
    const path = `daily/${page.rules}/${page.date}/board/?around=me&page_size=${page.neighbours}`;
    const near = await get(path).catch(() => null);
    if (!near) return;
    const shown = new Set([...at("rows").rows].map((row) => row.dataset.player));
    around.show(near.results.filter(({ player }) => !shown.has(player)), near.me);
  }, askAgainAfter * Math.random());
}
