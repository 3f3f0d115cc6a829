// Secret storage that nobody waits for once it has answered: each look is a round trip to the window, which may be busy, and every request of a turn needs the key and where it may go.
import type * as vscode from 'vscode';

/** A change that VS Code reports counts at once; one that it does not report counts soon after this. */
const freshMs = 5_000;

type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

export type HeldSecrets = Secrets & vscode.Disposable;

interface Held {
  value: Thenable<string | undefined>;
  /** False while the first reading has not answered. */
  answered: boolean;
  staleAt: number;
  renewing: boolean;
}

/** What has been read is given out while it is renewed behind it. */
export function heldSecrets(
  storage: Secrets & Pick<vscode.SecretStorage, 'onDidChange'>,
  now: () => number = () => performance.now(),
): HeldSecrets {
  const held = new Map<string, Held>();

  const renew = (name: string, present: Held): void => {
    present.renewing = true;
    const renewed = (): void => {
      present.renewing = false;
      present.staleAt = now() + freshMs;
    };
    storage.get(name).then((value) => {
      renewed();
      present.value = Promise.resolve(value);
    }, renewed);
  };
  const read = (name: string): Held['value'] => {
    const reading: Held = { value: storage.get(name), answered: false, staleAt: now() + freshMs, renewing: false };
    held.set(name, reading);
    reading.value.then(
      () => (reading.answered = true),
      // The next one who asks tries again.
      () => held.get(name) === reading && held.delete(name),
    );
    return reading.value;
  };
  const listens = storage.onDidChange(({ key }) => {
    // Read ahead what somebody needs: what was read before it changed is not given out any more.
    if (held.delete(key)) read(key).then(undefined, () => undefined);
  });
  /** What was read before or meanwhile is not what stands afterwards. */
  const changing = async (name: string, change: Thenable<void>): Promise<void> => {
    held.delete(name);
    try {
      await change;
    } finally {
      held.delete(name);
    }
  };
  return {
    get(name) {
      const present = held.get(name);
      if (present === undefined) return read(name);
      if (present.answered && !present.renewing && now() >= present.staleAt) renew(name, present);
      return present.value;
    },
    store: (name, value) => changing(name, storage.store(name, value)),
    delete: (name) => changing(name, storage.delete(name)),
    dispose: () => listens.dispose(),
  };
}
