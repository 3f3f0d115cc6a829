// What went wrong with a connection, in a sentence, and whether another try or a sign-in would do.
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isAbort, messageOf } from '../../core/text/errors';
import { failureText } from './failure-text';
import { type LinkOptions, type OpenedLink } from './link';
import { RefusedHandshake } from './refused-handshake';
import { isObject } from '../../shared/plain-object';

export function failureOf(error: unknown, options: LinkOptions): Exclude<OpenedLink, { kind: 'open' }> {
  const refused = refusalOf(error, options);
  if (refused !== undefined) return refused;
  if (isAbort(error)) return { kind: 'failed', why: 'Connecting was stopped.', passing: false };
  const refusedBy = answerFailure(statusOf(error), error instanceof Error ? error.message : '');
  if (refusedBy !== undefined) return refusedBy;
  if (error instanceof McpError)
    return {
      kind: 'failed',
      why: `It refused the connection: ${failureText(error)}`,
      passing: error.code === Number(ErrorCode.RequestTimeout),
    };
  if (error instanceof Error && error.message.includes('protocol version is not supported'))
    return {
      kind: 'failed',
      why: `It speaks another version of the protocol: ${failureText(error)} Update the server, or Deft.`,
      passing: false,
    };
  if (error instanceof SyntaxError || (error instanceof Error && error.name.endsWith('ZodError')))
    return {
      kind: 'failed',
      why: `Its answer is not a protocol message: check the ${whereItIs(options)} of its entry.`,
      passing: false,
    };
  return { kind: 'failed', why: `It cannot be reached: ${causeOf(error)}`, passing: true };
}

/** What an answer's status says; undefined where there was none. */
function answerFailure(code: number | undefined, said: string): Exclude<OpenedLink, { kind: 'open' }> | undefined {
  // The library has no status for an answer that came in another form.
  const form = /Unexpected content type: (.{1,100})/.exec(said)?.[1];
  if (code === -1)
    return {
      kind: 'failed',
      why: `It answers with ${form ?? 'something else'}, not with protocol messages: check the "url" and the "type" of its entry.`,
      passing: false,
    };
  const elsewhere = /redirect\S* .*?(https?:\/\/[^\s)"']{1,500})/i.exec(said)?.[1];
  if (code !== undefined && code >= 300 && code < 400)
    return {
      kind: 'failed',
      why: `It redirects its clients (${code})${elsewhere === undefined ? '' : `: ${elsewhere}`}. The request and the headers of its entry were not sent there. If the server has moved, put that address into its "url".`,
      passing: false,
    };
  if (code !== undefined)
    return {
      kind: 'failed',
      why: `It answers with status ${code}${code === 404 || code === 405 ? ': check the "url" and the "type" of its entry' : ''}.`,
      passing: code >= 500 || code === 429,
    };
  return undefined;
}

/** The server wants to know who asks; undefined where it failed for another reason. */
export function refusalOf(
  error: unknown,
  { auth, entry }: LinkOptions,
): Exclude<OpenedLink, { kind: 'open' }> | undefined {
  if (!(error instanceof UnauthorizedError) && statusOf(error) !== 401) return undefined;
  if (entry.config.type !== 'stdio' && hasAuthorization(entry.config.headers))
    return {
      kind: 'failed',
      why: 'It refuses the `Authorization` header of its entry (401). Fix the header.',
      passing: false,
    };
  return auth?.(entry) === undefined && auth !== undefined
    ? { kind: 'failed', why: 'It requires a sign-in (401), which is not possible here.', passing: false }
    : { kind: 'needs-sign-in' };
}

export function isRefusal(error: unknown): boolean {
  return error instanceof UnauthorizedError || statusOf(error) === 401 || statusOf(error) === 403;
}

/** Of a process: an address writes nothing into its log. */
export function lastWords({ log, entry }: LinkOptions): string {
  if (entry.config.type !== 'stdio') return '';
  const words = log
    .lines()
    .filter((line) => !/^(?:It (?:ended with|did not answer within)|Deft did not pass it) /.test(line))
    .slice(-3)
    .join(' ')
    .trim();
  return words === '' ? '' : ` It wrote: ${words.slice(-400)}`;
}

function whereItIs({ entry }: LinkOptions): string {
  return entry.config.type === 'stdio' ? '"command" and the "args"' : '"url" and the "type"';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof StreamableHTTPError || error instanceof SseError || error instanceof RefusedHandshake
    ? error.code
    : undefined;
}

function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** `fetch failed` alone says nothing. */
function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = isObject(cause) && typeof cause['code'] === 'string' ? ` (${cause['code']})` : '';
  return `${messageOf(error)}${code}`;
}
