// What does a script find when it starts? The names of browsers and Node that an agent needs, and `agent` itself.
//
// The runtime calls `__corollary.turn` with an event, runs what became ready, takes the requests with
// `__corollary.take`, and tells with `__corollary.named` which ids they got. All state is here, so it is in the
// checkpoint of the agent.
'use strict';
(() => {
  const engine = globalThis.__engine;
  delete globalThis.__engine;
  let asked = []; // requests of this turn: the words that the runtime gets, and who wants to know the id
  const waiting = new Map(); // by id: who is told of results
  const soon = []; // functions to run within this turn

  const ask = (words, named) => asked.push({ words, named });
  const until = (id, tell) => waiting.set(id, tell);
  const problem = (text) => new TypeError(text);

  // ---- console

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return `${value}\n${value.stack ?? ''}`.trimEnd();
    try {
      const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));
      return text === undefined ? String(value) : text;
    } catch {
      return String(value);
    }
  };
  const print = (...values) => ask(['log', values.map(shown).join(' ')]);
  globalThis.console = Object.fromEntries(
    ['log', 'info', 'warn', 'error', 'debug', 'trace'].map((name) => [name, print]),
  );

  // ---- timers

  let last = 0;
  const timers = new Map(); // by number: the id of the timer, once it has one, or null
  const start = (call, wait, again) => {
    const number = ++last;
    wait = Math.max(Number(wait) || 0, 0);
    timers.set(number, null);
    const run = () => {
      if (!timers.has(number)) return;
      if (again) set();
      else timers.delete(number);
      call();
    };
    const set = () => {
      if (wait === 0 && !again) {
        soon.push(run);
        return;
      }
      ask(['later', Math.round(Math.max(wait, 1) * 1e6)], (id) => {
        if (!timers.has(number)) return void ask(['cancel', id]);
        timers.set(number, id);
        until(id, (_, done) => {
          done();
          run();
        });
      });
    };
    set();
    return new Timer(number);
  };
  class Timer {
    #number;
    constructor(number) {
      this.#number = number;
    }
    ref() {
      return this;
    }
    unref() {
      return this;
    }
    hasRef() {
      return true;
    }
    [Symbol.toPrimitive]() {
      return this.#number;
    }
  }
  const stop = (timer) => {
    const number = Number(timer);
    const id = timers.get(number);
    timers.delete(number);
    if (id) {
      waiting.delete(id);
      ask(['cancel', id]);
    }
  };
  const bound = (call, values) => () => call(...values);
  globalThis.setTimeout = (call, wait, ...values) => start(bound(call, values), wait, false);
  globalThis.setInterval = (call, wait, ...values) => start(bound(call, values), wait, true);
  globalThis.setImmediate = (call, ...values) => start(bound(call, values), 0, false);
  globalThis.clearTimeout = globalThis.clearInterval = globalThis.clearImmediate = stop;
  globalThis.queueMicrotask ??= (call) => void Promise.resolve().then(call);

  // ---- bytes and text

  class TextEncoder {
    get encoding() {
      return 'utf-8';
    }
    encode(text = '') {
      const coded = unescape(encodeURIComponent(String(text).toWellFormed()));
      return Uint8Array.from(coded, (letter) => letter.charCodeAt(0));
    }
    encodeInto(text, into) {
      const all = this.encode(text);
      let written = Math.min(all.length, into.length);
      while (written > 0 && written < all.length && (all[written] & 0xc0) === 0x80) written--;
      into.set(all.subarray(0, written));
      return { read: new TextDecoder().decode(all.subarray(0, written)).length, written };
    }
  }
  const replacement = '\ufffd';
  class TextDecoder {
    #fatal;
    #bom;
    #rest = new Uint8Array(0);
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      if (!/^(unicode-1-1-)?utf-?8$/i.test(label)) throw new RangeError(`only utf-8 is known, not ${label}`);
      this.#fatal = fatal;
      this.#bom = ignoreBOM;
    }
    get encoding() {
      return 'utf-8';
    }
    decode(data = new Uint8Array(0), { stream = false } = {}) {
      let bytes = bytesOf(data);
      if (this.#rest.length) bytes = joined([this.#rest, bytes]);
      const { text, used } = decoded(bytes, stream, this.#fatal);
      this.#rest = bytes.slice(used);
      return !this.#bom && text.startsWith('\ufeff') ? text.slice(1) : text;
    }
  }
  // The lengths and bounds are those of the table of well-formed sequences in the Unicode standard.
  const decoded = (bytes, stream, fatal) => {
    const parts = [];
    let at = 0;
    while (at < bytes.length) {
      const first = bytes[at];
      if (first < 0x80) {
        parts.push(first);
        at++;
        continue;
      }
      const two = first >= 0xc2 && first <= 0xdf;
      const four = first >= 0xf0 && first <= 0xf4;
      const size = two ? 2 : (first & 0xf0) === 0xe0 ? 3 : four ? 4 : 0;
      let point = first & (0xff >> (size + 1));
      let taken = 1;
      let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      while (taken < size && at + taken < bytes.length && bytes[at + taken] >= low && bytes[at + taken] <= high) {
        point = (point << 6) | (bytes[at + taken] & 0x3f);
        [low, high] = [0x80, 0xbf];
        taken++;
      }
      if (size && taken === size) parts.push(point);
      else if (size && stream && at + taken === bytes.length) break;
      else if (fatal) throw problem('the bytes are no UTF-8');
      else parts.push(0xfffd);
      at += taken;
    }
    let text = '';
    for (let from = 0; from < parts.length; from += 4096) {
      text += String.fromCodePoint(...parts.slice(from, from + 4096));
    }
    return { text, used: at };
  };
  globalThis.TextEncoder ??= TextEncoder;
  globalThis.TextDecoder ??= TextDecoder;

  const encoder = new TextEncoder();
  const bytesOf = (data) => {
    if (typeof data === 'string') return encoder.encode(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    throw problem('bytes or text are needed');
  };
  const joined = (parts) => {
    const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  const letters = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
    return text;
  };
  const toBase64 = (data) => btoa(letters(bytesOf(data)));
  const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const told = (result, name) => ('base64' in result ? fromBase64(result.base64) : encoder.encode(result[name] ?? ''));
  const content = (data, name) => (typeof data === 'string' ? { [name]: data } : { base64: toBase64(data) });

  // ---- randomness

  let drawn = new Uint8Array(0);
  const random = (count) => {
    while (drawn.length < count) drawn = joined([drawn, engine('random')]);
    const taken = drawn.slice(0, count);
    drawn = drawn.slice(count);
    return taken;
  };
  globalThis.crypto ??= {
    getRandomValues(array) {
      bytesOf(array).set(random(array.byteLength));
      return array;
    },
    randomUUID() {
      const bytes = random(16);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };

  // ---- events of the browser

  class Event {
    constructor(type, more = {}) {
      Object.assign(this, more);
      this.type = type;
      this.defaultPrevented = false;
    }
    preventDefault() {
      this.defaultPrevented = true;
    }
    stopPropagation() {}
    stopImmediatePropagation() {}
  }
  class EventTarget {
    #listeners = new Map();
    addEventListener(type, listener, more) {
      const once = typeof more === 'object' && more?.once;
      const list = this.#listeners.get(type) ?? [];
      if (!list.some((entry) => entry.listener === listener)) list.push({ listener, once });
      this.#listeners.set(type, list);
    }
    removeEventListener(type, listener) {
      this.#listeners.set(type, (this.#listeners.get(type) ?? []).filter((entry) => entry.listener !== listener));
    }
    dispatchEvent(found) {
      found.target = found.currentTarget = this;
      this[`on${found.type}`]?.call(this, found);
      for (const { listener, once } of [...(this.#listeners.get(found.type) ?? [])]) {
        if (once) this.removeEventListener(found.type, listener);
        typeof listener === 'function' ? listener.call(this, found) : listener?.handleEvent(found);
      }
      return !found.defaultPrevented;
    }
  }
  class AbortSignal extends EventTarget {
    aborted = false;
    reason = undefined;
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
    static abort(reason) {
      const made = new AbortController();
      made.abort(reason);
      return made.signal;
    }
    static timeout(wait) {
      const made = new AbortController();
      setTimeout(() => made.abort(named('TimeoutError', 'the time is up')), wait);
      return made.signal;
    }
    static any(signals) {
      const made = new AbortController();
      for (const signal of signals) {
        if (signal.aborted) made.abort(signal.reason);
        else signal.addEventListener('abort', () => made.abort(signal.reason), { once: true });
      }
      return made.signal;
    }
  }
  class AbortController {
    signal = new AbortSignal();
    abort(reason = named('AbortError', 'it was aborted')) {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      this.signal.reason = reason;
      this.signal.dispatchEvent(new Event('abort'));
    }
  }
  const named = (name, text) => Object.assign(new Error(text), { name });
  Object.assign(globalThis, { Event, EventTarget, AbortSignal, AbortController });

  // ---- fetch

  class Headers {
    #map = new Map();
    constructor(given = []) {
      const entries = given instanceof Headers || Array.isArray(given) ? given : Object.entries(given ?? {});
      for (const [name, value] of entries) this.append(name, value);
    }
    append(name, value) {
      const there = this.get(name);
      this.set(name, there === null ? value : `${there}, ${value}`);
    }
    set(name, value) {
      this.#map.set(String(name).toLowerCase(), String(value));
    }
    get(name) {
      return this.#map.get(String(name).toLowerCase()) ?? null;
    }
    has(name) {
      return this.#map.has(String(name).toLowerCase());
    }
    delete(name) {
      this.#map.delete(String(name).toLowerCase());
    }
    forEach(call) {
      this.#map.forEach((value, name) => call(value, name, this));
    }
    entries() {
      return this.#map.entries();
    }
    keys() {
      return this.#map.keys();
    }
    values() {
      return this.#map.values();
    }
    [Symbol.iterator]() {
      return this.#map.entries();
    }
  }
  class Response {
    #bytes;
    constructor(body = '', { status = 200, statusText = '', headers = {}, url = '' } = {}) {
      this.#bytes = bytesOf(body ?? '');
      this.headers = new Headers(headers);
      Object.assign(this, { status, statusText, url, bodyUsed: false, redirected: false, type: 'basic' });
      this.ok = status >= 200 && status < 300;
    }
    async bytes() {
      if (this.bodyUsed) throw problem('the body was used');
      this.bodyUsed = true;
      return this.#bytes;
    }
    async arrayBuffer() {
      return (await this.bytes()).slice().buffer;
    }
    async text() {
      return new TextDecoder().decode(await this.bytes());
    }
    async json() {
      return JSON.parse(await this.text());
    }
    clone() {
      return new Response(this.#bytes, this);
    }
    get body() {
      return null;
    }
  }
  const outcome = (kind, request) =>
    new Promise((done, failed) => {
      ask(['ask', kind, request], (id, denied) => {
        if (denied !== undefined) return void failed(problem(denied));
        until(id, (result, over) => {
          over();
          if ('error' in result) failed(problem(result.error));
          else done(result);
        });
      });
    });
  const OWN = ['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade']; // the runtime gives them
  const fetch = (input, more = {}) =>
    new Promise((done, failed) => {
      const { method = 'GET', headers = {}, body = null, signal = null } = more;
      const given = [...new Headers(headers)].filter(([name]) => !OWN.includes(name));
      const request = { url: String(input?.url ?? input), method, headers: Object.fromEntries(given) };
      if (body !== null && body !== undefined) {
        const plain = typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;
        Object.assign(request, content(plain ? body : String(body), 'body'));
        if (!plain && !('content-type' in request.headers))
          request.headers['content-type'] = 'application/x-www-form-urlencoded;charset=UTF-8';
      }
      if (signal?.aborted) return void failed(signal.reason);
      signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
      outcome('http', request).then(
        (result) => done(new Response(told(result, 'body'), { ...result, url: request.url })),
        failed,
      );
    });
  Object.assign(globalThis, { Headers, Response, fetch });

  // ---- tools of MCP servers

  globalThis.tool = (name, args = {}) =>
    new Promise((done, failed) => {
      ask(['ask', 'tool', { tool: String(name), arguments: args }], (id, denied) => {
        if (denied !== undefined) return void failed(problem(denied));
        until(id, (result, over) => {
          over();
          if ('error' in result) failed(problem(result.error));
          else done(result);
        });
      });
    });

  // ---- connections, which the runtime keeps open

  // Open one: `begun` gets its id, `take` what comes on it, and `over` what became of it in the end.
  const open = (kind, request, begun, take, over) =>
    ask(['ask', kind, request], (id, denied) => {
      if (denied !== undefined) return void over({ error: denied });
      begun(id);
      until(id, (result, done) => {
        if (!('closed' in result || 'error' in result)) return void take(result);
        done();
        over(result);
      });
    });

  // ---- WebSocket

  class WebSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;
    CONNECTING = 0;
    OPEN = 1;
    CLOSING = 2;
    CLOSED = 3;
    binaryType = 'blob';
    bufferedAmount = 0;
    extensions = '';
    protocol = '';
    readyState = WebSocket.CONNECTING;
    onopen = null;
    onmessage = null;
    onerror = null;
    onclose = null;
    #id = null;
    constructor(url, protocols = []) {
      super();
      this.url = String(url);
      const request = { url: this.url, protocols: [protocols].flat() };
      const begun = (id) => this.#begin(id);
      open('websocket', request, begun, (result) => this.#take(result), (result) => this.#over(result));
    }
    #begin(id) {
      this.#id = id;
      if (this.readyState === WebSocket.CLOSING) ask(['ask', 'close', { socket: id, code: 1000 }]);
    }
    #take(result) {
      if ('opened' in result) {
        this.readyState = WebSocket.OPEN;
        this.protocol = result.opened;
        this.dispatchEvent(new Event('open'));
      } else if ('frame' in result || 'base64' in result) {
        const data = 'frame' in result ? result.frame : fromBase64(result.base64).buffer;
        this.dispatchEvent(new Event('message', { data }));
      }
    }
    #over(result) {
      this.readyState = WebSocket.CLOSED;
      if ('error' in result) {
        this.dispatchEvent(new Event('error', { message: result.error, error: problem(result.error) }));
      }
      const code = result.closed ?? 1006;
      this.dispatchEvent(new Event('close', { code, reason: result.reason ?? '', wasClean: code !== 1006 }));
    }
    send(data) {
      if (this.readyState === WebSocket.CONNECTING) throw named('InvalidStateError', 'the socket is not open yet');
      if (this.readyState === WebSocket.OPEN) ask(['ask', 'frame', { socket: this.#id, ...content(data, 'frame') }]);
    }
    close(code = 1000) {
      if (this.readyState >= WebSocket.CLOSING) return;
      this.readyState = WebSocket.CLOSING;
      if (this.#id !== null) ask(['ask', 'close', { socket: this.#id, code }]);
    }
  }
  globalThis.WebSocket = WebSocket;

  // ---- TCP and TLS

  class Connection extends EventTarget {
    onopen = null;
    ondata = null;
    onerror = null;
    onclose = null;
    #id = null;
    #open = false;
    #closing = false;
    #early = []; // what is to be sent once it is open
    constructor(host, port, { tls = false } = {}) {
      super();
      const request = { host: String(host), port: Number(port), tls: Boolean(tls) };
      open('tcp', request, (id) => (this.#id = id), (result) => this.#take(result), (result) => this.#over(result));
    }
    #take(result) {
      if ('opened' in result) {
        this.#open = true;
        for (const request of this.#early.splice(0)) this.#send(...request);
        this.dispatchEvent(new Event('open'));
      } else if ('base64' in result) {
        this.dispatchEvent(new Event('data', { data: fromBase64(result.base64) }));
      }
    }
    #over(result) {
      this.#closing = true;
      this.#early = [];
      if ('error' in result) this.dispatchEvent(new Event('error', { error: problem(result.error) }));
      this.dispatchEvent(new Event('close', { code: result.closed ?? 1006, reason: result.reason ?? '' }));
    }
    #send(kind, words) {
      if (this.#open) ask(['ask', kind, { socket: this.#id, ...words }]);
      else this.#early.push([kind, words]);
    }
    write(data) {
      if (!this.#closing) this.#send('frame', content(data, 'frame'));
    }
    end() {
      if (!this.#closing) this.#send('end', {});
      this.#closing = true;
    }
    close() {
      this.#send('close', {});
      this.#closing = true;
    }
  }
  globalThis.Connection = Connection;

  // ---- the agent

  const handlers = new Map();
  const replied = (id, value) => {
    const text = typeof value === 'string' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
    const body = value === undefined ? '' : text ? value : JSON.stringify(value);
    ask(['reply', id, content(body ?? '', 'body')]);
  };
  const failure = (id, error) => ask(['fail', id, shown(error)]);
  const message = (found) => {
    const bytes = told(found, 'body');
    const call = handlers.get('message');
    if (!call) return replied(found.id, undefined);
    const text = () => new TextDecoder().decode(bytes);
    const given = { bytes, from: found.about, text, json: () => JSON.parse(text()) };
    const value = call(given);
    if (typeof value?.then === 'function')
      value.then((result) => replied(found.id, result), (error) => failure(found.id, error));
    else replied(found.id, value);
  };
  globalThis.agent = {
    name: engine.agent,
    on(kind, call) {
      if (kind !== 'message') throw problem(`an agent is told of 'message', not of '${kind}'`);
      handlers.set(kind, call);
    },
    send(name, body) {
      const plain = typeof body === 'string' || ArrayBuffer.isView(body);
      ask(['send', String(name), content(plain ? body : JSON.stringify(body), 'body')]);
    },
    publish: ({ urn, agents, edges }) => outcome('publish', { urn, agents, edges }),
  };
  globalThis.self = globalThis;

  // ---- what the runtime calls

  globalThis.__corollary = {
    turn(found) {
      if (found.kind === 'MESSAGE') message(found);
      else waiting.get(found.about)?.(found.result ?? {}, () => waiting.delete(found.about));
    },
    soon() {
      for (const call of soon.splice(0)) call();
      return soon.length;
    },
    take() {
      return JSON.stringify(asked.map((request) => request.words));
    },
    named(answers) {
      const taken = asked;
      asked = [];
      answers.forEach((answer, number) => taken[number].named?.(answer.id, answer.denied));
      return asked.length + soon.length;
    },
  };
})();
