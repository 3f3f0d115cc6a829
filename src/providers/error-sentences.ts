// The sentence of a request that failed: what happened and where, what the server said of it, and what to do next.
import { type ModelErrorDetails, type ModelErrorKind } from '../core/text/errors';
import { proxyLoginSentence } from './connection-error';
import { timeOfDay } from './rate-limit-headers';

interface Words {
  what: string;
  /** Empty where Deft tries again by itself and there is nothing to do but to wait. */
  next: string;
}

/** `{host}` is filled in. `connection-error.ts` describes the kinds that only a connection has. */
const words: Readonly<Record<Exclude<ModelErrorKind, 'network' | 'offline' | 'stalled' | 'dropped'>, Words>> = {
  invalid_request: { what: '{host} refused the request', next: 'Change your message, rewind, or pick another model.' },
  authentication: { what: 'The API key was not accepted by {host}', next: 'Set another API key.' },
  billing: {
    what: 'The account at {host} cannot pay for this request',
    next: 'Add credit or check the payment details there, then try again.',
  },
  permission: {
    what: 'The API key lacks permission for this at {host}',
    next: 'Set another API key, or pick a model that this key may use.',
  },
  not_found: { what: 'There is no Messages API at {host}', next: 'Check the base URL.' },
  too_large: { what: 'The request is too large for {host}', next: 'Compact the conversation, or start a new session.' },
  rate_limit: { what: 'The rate limit at {host} is reached', next: 'Wait until it lifts, or pick another model.' },
  spend_limit: {
    what: "The account's spending limit at {host} is reached",
    next: 'Raise the limit there, or set another API key: waiting does not lift it soon.',
  },
  overloaded: { what: 'The model is overloaded at {host}', next: 'Try again later, or pick another model.' },
  server: { what: '{host} failed', next: 'Try again; if it persists, check the status page of the service.' },
  timeout: { what: '{host} took too long to answer', next: 'Try again.' },
};

const missingModel: Words = { what: 'The model does not exist at {host}', next: 'Pick another model.' };
const proxyLimit: Words = {
  what: 'A proxy or gateway at {host} refuses requests of this size (413)',
  next: 'Raise its limit for the size of a request, compact the conversation, or start a new session.',
};
const redirected: Words = {
  what: '{host} redirects every request',
  next: 'Check the base URL: use the address that it redirects to.',
};

export interface Sentence {
  message: string;
  /** The end of it: what to do next. */
  next: string;
}

/** `what` and what the server said of it, unless that says nothing more ("Overloaded: Overloaded"). */
export function withSaid(what: string, said: string | undefined): string {
  const known = new Set(wordsOf(what));
  const saysMore = said !== undefined && wordsOf(said).some((word) => !known.has(word));
  return `${what}${saysMore ? `: ${said}` : ''}`.replace(/\.?$/, '.');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** `said` is the server's own sentence. `byProxy`: it has not the form of the API's errors. */
export function apiSentence(
  details: ModelErrorDetails,
  said: string | undefined,
  { host, now, byProxy = false }: { host: string; now: number; byProxy?: boolean },
): Sentence {
  const { kind, status, liftsAt, missing } = details;
  // VS Code's fetch lets a 407 through.
  if (kind === 'network') return { message: proxyLoginSentence(host), next: '' };
  if (kind === 'offline' || kind === 'stalled' || kind === 'dropped') return { message: said ?? kind, next: '' };
  const redirects = status !== undefined && status >= 300 && status < 400;
  const { what, next } = redirects
    ? redirected
    : missing === 'model'
      ? missingModel
      : byProxy && status === 413
        ? proxyLimit
        : words[kind];
  const lifts = liftsAt === undefined ? '' : ` It lifts at ${timeOfDay(liftsAt, now)}.`;
  return { message: `${withSaid(what.replace('{host}', host), said)}${lifts} ${next}`, next };
}
