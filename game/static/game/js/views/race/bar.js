// The bar of actions in a race: no hints, no other deal, and a way out.

import { nothing, render } from "../../../../vendor/lit-html/lit-html.js";
import { gettext } from "../../i18n.js";
import { isOver } from "../../store.js";
import { action, drawAction, ordered, restartAction, undoAction } from "../bar.js";

export function drawRaceBar(root, store, act) {
  const { game } = store;
  if (!game || isOver(game)) return render(nothing, root);
  const giveUp = gettext("Give up");
  const help = gettext("How to play");
  const actions = [
    undoAction(game, act),
    restartAction(game, act),
    drawAction(store, act),
    action("give-up", "flag", giveUp, "", true, act.askGiveUp),
    action("how", "help", help, "", true, act.help),
  ];
  render(ordered(store, actions), root);
}
