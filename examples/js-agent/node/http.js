// `node:http`: requests by the `fetch` of the runtime. A body leaves, and comes, as a whole.
import { Readable, Writable } from 'stream';

export class IncomingMessage extends Readable {
  constructor(response) {
    super();
    this.statusCode = response.status;
    this.statusMessage = STATUS_CODES[response.status] ?? '';
    this.headers = Object.fromEntries(response.headers.entries());
  }
  _read() {}
}

export class ClientRequest extends Writable {
  #parts = [];
  #abort = new AbortController();
  constructor(url, { method = 'GET', headers = {} }) {
    super();
    this.url = url;
    this.method = method.toUpperCase();
    this.headers = { ...headers };
  }
  setHeader(name, value) {
    this.headers[name] = value;
  }
  getHeader(name) {
    return Object.entries(this.headers).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
  }
  _write(data, encoding, done) {
    this.#parts.push(data);
    done();
  }
  _final(done) {
    done();
    const body = this.#parts.length ? Buffer.concat(this.#parts) : null;
    fetch(this.url, { method: this.method, headers: this.headers, body, signal: this.#abort.signal })
      .then(async (response) => {
        const message = new IncomingMessage(response);
        this.emit('response', message);
        message.push(Buffer.from(await response.arrayBuffer()));
        message.push(null);
      })
      .catch((problem) => this.destroy(problem));
  }
  _destroy(problem, done) {
    this.#abort.abort();
    done(problem);
  }
  flushHeaders() {}
  setTimeout = () => this;
  setNoDelay = () => this;
}

// A function that makes requests with a scheme, given as `(url, options, told)`; each but the last is optional.
export const requester = (scheme) => (...given) => {
  const told = typeof given.at(-1) === 'function' ? given.pop() : null;
  const [first, second] = given;
  const options = (typeof first === 'object' && !(first instanceof URL) ? first : second) ?? {};
  const host = options.host ?? `${options.hostname ?? 'localhost'}${options.port ? `:${options.port}` : ''}`;
  const url = options === first ? `${scheme}//${host}${options.path ?? '/'}` : String(first);
  const made = new ClientRequest(url, options);
  if (told) made.once('response', told);
  return made;
};
const getter = (request) => (...given) => {
  const made = request(...given);
  made.end();
  return made;
};

export const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
export const STATUS_CODES = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};
export class Agent {}
export const globalAgent = new Agent();
export const moduleFor = (scheme) => {
  const request = requester(scheme);
  return { Agent, ClientRequest, IncomingMessage, METHODS, STATUS_CODES, globalAgent, request, get: getter(request) };
};
const made = moduleFor('http:');
export const { request, get } = made;
export default made;
