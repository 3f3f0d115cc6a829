// A key or token that a command of the user prints: asked for once, kept for a while, asked for again when it is refused.
import { abortable } from '../core/text/abortable';
import { ModelError } from '../core/text/errors';
import { type RunCredentialCommand } from '../core/model/credential-commands';
import { type StartTimer } from './stall-watch';

export interface FetchedKey {
  /** Throws a ModelError where the command gives none. */
  value(signal: AbortSignal): Promise<string>;
  /** The next value is a new one. */
  forget(): void;
  /** Every value that there was: none may be shown. Grows. */
  readonly secrets: string[];
}

export interface FetchedKeyOptions {
  command: string;
  run: RunCredentialCommand;
  lifetimeMs: number;
  now: () => number;
  /** For sentences: the setting that names the command, say. */
  name: string;
}

export function createFetchedKey({ command, run, lifetimeMs, now, name }: FetchedKeyOptions): FetchedKey {
  const secrets: string[] = [];
  let known: { value: string; until: number } | undefined;
  let asking: Promise<string> | undefined;

  const ask = async (signal: AbortSignal): Promise<string> => {
    const result = await run(command, signal);
    const value = 'output' in result ? result.output.trim() : '';
    if (value === '')
      throw credentialError(
        `${name} gave no key: ${'problem' in result ? result.problem : 'the command printed nothing.'}`,
      );
    if (/[^\x21-\x7e]/.test(value)) throw credentialError(`${name} printed more than a key: a key is a single word.`);
    if (!secrets.includes(value)) secrets.push(value);
    known = { value, until: now() + lifetimeMs };
    return value;
  };

  return {
    async value(signal) {
      if (known !== undefined && now() < known.until) return known.value;
      // Requests that start together share one run of the command; one that is given up does not end it for the others.
      asking ??= ask(new AbortController().signal).finally(() => (asking = undefined));
      return abortable(asking, signal);
    },
    forget: () => (known = undefined),
    secrets,
  };
}

/** The sentence is for the user; it holds no output of the command. */
export function credentialError(message: string): ModelError {
  return new ModelError(message, { kind: 'authentication' }, { retryable: false });
}

/** As long as a command has: a sign-in waits for a browser. */
const limitMs = 180_000;

/** What never answers must not be waited for by every request to come. `name` begins the sentence. */
export async function inTime<Value>(promise: Promise<Value>, name: string, startTimer: StartTimer): Promise<Value> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = startTimer(limitMs, () =>
      reject(
        credentialError(
          `${name} gave no credentials within ${limitMs / 1000} seconds. Sign in, then send the message again.`,
        ),
      ),
    );
  });
  return Promise.race([promise, late]).finally(cancel);
}
