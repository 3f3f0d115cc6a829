// A server over WebSocket that answered the first request with a status of HTTP instead.
export class RefusedHandshake extends Error {
  constructor(readonly code: number) {
    super(`It answered the handshake with status ${code}.`);
  }
}
