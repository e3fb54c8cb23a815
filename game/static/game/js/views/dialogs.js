// The one dialog of the page: choosing a deal, more actions, help, and the questions before a loss.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate } from "../i18n.js";
import { tiers, wishes } from "../memory.js";
import { isDaily, isOver } from "../store.js";
import { tierName, tierNote } from "./advice.js";
import { analysis, analysisTitle } from "./analysis.js";
import { dailyTerms, dayQuestion } from "./daily.js";
import { icon } from "./icons.js";
import { dealName } from "./heading.js";
import { raceLink } from "./result.js";
import { placesText } from "./seats.js";

const drawn = {
  choose,
  more,
  help,
  hint,
  leave,
  restart,
  resign,
  giveUp,
  leaveRace,
  copy,
  daily: (store, act) => frame(dealName(store.dialog.day), act, dayQuestion(store, act)),
  analysis: (store, act) => frame(analysisTitle(store), act, analysis(store, act)),
};

/** Draws and opens what store.dialog names; act.closeDialog is called when the player closes it. */
export function drawDialog(dialog, store, act) {
  const name = store.dialog?.name ?? "";
  if (dialog.dataset.name !== name) {
    if (dialog.open) dialog.close();
    render(nothing, dialog);
    dialog.dataset.name = name;
  }
  if (!name) return;
  render(drawn[name](store, act), dialog);
  if (!dialog.open) dialog.showModal();
}

