// `node:util`: the package `util`, with what Node has added since.
module.exports = {
  ...require('../node_modules/util/util.js'),
  TextDecoder: globalThis.TextDecoder,
  TextEncoder: globalThis.TextEncoder,
};
