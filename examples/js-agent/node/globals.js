// What packages for Node take for granted: `Buffer`, `process`, `URL`, `URLSearchParams`, `structuredClone`.
import { Buffer } from 'buffer';
import process from 'process';
import 'core-js/actual/structured-clone.js';
import 'core-js/actual/url-search-params/index.js';
import 'core-js/actual/url/index.js';

// A package that finds `bun` takes the global `fetch` and `WebSocket`, where for Node it would open sockets itself.
process.versions = { node: '20.0.0', bun: '1.0.0' };
process.emitWarning ??= console.warn;
process.nextTick = (call, ...values) => queueMicrotask(() => call(...values));
globalThis.Atomics ??= {}; // there are no threads, but some packages list what it has
Object.assign(globalThis, { Buffer, process, global: globalThis });
