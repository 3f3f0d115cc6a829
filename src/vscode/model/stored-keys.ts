// The keys in secret storage. One for the Messages API goes only where it was entered for, or where the user agreed to send it.
import type * as vscode from 'vscode';

/** Where a key is asked for; the clouds have their own ways to sign in. */
export type KeyedProvider = 'anthropic' | 'foundry';
const keyNames: Readonly<Record<KeyedProvider, string>> = {
  anthropic: 'deft.anthropic.apiKey',
  foundry: 'deft.foundry.apiKey',
};
const placesName = 'deft.anthropic.apiKey.places';
const vendor = 'https://api.anthropic.com';

export interface StoredKeys {
  foundry(): Promise<string | undefined>;
  /** The key that may go to this address of the Messages API; undefined is the vendor's. */
  at(address: string | undefined): Promise<string | undefined>;
  /** Where the key may go, if there is one and none of these places is this address. */
  elsewhere(address: string): Promise<readonly string[] | undefined>;
  /** The user agreed: the key goes there too. */
  allow(address: string): Promise<void>;
  /** `address` is what the key was entered for. */
  set(key: string, provider: KeyedProvider, address: string | undefined): Promise<void>;
  clear(): Promise<void>;
  /** Every key that was read or set. Grows. */
  readonly known: Set<string>;
}

export function createStoredKeys(storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>): StoredKeys {
  const known = new Set<string>();
  const read = async (provider: KeyedProvider): Promise<string | undefined> => {
    const key = await storage.get(keyNames[provider]);
    if (key !== undefined) known.add(key);
    return key;
  };
  /** Of a key from before this was kept: the vendor's alone. */
  const places = async (): Promise<readonly string[]> => (await storage.get(placesName))?.split('\n') ?? [vendor];
  const mayGo = async (address: string | undefined): Promise<boolean> => (await places()).includes(placeOf(address));
  return {
    foundry: () => read('foundry'),
    async at(address) {
      const [key, may] = await Promise.all([read('anthropic'), mayGo(address)]);
      return may ? key : undefined;
    },
    async elsewhere(address) {
      return (await read('anthropic')) === undefined || (await mayGo(address)) ? undefined : places();
    },
    async allow(address) {
      await storage.store(placesName, [...(await places()), placeOf(address)].join('\n'));
    },
    async set(key, provider, address) {
      known.add(key);
      if (provider === 'anthropic') {
        // The key before must never have the places of this one.
        await storage.delete(keyNames.anthropic);
        await storage.store(placesName, placeOf(address));
      }
      await storage.store(keyNames[provider], key);
    },
    async clear() {
      for (const name of [...Object.values(keyNames), placesName]) await storage.delete(name);
    },
    known,
  };
}

/** The host with its scheme: what was entered for https does not go out in the open. */
function placeOf(address: string | undefined): string {
  const named = address?.trim() || vendor;
  return URL.canParse(named) ? new URL(named).origin : named;
}
