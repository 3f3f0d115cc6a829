// Answers that are sent at once: the API's error bodies, and JSON.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { OpenRequest } from './recorded-requests';
import type { HttpError } from './script';
import { isObject } from './violation';

export type ApiError = Pick<HttpError, 'status' | 'type' | 'message'> & Partial<HttpError>;

export function sendError(response: ServerResponse, request: OpenRequest, error: ApiError): void {
  request.markFirstByte();
  if (error.rawBody !== undefined) {
    response.writeHead(error.status, { 'content-type': 'text/html', ...error.headers });
    response.end(error.rawBody);
    return request.markAnswered('complete');
  }
  const body = { type: 'error', error: { type: error.type, message: error.message }, request_id: request.id };
  return sendJson(response, request, error.status, body, error.headers ?? {});
}

export function sendJson(
  response: ServerResponse,
  request: OpenRequest,
  status: number,
  body: unknown,
  headers: IncomingHttpHeaders | Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': request.id, ...headers });
  response.end(JSON.stringify(isObject(body) ? body : {}));
  request.markAnswered('complete');
}
