// Opens the connection to one server and says hello. All of the protocol's library hangs on this file, which is loaded late.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../core/text/errors';
import { longestMs } from '../../core/mcp/limits';
import { answerServer, capabilitiesOf } from './answer-server';
import { createLink } from './create-link';
import { type LinkOptions, type OpenedLink } from './link';
import { failureOf, lastWords } from './link-failure';
import { makeTransport, signInForMore } from './make-transport';
import { withheldFromServer, withheldNote } from './server-environment';
import { type StdioTransport } from './stdio-transport';

/** Never rejects. */
export async function openLink(options: LinkOptions, signal: AbortSignal): Promise<OpenedLink> {
  const opened = await open(options, signal).catch((error: unknown) => failureOf(error, options));
  // Another try would open the browser again, unasked.
  return options.signingIn === true && opened.kind === 'failed' ? { ...opened, passing: false } : opened;
}

/** A process may have failed for want of them. */
async function missedVariables({ entry, environment, passed }: LinkOptions): Promise<string> {
  if (entry.config.type !== 'stdio') return '';
  const note = withheldNote(withheldFromServer(await environment(), entry, passed?.() ?? []));
  return note === '' ? '' : ` ${note}`;
}

async function open(options: LinkOptions, signal: AbortSignal): Promise<OpenedLink> {
  const { entry, times, log, challenge } = options;
  const refused = await options.refuses?.(entry);
  if (refused !== undefined) return { kind: 'failed', why: refused, passing: false };
  const provider = options.auth?.(entry);
  // A call was refused, and so saying hello would not be.
  if (options.signingIn === true && challenge !== undefined && provider !== undefined) {
    return signedIn(options, signal, () => signInForMore(provider, challenge, options, signal));
  }
  const limit = timeLimit(Math.min(times.connectMs, longestMs));
  const limited = AbortSignal.any([signal, limit.signal]);
  const made = await makeTransport(options, provider, limited, limit.lift);
  if (typeof made === 'string') return { kind: 'failed', why: made, passing: false };
  const client = createClient(options);
  try {
    await connect(client, made.transport, limited, options.signingIn === true ? longestMs : times.connectMs);
    limit.lift();
  } catch (error) {
    limit.lift();
    // Closing is an ending too, and would hide what the server said.
    const ending = endingOf(made.transport);
    await made.transport.close().catch(() => undefined);
    if (made.notOpened !== undefined) return { kind: 'failed', why: made.notOpened, passing: false };
    const { finishAuth } = made;
    if (
      error instanceof UnauthorizedError &&
      options.signingIn === true &&
      provider !== undefined &&
      finishAuth !== undefined
    ) {
      // The user has as long as they need.
      return signedIn(options, signal, async () => finishAuth(await provider.authorizationCode(signal)));
    }
    if (limited.aborted && !signal.aborted)
      return {
        kind: 'failed',
        why: `It did not answer within ${times.connectMs / 1000} seconds.${lastWords(options)} MCP_TIMEOUT changes this limit, in milliseconds.${await missedVariables(options)}`,
        passing: entry.config.type !== 'stdio',
      };
    if (entry.config.type === 'stdio' && ending !== undefined)
      return { kind: 'failed', why: `${ending}${lastWords(options)}${await missedVariables(options)}`, passing: false };
    throw error;
  }
  let closing = false;
  const link = createLink(client, made, options, () => (closing = true));
  client.onclose = () => {
    if (!closing) options.events.ended(endingOf(made.transport) ?? 'The connection was closed.');
  };
  client.onerror = (error) => log.add(messageOf(error));
  return { kind: 'open', link };
}

/** Connects with what the sign-in gave. */
async function signedIn(options: LinkOptions, signal: AbortSignal, work: () => Promise<void>): Promise<OpenedLink> {
  try {
    await work();
  } catch (problem) {
    return {
      kind: 'failed',
      why: messageOf(problem) || 'The server refused the sign-in. Sign in again.',
      passing: false,
    };
  }
  return open({ ...options, signingIn: false }, signal);
}

/** Initialisation ends with the signal too, also where the transport hangs before the first message. */
async function connect(client: Client, transport: Transport, signal: AbortSignal, timeoutMs: number): Promise<void> {
  const connecting = client.connect(transport, { signal, timeout: Math.min(timeoutMs, longestMs) });
  connecting.catch(() => undefined);
  await Promise.race([
    connecting,
    new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

function createClient(options: LinkOptions): Client {
  const client = new Client(
    { name: 'deft', title: 'Deft', version: options.version },
    // Results are read by hand, and so nothing is checked against a server's own schemas.
    {
      capabilities: capabilitiesOf(options),
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  answerServer(client, options);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.events.changed('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => options.events.changed('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => options.events.changed('resources'));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const { level, data } = params;
    options.log.add(`[${level}] ${typeof data === 'string' ? data : (JSON.stringify(data) ?? '')}`);
  });
  return client;
}

/** Fires after `ms`, unless it is lifted. */
function timeLimit(ms: number): { signal: AbortSignal; lift: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('The time limit was reached.', 'TimeoutError')), ms);
  timer.unref();
  return { signal: controller.signal, lift: () => clearTimeout(timer) };
}

function endingOf(transport: Transport): string | undefined {
  return 'ending' in transport ? (transport as StdioTransport).ending : undefined;
}
