// A game that has ended, looked at again: its log, and where it was lost.

import { get, getThought, Problem, Unreachable } from "./api.js";
import { gettext } from "./i18n.js";

/** Opens the dialog with the analysis of the game on the table. */
export async function analyse(store) {
  const { id, moves } = store.game;
  const known = store.analysis?.game === id && store.analysis.steps;
  store.set({ dialog: { name: "analysis" }, analysis: known ? store.analysis : { game: id } });
  if (known) return;
  const analysis = await analysisOf(id, moves);
  if (store.analysis?.game === id) store.set({ analysis });
}

/** Each step with its move, how many came `earlier` than the first of them, and the step to look
 * `at` first: where the game was `lost`, or the last. */
async function analysisOf(id, made) {
  try {
    const [found, entries] = await Promise.all([getThought(`games/${id}/analysis/`), logOf(id)]);
    const moves = new Map(entries.map((entry) => [entry.seq, entry]));
    const steps = found.steps.map((step) => ({ ...moves.get(step.seq), ...step }));
    const lost = steps.findIndex((step) => step.seq === found.losing_seq);
    const at = lost < 0 ? steps.length - 1 : lost;
    return { ...found, game: id, steps, lost, at, earlier: made - steps.length };
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
    return { game: id, error: error.message || gettext("No answer from the server.") };
  }
}

export async function logOf(id) {
  const entries = [];
  for (;;) {
    const after = entries.at(-1)?.seq ?? 0;
    const page = await get(`games/${id}/log/?after=${after}`);
    entries.push(...page.entries);
    if (!page.next) return entries;
  }
}
