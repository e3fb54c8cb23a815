// The line that speaks, and below it what calls for a decision: no server, stuck, a locked card.
// The line itself stands in the page from the start and is the one live region.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { dayText, gettext, interpolate, momentText, shortName } from "../i18n.js";
import { entrance, pageOf } from "../links.js";
import { canCheck, canDealAgain, isDaily, isOver, locksOf, ownerOf } from "../store.js";
import { icon } from "./icons.js";

export function drawStatus(line, store) {
  if (line.textContent !== store.status) line.textContent = store.status;
  line.classList.toggle("refused", store.refused);
}

export function drawNotice(root, store, act) {
  render(notice(store, act) ?? nothing, root);
}

function notice(store, act) {
  const { game } = store;
  if (store.trouble) return noAnswer(store, act);
  if (store.loggedOut) return loggedOut(act);
  if (store.invitation) return invited(store.invitation, act);
  if (store.closed?.day) return store.dialog?.name === "daily" ? null : waiting(store.closed, act);
  if (store.closed) return closed(store.closed, act);
  if (!game) return null;
  if (isOver(game)) return store.resultSeen === game.id ? over(store, act) : null;
  if (foundLost(store)) return lost(act);
  if (game.status === "stuck") return stuck(game, act);
  if (game.locked.length && store.lockSeen !== locksOf(game)) return locked(game, act);
  return null;
}

export function noAnswer({ trouble }, act) {
  return banner("alarm", trouble, [choice(gettext("Try again"), act.tryAgain, true)]);
}

export function loggedOut(act) {
  const logIn = gettext("Log in");
  return banner("alarm", gettext("Log in to go on with your games."), [
    html`<a class="button main" href=${entrance("login", location.pathname)}>${logIn}</a>`,
    choice(gettext("Go on as a guest"), act.goOnAsGuest),
  ]);
}

/** Somebody who plays the same deal just now has opened a race on it. */
function invited({ player, url }, act) {
  const text = interpolate(gettext("%(name)s wants to race on this deal."), { name: player });
  const join = gettext("Join the race");
  return banner("over", text, [html`<a class="button main" href=${url}>${join}</a>`], act.seeInvitation);
}

/** The address names a game that its player keeps to themselves, or that is not there. */
function closed(deal, act) {
  const text = deal.rules ? gettext("Play this deal") : gettext("Deal the cards");
  return banner("closed", gettext("This game is not open to you."), [
    choice(text, () => act.playClosed(deal), true),
  ]);
}

/** A day without a game of the player's: it can be begun, or the time for that is over. */
function waiting({ day }, act) {
  const other = choice(gettext("Play other deals"), () => act.playClosed({}));
  if (day.server_now < day.resets_at)
    return banner("closed", gettext("The daily deal waits for you."), [
      choice(gettext("Play it"), act.askDay, true),
      other,
    ]);
  const text = gettext(
    "The daily of %(day)s cannot be started any more. From %(time)s on its deal is there for practice.",
  );
  const data = { day: dayText(day.date), time: momentText(day.closes_at) };
  const [today] = day.server_now.split("T");
  return banner("closed", interpolate(text, data), [
    html`<a class="button main" href="/daily/${day.rules}/${today}/play">${gettext("Today's daily")}</a>`,
    html`<a class="button" href=${pageOf(day)}>${gettext("See the board")}</a>`,
    other,
  ]);
}

function foundLost({ game, check, hint }) {
  if (check) return check.verdict === "unwinnable" && check.moves_back !== null;
  return hint?.reason === "lost" && canCheck(game) && game.can_undo;
}

function stuck(game, act) {
  const text = gettext("No move is left.");
  return banner("stuck", text, [
    choice(gettext("Undo"), act.undo, true),
    choice(gettext("Restart"), act.restart),
    isDaily(game)
      ? choice(gettext("Give up"), act.askResign)
      : choice(gettext("New deal"), act.newDeal),
  ]);
}

/** What a check or a hint has found: this is lost, and there may be a way back. */
function lost(act) {
  const text = gettext("It could be won before.");
  return banner("lost", text, [choice(gettext("Go back there"), act.rewindToWinnable, true)], act.seeAdvice);
}

export function locked(game, act) {
  const rewind = choice(gettext("Rewind to before it"), act.rewind, true);
  const late = game.locked.some((lock) => !lock.since_start);
  const text = late
    ? gettext("This deal can no longer be won.")
    : gettext("This deal cannot be won.");
  return banner("locked", text, late ? [rewind] : [], act.seeLock);
}

/** Why a card can never leave. */
export function lockText(lock) {
  const texts = {
    partners_under_it: gettext("%(card)s is locked: every partner left lies on top of it."),
    partners_over_it: gettext("%(card)s is locked: it lies on top of every partner left."),
    partners_under_and_over: gettext(
      "%(card)s is locked: every partner left lies on top of it or below it.",
    ),
  };
  const text = texts[lock.reason] ?? gettext("%(card)s is locked: it can never leave.");
  return interpolate(text, { card: shortName(lock.card) });
}

function over(store, act) {
  const { game } = store;
  const owner = ownerOf(store);
  if (owner) {
    return banner("over", ownerText(game, owner), [
      canDealAgain(game) ? choice(gettext("Play this deal"), act.again, true) : nothing,
      choice(gettext("New deal"), act.newDeal),
    ]);
  }
  const text = game.status === "won" ? gettext("This game is won.") : gettext("This game is lost.");
  if (isDaily(game)) return overDaily(game, act);
  return banner("over", text, [
    choice(gettext("New deal"), act.newDeal, true),
    canDealAgain(game) ? choice(gettext("Same deal again"), act.again) : nothing,
  ]);
}

function overDaily(game, act) {
  const board = gettext("See the board");
  return banner("over", gettext("Your daily game has ended."), [
    html`<a class="button main" href=${pageOf(game)}>${board}</a>`,
    choice(gettext("New deal"), act.newDeal),
  ]);
}

/** How somebody else's game has ended. */
export function ownerText({ status }, name) {
  const text =
    status === "won" ? gettext("%(name)s won this game.") : gettext("%(name)s lost this game.");
  return interpolate(text, { name });
}

export function banner(kind, text, choices, putAside) {
  const close = gettext("Hide this note");
  return html`<div class="banner ${kind}">
    <p>${text}</p>
    <div class="choices">${choices}</div>
    ${
      putAside
        ? html`<button type="button" class="tool" aria-label=${close} title=${close} @click=${putAside}>${icon("close")}</button>`
        : nothing
    }
  </div>`;
}

export function choice(label, act, main = false) {
  return html`<button type="button" class=${main ? "main" : ""} @click=${act}>${label}</button>`;
}
