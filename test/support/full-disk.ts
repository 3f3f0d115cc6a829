// A disk that is full, for as long as a test says so: writes of open files fail as the system's do.
import { defined } from '../../src/shared/defined';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function noSpace(file?: string): NodeJS.ErrnoException {
  const what = file === undefined ? 'write' : `mkdtemp '${file}'`;
  return Object.assign(new Error(`ENOSPC: no space left on device, ${what}`), {
    code: 'ENOSPC',
    errno: -28,
    syscall: 'write',
    ...defined({ path: file }),
  });
}

export type Writing = 'write' | 'writeFile' | 'sync' | 'datasync' | 'chmod';

/** `times`: so often, then the disk has room again. Half of the bytes of a `write` still fit. */
export async function onFullDisk<Result>(of: Writing, use: () => Promise<Result>, times = Infinity): Promise<Result> {
  const prototype = await handlePrototype();
  const whole = prototype[of] as (this: FileHandle, ...args: unknown[]) => Promise<unknown>;
  let left = times;
  const failing = async function (this: FileHandle, ...args: unknown[]): Promise<unknown> {
    if (left-- <= 0) return whole.apply(this, args);
    if (of === 'write' && args[0] instanceof Uint8Array) {
      const [bytes, from, length, at] = args as [Uint8Array, number, number, number];
      await whole.call(this, bytes, from, Math.floor(length / 2), at);
    }
    throw noSpace();
  };
  Object.assign(prototype, { [of]: failing });
  try {
    return await use();
  } finally {
    Object.assign(prototype, { [of]: whole });
  }
}

async function handlePrototype(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deft-handle-'));
  const handle = await open(path.join(folder, 'x'), 'w');
  try {
    return Object.getPrototypeOf(handle) as FileHandle;
  } finally {
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  }
}
