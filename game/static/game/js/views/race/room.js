// All of the page that is not the table: the lobby, the race from outside, the result. And at the
// table, how far the others have come.

import { nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { isAtTable, isWaiting, rivals } from "../../store.js";
import { progressList } from "../seats.js";
import { lobby } from "./lobby.js";
import { outcome } from "./outcome.js";
import { waiting } from "./waiting.js";
import { watch } from "./watch.js";

const stages = { lobby, running: watch, over: outcome };

/** Draws the stage that the store's race is at; at the table nothing, unless one has ended there. */
export function drawRoom(root, store, act) {
  const stage = isAtTable(store) ? isWaiting(store) && waiting : stages[store.race.status];
  render(stage ? stage(store, act) : nothing, root);
}

export function drawRivals(root, store) {
  render(progressList(store, rivals(store)), root);
}
