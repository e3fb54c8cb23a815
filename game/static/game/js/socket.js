// Speaks with a room of the server. Frames come in order and once; a connection that is lost comes
// back by itself, and gets what it has missed. What the frames mean is for others to know.

import { Problem, Unreachable } from "./api.js";
import { Clock } from "./clock.js";

const beat = 3000; // from ping to ping
const silence = 7500; // after this long without a frame there is no connection, whatever it seems
const doubt = 3000; // the same, once there is a reason to doubt it
const patience = { connection: 8000, answer: 4000 };
const pauses = { first: 400, longest: 6000 };
const comeBackAtOnce = [4408, 4410, 4503];
export const sessionEnded = 4401;
const stayAway = [sessionEnded, 4403, 4404];

export class Room {
  /** "connecting" at first, then "open", "lost" (and trying), or "closed" for good. */
  state = "connecting";
  clock = new Clock();
  #path;
  #hear;
  #tell;
  #socket = null;
  #seen = 0;
  #tries = 0;
  #asked = new Map();
  #timers = {};
  #ears = new AbortController();

  /** `hear(frame)` is called with each frame that brings news; `tell(room, code)` when the state
   * has changed, with the server's closing code where it has closed for good. */
  constructor(path, { hear, tell = () => {} }) {
    this.#path = path;
    this.#hear = hear;
    this.#tell = tell;
    const { signal } = this.#ears;
    addEventListener("online", () => this.wake(), { signal });
    addEventListener("offline", () => this.wake(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.wake(), { signal });
    this.#connect();
  }

  get isOpen() {
    return this.state === "open";
  }

  /** Says something that needs no answer; it is lost where there is no connection. */
  send(frame) {
    if (this.isOpen) this.#socket.send(JSON.stringify(frame));
  }

  /** Asks for a change, named by its client_move_id: answers the frame with it, throws Problem
   * where that says no, and Unreachable where there is none: it may or may not have happened. */
  ask(frame) {
    if (!this.isOpen) return Promise.reject(new Unreachable());
    return new Promise((resolve, reject) => {
      const id = frame.client_move_id;
      const timer = setTimeout(() => this.#answer(id, new Unreachable()), patience.answer);
      this.#asked.set(id, { resolve, reject, timer });
      this.send(frame);
    });
  }

  close() {
    this.#ears.abort();
    this.#letGo();
    clearTimeout(this.#timers.retry);
    this.state = "closed";
  }

  #connect() {
    clearTimeout(this.#timers.retry);
    const address = new URL(`/ws/v1/${this.#path}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (this.#seen) address.searchParams.set("v", this.#seen);
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#expect(patience.connection);
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = ({ code }) => this.#lose(code);
    socket.onopen = () => {
      this.clock.forget();
      this.#timers.beat = setInterval(() => this.#ping(), beat);
      this.#ping();
    };
  }

  #ping() {
    if (this.#socket.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify({ type: "ping", t: performance.now() }));
  }

  /** A connection counts from its first frame on: a refusal is one, too, until then. */
  #take(frame) {
    this.#tries = 0;
    this.#expect(silence);
    if (frame.type === "pong") this.clock.note(frame.t, frame.server_now);
    else if (frame.server_now) this.clock.hear(frame.server_now);
    this.#turn("open");
    if (frame.type === "pong") return;
    const news = this.#isNews(frame);
    if (this.#asked.has(frame.client_move_id)) this.#answer(frame.client_move_id, frame);
    else if (frame.type === "problem" && this.#asked.size) this.#giveUp();
    else if (news) this.#hear(frame);
  }

  /** A frame that has been seen is none, but for a room's picture, which says where it stands. In
   * a room without versions each frame is. */
  #isNews({ type, v }) {
    if (type === "problem") return true;
    if (type !== "snapshot" && v && v <= this.#seen) return false;
    this.#seen = v;
    return true;
  }

  #answer(id, answer) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    clearTimeout(asked.timer);
    if (answer instanceof Error) asked.reject(answer);
    else if (answer.type === "problem") asked.reject(new Problem(answer.status, answer));
    else asked.resolve(answer);
  }

  #expect(within) {
    clearTimeout(this.#timers.alarm);
    this.#timers.alarm = setTimeout(() => this.#lose(), within);
  }

  /** Something has happened to the network, the page or the server: is the connection there, or to
   * be had again? */
  wake() {
    if (this.state === "lost" && !this.#socket) return this.#connect();
    if (!this.isOpen) return;
    this.#ping();
    this.#expect(doubt);
  }

  #lose(code) {
    this.#letGo();
    if (stayAway.includes(code)) {
      this.close();
      return this.#tell(this, code);
    }
    const pause = comeBackAtOnce.includes(code) && !this.#tries ? 0 : this.#pause();
    this.#tries += 1;
    // A page out of sight comes back when it is seen: until then it is not there.
    if (!document.hidden)
      this.#timers.retry = setTimeout(() => this.#connect(), pause + pauses.first * Math.random());
    this.#turn("lost");
  }

  #pause() {
    const { first, longest } = pauses;
    return Math.min(first * 2 ** this.#tries, longest) * (0.5 + Math.random() / 2);
  }

  #letGo() {
    clearTimeout(this.#timers.alarm);
    clearInterval(this.#timers.beat);
    if (this.#socket) {
      this.#socket.onmessage = this.#socket.onclose = this.#socket.onopen = null;
      this.#socket.close();
      this.#socket = null;
    }
    this.#giveUp();
  }

  /** What has been asked for is not answered here: the connection is gone, or a problem that names
   * no change says that the server has not understood. */
  #giveUp() {
    for (const id of [...this.#asked.keys()]) this.#answer(id, new Unreachable());
  }

  #turn(state) {
    if (this.state === state) return;
    this.state = state;
    this.#tell(this);
  }
}
