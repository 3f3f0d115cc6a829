// Secret storage that is not asked twice within a moment: each look is a way to the window and back, and every request of a turn needs the key and where it may go.
import type * as vscode from 'vscode';

/** A change in this window counts at once; one in a window that VS Code does not report counts after this. */
const heldMs = 5_000;

export type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

export function heldSecrets(
  storage: Secrets & Pick<vscode.SecretStorage, 'onDidChange'>,
  now: () => number = () => performance.now(),
): Secrets & vscode.Disposable {
  const held = new Map<string, { value: Thenable<string | undefined>; until: number }>();
  const listens = storage.onDidChange(({ key }) => void held.delete(key));
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
      if (present !== undefined && now() < present.until) return present.value;
      const reading = { value: storage.get(name), until: now() + heldMs };
      held.set(name, reading);
      // The next one who asks tries again.
      reading.value.then(undefined, () => held.get(name) === reading && held.delete(name));
      return reading.value;
    },
    store: (name, value) => changing(name, storage.store(name, value)),
    delete: (name) => changing(name, storage.delete(name)),
    dispose: () => listens.dispose(),
  };
}