export function wireDialog(dialog, act) {
  dialog.addEventListener("close", () => {
    // One dialog that gives way to another closes, too; then the other is open by now.
    if (!dialog.open) act.closeDialog();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

function frame(title, act, content) {
  const close = gettext("Close");
  return html`<div class="sheet">
    <header>
      <h2 id="dialog-title">${title}</h2>
      <button type="button" class="tool" aria-label=${close} title=${close} @click=${act.closeDialog}>${icon("close")}</button>
    </header>
    ${content}
  </div>`;
}

/** Two forms in one: what the cards are dealt by is a tier or a number, under one rule set. */
function choose(store, act) {
  const { game, rules, dialog } = store;
  const number = gettext("Deal number");
  const byNumber = gettext("Play this deal");
  const fresh = gettext("New deal");
  const or = gettext("or a certain one:");
  const race = gettext("Race a friend");
  const chosen = dialog.rules ?? game?.rules;
  const tier = dialog.tier ?? game?.tier ?? wishes().tier;
  const fields = (event) => event.target.closest("dialog").querySelector(".choose").elements;
  const submit = (does) => (event) => {
    event.preventDefault();
    const { rules, tier, number } = fields(event);
    does({ rules: rules.value, tier: tier.value, number: number.value.trim() });
  };
  const content = html`<form class="choose" novalidate @submit=${submit(act.playTier)}>
    ${ruleSets(rules, chosen)}
    <div class="foot">
      ${tierChoice(tier, act)}
      <button type="submit" class="main">${fresh}</button>
      <p class="or">${or} <a href=${raceLink({ rules: chosen })}>${icon("race")}${race}</a></p>
      <label class="number">
        <span class="unseen">${number}</span>
        <input name="number" inputmode="numeric" autocomplete="off" .value=${String(game?.number ?? "")}
          aria-invalid=${Boolean(dialog.error)} aria-describedby="number-error"
          @keydown=${(event) => event.key === "Enter" && submit(act.playNumber)(event)} />
      </label>
      <button type="button" @click=${submit(act.playNumber)}>${byNumber}</button>
      <p id="number-error" role="alert">${dialog.error ?? ""}</p>
    </div>
  </form>`;
  return frame(gettext("Choose a deal"), act, content);
}

function ruleSets(rules, chosen) {
  const legend = gettext("Rule set");
  return html`<fieldset class="kinds">
    <legend>${legend}</legend>
    ${rules.map(
      (record) => html`<label class="rules">
        <input type="radio" name="rules" value=${record.key} .checked=${record.key === chosen} />
        <span><b>${record.name}</b><small>${record.summary}</small></span>
      </label>`,
    )}
  </fieldset>`;
}

function tierChoice(chosen, act) {
  const legend = gettext("Kind of deal");
  return html`<fieldset class="tiers" @change=${(event) => act.preferTier(event.target.value)}>
    <legend>${legend}</legend>
    <div>
      ${tiers.map(
        (tier) => html`<label>
          <input type="radio" name="tier" value=${tier} aria-describedby="tier-note" .checked=${tier === chosen} />
          <span>${tierName(tier)}</span>
        </label>`,
      )}
    </div>
    <p id="tier-note">${tierNote(chosen)}</p>
  </fieldset>`;
}

function more(store, act) {
  const { game } = store;
  const entries = [
    entry("fresh", gettext("New deal"), act.newDeal, "beside-bar"),
    game?.can_undo ? entry("restart", gettext("Restart"), act.restart, "beside-bar") : nothing,
    entry("deals", gettext("Choose a deal"), act.chooseDeal),
    entry("link", gettext("Copy link"), act.copyLink),
    entry("help", gettext("How to play"), act.help),
    leading("race", gettext("Race a friend"), raceLink(game, "deal")),
    leading("settings", gettext("Settings"), "/settings"),
    game && !isOver(game) ? entry("flag", gettext("Give up"), act.askResign) : nothing,
  ];
  return frame(gettext("More"), act, html`<div class="menu">${entries}</div>`);
}

function entry(sign, label, act, where = "") {
  return html`<button type="button" class=${where} @click=${act}>${icon(sign)}<span>${label}</span></button>`;
}

/** To a page that stands by itself: a game that runs goes on when its player comes back. */
function leading(sign, label, address) {
  return html`<a href=${address}>${icon(sign)}<span>${label}</span></a>`;
}

function help(store, act) {
  const rules = store.rules.find((record) => record.key === store.game?.rules);
  const texts = [
    gettext("Clear the pyramid: remove pairs of free cards that add up to 13."),
    gettext("A king counts 13 and goes alone. A queen counts 12, a jack 11, an ace 1."),
    gettext(
      "A card in the pyramid is free when no other card lies on it. The top card of the waste is free, too.",
    ),
    gettext(
      "When nothing fits, draw from the stock. When it is empty and a pass is left, turn the waste over.",
    ),
  ];
  const keys = [
    ["D", gettext("Draw")],
    ["R", gettext("Redeal")],
    ["U", gettext("Undo")],
    ...(store.race ? [] : besideTheRace()),
    ["← ↑ → ↓", gettext("Go from card to card")],
    ["Enter", gettext("Choose a card")],
    ["Esc", gettext("Let go of the card")],
    ["?", gettext("This help")],
  ];
  const keysTitle = gettext("Keys");
  const content = html`<div class="help">
    ${texts.map((text) => html`<p>${text}</p>`)}
    ${rules ? html`<p class="rules-note"><b>${rules.name}</b> <span>${rules.summary}</span></p>` : nothing}
    ${store.race ? helpWithRace() : helpWithDeal()}
    ${store.game && isDaily(store.game) ? helpWithDaily() : nothing}
    <h3 class="keys">${keysTitle}</h3>
    <dl class="keys">${keys.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
  </div>`;
  return frame(gettext("How to play"), act, content);
}

const besideTheRace = () => [
  ["H", gettext("Hint")],
  ["N", gettext("New deal")],
];

function helpWithRace() {
  const title = gettext("The race");
  const texts = [
    gettext("All play the same deal at the same time. Undo as often as you like; there are no hints."),
    gettext(
      "Of two, the first who clears the deal ends the race. Otherwise it ends when all have cleared it or given up, or when the time is up. No move left is not the end: undo, and try another way.",
    ),
    placesText(),
  ];
  return html`<h3>${title}</h3>
    ${texts.map((text) => html`<p>${text}</p>`)}`;
}

function helpWithDeal() {
  const title = gettext("Help with a deal");
  const advice = [
    [
      gettext("Hint"),
      gettext(
        "Suggests a move from the cards that you have seen, with the chance that the deal can still be won after it. Once every card is known, it is certain.",
      ),
    ],
    [
      gettext("Can I still win?"),
      gettext(
        "Knows the order of the stock, and says how far back a win was last possible. Not in ranked games.",
      ),
    ],
    [
      gettext("Easy, Standard, Random"),
      gettext(
        "Easy and Standard deals can be won, and Easy ones are the easiest third of them. A Random deal may not be winnable.",
      ),
    ],
    [
      gettext("Winnable, Cannot be won"),
      gettext(
        "Whether the deal can be won at all, by somebody who knows the order of the stock. Par is the fewest moves for it.",
      ),
    ],
  ];
  return html`<h3>${title}</h3>
    <dl class="advice">${advice.map(([name, does]) => html`<div><dt>${name}</dt><dd>${does}</dd></div>`)}</dl>`;
}

function helpWithDaily() {
  const title = gettext("The daily");
  return html`<h3>${title}</h3>
    ${dailyTerms()}`;
}

function leave(store, act) {
  const { losing, go } = store.dialog;
  if (losing.id !== store.game?.id) return leaveOther(losing, go, act);
  const text = gettext("You have made moves in this deal. With a new deal it counts as lost.");
  return question(
    gettext("Leave this deal?"),
    text,
    gettext("New deal"),
    go,
    gettext("Play on"),
    act,
  );
}

/** A game that is not on the table would be lost: it can be gone on with, too. */
function leaveOther(losing, go, act) {
  const title = interpolate(gettext("Leave deal %(number)s?"), losing);
  const text = gettext("You have made moves in that deal. With a new deal it counts as lost.");
  const goOn = interpolate(gettext("Go on with deal %(number)s"), losing);
  const fresh = gettext("New deal");
  const cancel = gettext("Cancel");
  const content = html`<p>${text}</p>
    <div class="menu">
      <button type="button" class="main" data-answer="other" autofocus @click=${() => act.goOnWith(losing)}>${goOn}</button>
      <button type="button" class="danger" data-answer="yes" @click=${go}>${fresh}</button>
      <button type="button" data-answer="no" @click=${act.closeDialog}>${cancel}</button>
    </div>`;
  return frame(title, act, content);
}

function restart(store, act) {
  return question(
    gettext("Start this deal again?"),
    gettext("All moves are taken back, and this cannot be undone."),
    gettext("Restart"),
    act.restartNow,
    gettext("Play on"),
    act,
  );
}

function resign(store, act) {
  return question(
    gettext("Give up?"),
    resignText(store.game),
    gettext("Give up"),
    act.resign,
    gettext("Play on"),
    act,
  );
}

function resignText(game) {
  if (isDaily(game))
    return game.counted
      ? gettext("Your daily ends. The most cards that you have removed count for the board.")
      : gettext("Your daily ends. It is unranked.");
  return game.counted
    ? gettext("The game ends and counts as lost.")
    : gettext("The game ends. It is practice and does not count.");
}

/** The first one in a ranked daily. */
function hint(store, act) {
  return question(
    gettext("Take a hint?"),
    gettext(
      "A hint counts: on the board you then come behind those who removed as many cards without one.",
    ),
    gettext("Take it"),
    act.takeHint,
    gettext("Not now"),
    act,
  );
}

/** The others go on: what was removed until now still counts. */
function giveUp(store, act) {
  return question(
    gettext("Give up?"),
    gettext("Your race ends here. What you have removed counts for your place."),
    gettext("Give up"),
    act.giveUp,
    gettext("Play on"),
    act,
  );
}

/** Who is alone in a lobby takes the race along. */
function leaveRace(store, act) {
  return question(
    gettext("Leave the race?"),
    gettext("You are alone here: the race ends for good, and nobody can join it any more."),
    gettext("Leave the race"),
    act.leaveNow,
    gettext("Stay"),
    act,
  );
}

function question(title, text, yes, go, no, act) {
  const content = html`<p>${text}</p>
    <div class="choices">
      <button type="button" class="danger" data-answer="yes" @click=${go}>${yes}</button>
      <button type="button" class="main" data-answer="no" autofocus @click=${act.closeDialog}>${no}</button>
    </div>`;
  return frame(title, act, content);
}

/** Where the page may not write to the clipboard: a link or some lines, to be copied by hand. */
function copy(store, act) {
  const { text } = store.dialog;
  const select = (event) => event.target.select();
  const lines = text.split("\n").length;
  const content = html`<label class="number">
    <span>${gettext("Copy this:")}</span>
    ${
      lines > 1
        ? html`<textarea readonly rows=${lines + 2} .value=${text} @focus=${select}></textarea>`
        : html`<input readonly .value=${text} @focus=${select} />`
    }
  </label>`;
  return frame(gettext("Copy"), act, content);
}
