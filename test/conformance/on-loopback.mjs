// Loaded in front of the suite: what it lets listen on every address listens on this machine alone. A host given to `listen` would do so too, but later than the suite asks for the port.
import { Server } from 'node:net';

const listen = Server.prototype._listen2;
Server.prototype._listen2 = function (address, port, addressType, ...more) {
  return address === null
    ? listen.call(this, '127.0.0.1', port, 4, ...more)
    : listen.call(this, address, port, addressType, ...more);
};
