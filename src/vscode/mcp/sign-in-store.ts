// What sign-ins leave behind, in the secret storage alone: one secret for each server, since all windows write there.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { type McpSignIn } from '../../node/mcp/link';

type Tokens = NonNullable<Awaited<ReturnType<McpSignIn['tokens']>>>;
type ClientInformation = NonNullable<Awaited<ReturnType<McpSignIn['clientInformation']>>>;

/** Of one server. */
export interface StoredSignIn {
  tokens?: Tokens | undefined;
  client?: { redirect: string; information: ClientInformation } | undefined;
}

export interface SignInStore {
  /** Takes away what an earlier version kept. Never rejects. */
  clean(): Promise<void>;
  /** As it is now: another window may have changed it. Where the storage fails or is slow, what this window knows. */
  read(key: string): Promise<StoredSignIn>;
  /** What this window has read last. */
  known(key: string): StoredSignIn;
  /** Rejects where it cannot be stored. */
  change(key: string, part: Partial<StoredSignIn>): Promise<void>;
  /** All tokens that this window knows. */
  tokens(): readonly string[];
}

/** The storage is in the window, which may be busy for a long time: nobody waits longer for what is known already. */
const patienceMs = 50;

/** One map of all servers by their address alone, of an earlier version. */
const formerKey = 'deft.mcp.signIns';

export function createSignInStore(secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>): SignInStore {
  const last = new Map<string, StoredSignIn>();
  let cleaning: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const fetched = async (key: string): Promise<StoredSignIn> => {
    const stored = parsed(await secrets.get(secretOf(key)));
    last.set(key, stored);
    return stored;
  };
  return {
    clean: () => (cleaning ??= Promise.resolve(secrets.delete(formerKey)).catch(() => (cleaning = undefined))),
    async read(key) {
      const known = last.get(key);
      const now = fetched(key).catch(() => known ?? {});
      return known === undefined ? now : Promise.race([now, delay(patienceMs, known, { ref: false })]);
    },
    known: (key) => last.get(key) ?? {},
    change(key, part) {
      // One after the other: each reads what the one before has written.
      const changed = queue.then(async () => {
        const next = { ...(await fetched(key)), ...part };
        if (next.tokens === undefined && next.client === undefined) await secrets.delete(secretOf(key));
        else await secrets.store(secretOf(key), JSON.stringify(next));
        last.set(key, next);
      });
      queue = changed.catch(() => undefined);
      return changed;
    },
    tokens: () =>
      [...last.values()].flatMap(({ tokens }) =>
        [tokens?.access_token, tokens?.refresh_token].filter((token) => token !== undefined),
      ),
  };
}

function secretOf(key: string): string {
  return `deft.mcp.signIn.${createHash('sha256').update(key).digest('hex')}`;
}

/** Nobody else writes it: what cannot be read is lost, and the user signs in again. */
function parsed(text: string | undefined): StoredSignIn {
  try {
    return text === undefined ? {} : (JSON.parse(text) as StoredSignIn);
  } catch {
    return {};
  }
}
