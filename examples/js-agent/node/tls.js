// `node:tls`: the same as `node:net`; the runtime checks whom it talks to.
import { Socket } from 'net';

export class TLSSocket extends Socket {
  authorized = true; // else it is not opened
  encrypted = true;
  secure = true;
}
export const connect = (...given) => new TLSSocket().connect(...given);
export default { TLSSocket, connect };
