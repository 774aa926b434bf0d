// The package `ws`: the WebSocket of the runtime.
module.exports = { WebSocket: globalThis.WebSocket };
