// Speaks with a server over WebSocket: one JSON message a frame. The library's own transport sends no headers, and Node 20 has no WebSocket that it could use.
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import WebSocket from 'ws';
import { maxMessageBytes } from '../../core/mcp/limits';
import { type ReadMessage, readMessage } from './read-message';
import { RefusedHandshake } from './refused-handshake';
import { type ServerLog } from './server-log';

export interface WebSocketOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  log: ServerLog;
}

/** As the protocol's library names it in the handshake. */
const subprotocol = 'mcp';
/** A server that does not answer the goodbye is left. */
const closeMs = 500;
const maxStrayMessages = 20;
const noText: ReadMessage = { message: undefined, isSound: false };

export function createWebSocketTransport({
  url,
  headers,
  log,
}: WebSocketOptions): Transport & { readonly ending: string | undefined } {
  let socket: WebSocket | undefined;
  let ending: string | undefined;
  let stray = 0;
  let closed = false;

  const receive = (data: WebSocket.RawData, isBinary: boolean): void => {
    const { message, isSound } = isBinary ? noText : readMessage(data.toString());
    if (message !== undefined) transport.onmessage?.(message);
    if (!isSound && stray++ < maxStrayMessages) log.add('(not a protocol message)');
  };
  const over = (code: number): void => {
    if (closed) return;
    closed = true;
    ending ??= code === normalClosure ? 'It closed the connection.' : `The connection broke off (${code}).`;
    transport.onclose?.();
  };
  const transport: Transport & { readonly ending: string | undefined } = {
    get ending() {
      return ending;
    },
    start: () =>
      new Promise((resolve, reject) => {
        const opening = new WebSocket(url, subprotocol, {
          headers,
          maxPayload: maxMessageBytes,
          followRedirects: false,
        });
        socket = opening;
        opening.once('open', () => resolve());
        opening.once('unexpected-response', (_request, response) => {
          reject(new RefusedHandshake(response.statusCode ?? 0));
          response.resume();
          opening.terminate();
        });
        opening.on('error', (error: NodeJS.ErrnoException) => {
          // Before it stood, nobody reads how it ended: the failure says more.
          if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
            ending = `It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB, so the connection was closed.`;
          reject(error);
          transport.onerror?.(error);
        });
        opening.on('message', receive);
        opening.on('close', (code: number) => over(code));
      }),
    send: (message: JSONRPCMessage) =>
      new Promise((resolve, reject) => {
        if (socket?.readyState !== WebSocket.OPEN) return reject(new Error(ending ?? 'It is not connected.'));
        if (socket.bufferedAmount > maxMessageBytes) {
          ending = 'It does not read its input, so the connection was closed.';
          socket.terminate();
          return reject(new Error(ending));
        }
        socket.send(JSON.stringify(message), (error) => (error == null ? resolve() : reject(error)));
      }),
    close: () =>
      new Promise((resolve) => {
        const leaving = socket;
        if (leaving === undefined || leaving.readyState === WebSocket.CLOSED) return resolve();
        const late = setTimeout(() => leaving.terminate(), closeMs);
        leaving.once('close', () => {
          clearTimeout(late);
          resolve();
        });
        ending ??= 'It was closed.';
        // What still connects has no goodbye.
        if (leaving.readyState === WebSocket.CONNECTING) leaving.terminate();
        else leaving.close();
      }),
  };
  return transport;
}

const normalClosure = 1000;
