// All of the page that is not the table: the lobby, the race from outside, the result. And at the
// table, how far the others have come.

import { nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { rivals } from "../../store.js";
import { progressList } from "../seats.js";
import { lobby } from "./lobby.js";
import { outcome } from "./outcome.js";
import { watch } from "./watch.js";

const stages = { lobby, running: watch, over: outcome };

/** Draws the stage that the store's race is at; nothing where there is none, at the table. */
export function drawRoom(root, store, act) {
  render(store ? stages[store.race.status](store, act) : nothing, root);
}

export function drawRivals(root, store) {
  render(progressList(store, rivals(store)), root);
}
