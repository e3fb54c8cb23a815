// Speaks with the server. Every call answers the parsed body, or throws
// Problem (the server said no, with a code and a text for people) or
// Unreachable (no answer, or none from the application itself: worth another try).

const root = "/api/v1/";
const patience = 15000;
const longPatience = 60000; // where the solver has to think, and others may ask before
const pauses = [400, 1200];
let renewSession = () => becomePlayer();

export class Problem extends Error {
  constructor(status, body) {
    super(asText(body.detail || body.title || String(status)));
    this.status = status;
    this.code = body.code;
    this.params = body.params ?? {};
    this.state = body.state ?? null;
  }
}

/** Suits with the selector that keeps phones from drawing them as emoji. */
const asText = (words) => words.replace(/[\u2663\u2666\u2665\u2660](?!\ufe0e)/g, "$&\ufe0e");

export class Unreachable extends Error {}

export const request = (method, path, body) => call(method, path, body);
export const get = (path) => call("GET", path);
export const post = (path, body) => call("POST", path, body);

/** The same for questions that the solver answers. */
export const getThought = (path) => call("GET", path, undefined, longPatience);
export const postThought = (path, body) => call("POST", path, body, longPatience);

/** A last word while the page goes out of sight: it outlives the page. */
export function postLast(path, body) {
  return exchange("POST", path, body, { keepalive: true });
}

/** What is done when the session has gone while the page was open, before the call that found out
 * is made again; where it throws, that is the answer to the call. */
export function onSessionEnd(does) {
  renewSession = does;
}

/** Makes this browser a guest, or finds who it is already: answers the player. Tabs take turns,
 * so that two opened at once do not become two guests. */
export function becomePlayer() {
  const ask = async () => (await exchange("POST", "guests/", {})).body.player;
  return navigator.locks ? navigator.locks.request("pyramid-player", ask) : ask();
}

/** A name for a change that stays the same when the change has to be sent again. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function call(method, path, body, wait = patience) {
  for (const pause of pauses) {
    try {
      return (await admitted(method, path, body, wait)).body;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return (await admitted(method, path, body, wait)).body;
}

/** One exchange; if the session or the CSRF cookie has gone, gets a new one and asks again. */
async function admitted(method, path, body, wait) {
  const options = () => ({ signal: AbortSignal.timeout(wait) });
  try {
    return await exchange(method, path, body, options());
  } catch (error) {
    if (error.status === 401) await renewSession();
    else if (error.status === 403 && method !== "GET") await renewCookie();
    else throw error;
    return exchange(method, path, body, options());
  }
}

async function exchange(method, path, body, options = {}) {
  const headers = {
    Accept: "application/json, application/problem+json",
    "Accept-Language": document.documentElement.lang,
  };
  if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    headers["X-CSRFToken"] = cookie("csrftoken");
  }
  const request = {
    method,
    headers,
    body: body && JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: AbortSignal.timeout(patience),
    ...options,
  };
  let answer;
  try {
    answer = await fetch(root + path, request);
  } catch {
    throw new Unreachable();
  }
  return understood(answer.status, await answer.json().catch(() => null));
}

/** A body that is no JSON is not from the application, but from something on the way. */
function understood(status, body) {
  const refused = status >= 400 && status < 500;
  if (refused || (status === 500 && body)) throw new Problem(status, body ?? {});
  if (status > 500 || !body) throw new Unreachable();
  return { status, body };
}

async function renewCookie() {
  try {
    await fetch(location.pathname, { credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new Unreachable();
  }
}

function cookie(name) {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
