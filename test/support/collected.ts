// Whether something can be forgotten: the collector runs until it is gone, or has had its chances.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export async function isCollected(held: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let tries = 0; tries < 20 && held.deref() !== undefined; tries++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return held.deref() === undefined;
}
