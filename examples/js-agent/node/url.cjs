// `node:url`: the package `url`, with what Node has added since.
module.exports = {
  ...require('../node_modules/url/url.js'),
  URL: globalThis.URL,
  URLSearchParams: globalThis.URLSearchParams,
};
