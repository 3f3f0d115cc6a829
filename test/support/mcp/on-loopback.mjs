// Loaded in front of a reference server: it listens on this machine alone, on a port of the system's choice, and prints the port.
import { Server } from 'node:net';

const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
  this.once('listening', () => process.stdout.write(`port ${this.address().port}\n`));
  return listen.call(this, 0, '127.0.0.1', ...args.filter((argument) => typeof argument === 'function'));
};
