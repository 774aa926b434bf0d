// `node:timers/promises`: the same timers, as promises.
export const setTimeout = (wait, value, { signal } = {}) =>
  new Promise((done, failed) => {
    signal?.throwIfAborted();
    const timer = globalThis.setTimeout(() => done(value), wait);
    signal?.addEventListener('abort', () => {
      globalThis.clearTimeout(timer);
      failed(signal.reason);
    });
  });
export const setImmediate = (value) => setTimeout(0, value);
