// Before the race: the link, who is there, who is ready.

import { html, nothing } from "../../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate, ngettext } from "../../i18n.js";
import { canShare } from "../../links.js";
import { isSeated, ownSeat } from "../../store.js";
import { icon } from "../icons.js";
import { nameOf } from "../seats.js";
import { kindText, titleText } from "./heading.js";

export function lobby(store, act) {
  const { race } = store;
  return html`<section class="lobby">
    <header>
      <h2>${titleText(race)}</h2>
      <p>${[kindText(store), minutesText(race)].join(" · ")}</p>
      <p class="note">${kindNote(race)}</p>
    </header>
    ${isFull(race) || !isSeated(store) ? nothing : invitation(race, act)} ${seats(store, act)}
    ${steps(store, act)}
  </section>`;
}

const isFull = ({ seats, seats_max: most }) => seats.length >= most;

function minutesText({ time_limit_ms: limit }) {
  const count = Math.round(limit / 60000);
  return interpolate(ngettext("%(count)s minute", "%(count)s minutes", count), { count });
}

function kindNote({ kind }) {
  return kind === "rated"
    ? gettext("Nobody knows this deal: it is secret until the end. The race counts in your record.")
    : gettext("Everybody can look this deal up, so the race counts in no record.");
}

// The link

function invitation(race, act) {
  const label = gettext("Send this link to whom you want to race with:");
  const copy = gettext("Copy link");
  const share = gettext("Share");
  const { host, pathname } = new URL(race.url, location.href);
  return html`<section class="invite">
    <p>${label}</p>
    <p id="race-link">${host}<wbr />${pathname}</p>
    <div class="choices">
      ${
        canShare()
          ? html`<button type="button" class="main" @click=${act.shareLink}>${icon("share")}${share}</button>`
          : nothing
      }
      <button type="button" class=${canShare() ? "" : "main"} data-action="copy" @click=${act.copyLink}>${icon("link")}${copy}</button>
    </div>
  </section>`;
}

// The seats

function seats(store, act) {
  const { race } = store;
  const [title, leave] = [gettext("Players"), gettext("Leave the race")];
  const count = interpolate(gettext("%(count)s of %(all)s"), {
    count: race.seats.length,
    all: race.seats_max,
  });
  return html`<section class="seats">
    <h3>${title} <small>${count}</small></h3>
    <ul>
      ${race.seats.map((seat) => row(seat, seat.seat === race.me))} ${isFull(race) ? nothing : free()}
    </ul>
    ${
      isSeated(store)
        ? html`<button type="button" class="quiet" data-action="leave" @click=${act.leave}>${leave}</button>`
        : nothing
    }
  </section>`;
}

function row(seat, own) {
  const { connected, ready, host } = seat;
  const [you, hosts] = [gettext("you"), gettext("Host")];
  const state = connected ? (ready ? gettext("Ready") : gettext("Not ready yet")) : gettext("Away");
  return html`<li class="seat ${connected ? "" : "away"} ${ready ? "ready" : ""}" data-seat=${seat.seat}>
    <span class="mark" aria-hidden="true">${icon(connected ? (ready ? "check" : "dots") : "moon")}</span>
    <span class="who"><bdi>${nameOf(seat)}</bdi>${own ? html` <small>${you}</small>` : nothing}</span>
    <span class="host">${host ? html`${icon("crown")}${hosts}` : nothing}</span>
    <span class="state">${state}</span>
  </li>`;
}

function free() {
  const text = gettext("A seat is free");
  return html`<li class="seat free"><span class="who">${text}</span></li>`;
}

// What comes next

function steps(store, act) {
  return html`<footer>${isSeated(store) ? seatedSteps(store, act) : visitorSteps(store, act)}</footer>`;
}

function visitorSteps({ race }, act) {
  if (isFull(race)) {
    const text = gettext("All seats are taken. Stay, and watch how they race.");
    return html`<p>${text}</p>`;
  }
  const text = interpolate(gettext("%(name)s invites you to race: the same deal for all, live."), {
    name: nameOf(race.seats.find((seat) => seat.host) ?? {}),
  });
  const join = gettext("Join the race");
  return html`<p>${text}</p>
    <div class="choices"><button type="button" class="main big" data-action="join" @click=${act.join}>${join}</button></div>`;
}

function seatedSteps(store, act) {
  const { race } = store;
  const { ready, host } = ownSeat(store);
  const alone = race.seats.length < 2;
  const [yes, no] = [gettext("I am ready"), gettext("Not ready after all")];
  const start = gettext("Start now");
  return html`<p>${alone ? gettext("Waiting for somebody to come…") : waitingText(store)}</p>
    <div class="choices">
      <button type="button" class=${ready ? "" : "main big"} data-action="ready" aria-pressed=${ready}
        @click=${() => act.ready(!ready)}>${ready ? no : yes}</button>
      ${
        host && !alone
          ? html`<button type="button" class=${ready ? "main big" : ""} data-action="start" @click=${act.startRace}>${start}</button>`
          : nothing
      }
    </div>`;
}

function waitingText(store) {
  if (!ownSeat(store).ready) return gettext("The race starts by itself once everybody is ready.");
  const { seats } = store.race;
  const count = seats.filter((seat) => !seat.ready).length;
  const text = ngettext("Waiting for %(count)s player…", "Waiting for %(count)s players…", count);
  return interpolate(text, { count });
}
