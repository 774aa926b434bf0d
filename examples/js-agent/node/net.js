// `node:net`: the connections of the runtime, as streams.
import { Duplex } from 'stream';

export class Socket extends Duplex {
  #connection = null;
  connecting = false;
  secure = false;
  connect(...given) {
    const { port, host = 'localhost' } = placeIn(given);
    const told = given.at(-1);
    if (typeof told === 'function') this.once(this.secure ? 'secureConnect' : 'connect', told);
    this.connecting = true;
    const connection = (this.#connection = new Connection(host, port, { tls: this.secure }));
    connection.onopen = () => {
      this.connecting = false;
      this.emit('connect');
      if (this.secure) this.emit('secureConnect');
      this.emit('ready');
    };
    connection.ondata = ({ data }) => this.push(Buffer.from(data));
    connection.onerror = ({ error }) => this.destroy(error);
    connection.onclose = ({ code, reason }) => {
      this.push(null);
      this.destroy(code === 1006 && reason ? new Error(reason) : null);
    };
    return this;
  }
  _read() {}
  _write(data, encoding, done) {
    this.#connection.write(data);
    done();
  }
  _final(done) {
    this.#connection.end();
    done();
  }
  _destroy(problem, done) {
    this.#connection?.close();
    done(problem);
  }
  setEncoding(encoding) {
    super.setEncoding(encoding);
    return this;
  }
  setKeepAlive = () => this;
  setNoDelay = () => this;
  setTimeout = () => this;
  ref = () => this;
  unref = () => this;
}

// Where to connect to: `({port, host})` or `(port, host)`.
const placeIn = ([first, second]) =>
  typeof first === 'object' ? first : { port: first, ...(typeof second === 'string' && { host: second }) };

export const isIP = (text) => (/^(\d{1,3}\.){3}\d{1,3}$/.test(text) ? 4 : String(text).includes(':') ? 6 : 0);
export const connect = (...given) => new Socket().connect(...given);
export const createConnection = connect;
export default { Socket, connect, createConnection, isIP };
