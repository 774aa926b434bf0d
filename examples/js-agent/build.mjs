// Makes `agent.wasm` of `agent.js` or `agent.ts`: QuickJS, with the script and all that it imports behind it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { build } from 'esbuild';

const ENGINE = 'node_modules/quickjs-wasi/quickjs.wasm';
const SECTION = 'corollary:javascript'; // the custom section in which the runtime looks for the script
const entry = process.argv[2] ?? (existsSync('agent.ts') ? 'agent.ts' : 'agent.js');
const made = process.argv[3] ?? 'agent.wasm';

// What stands for the modules of Node; those that are not here are absent.
const standIns = {
  buffer: 'buffer',
  events: 'events',
  http: './node/http.js',
  https: './node/https.js',
  net: './node/net.js',
  path: 'path-browserify',
  process: 'process',
  stream: 'stream-browserify',
  string_decoder: 'string_decoder',
  timers: './node/timers.js',
  tls: './node/tls.js',
  'timers/promises': './node/timers-promises.js',
  url: './node/url.cjs',
  util: './node/util.cjs',
};
const alias = { undici: './node/absent.cjs', ws: './node/ws.cjs' };
for (const name of builtinModules.filter((name) => !name.startsWith('_'))) {
  const to = standIns[name] ?? './node/absent.cjs';
  alias[`node:${name}`] = to;
  if (to !== name) alias[name] = to;
}

const bundle = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'browser',
  target: 'es2023',
  alias,
  inject: ['./node/globals.js'],
  external: ['zlib-sync'], // optional for those who import it
  mainFields: ['browser', 'module', 'main'],
  conditions: ['node', 'require', 'default'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
});

const number = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]); // LEB128
const name = Buffer.from(SECTION);
const content = Buffer.concat([Buffer.from(number(name.length)), name, bundle.outputFiles[0].contents]);
writeFileSync(made, Buffer.concat([readFileSync(ENGINE), Buffer.from([0, ...number(content.length)]), content]));
console.log(`${made}: ${content.length} bytes of script`);
