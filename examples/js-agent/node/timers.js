// `node:timers`: the timers of the runtime, which outlive its process.
export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
