// Compares a text with the one that is kept in snapshots/; UPDATE_SNAPSHOTS=1 keeps the new one instead.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve('test/golden/snapshots');
const updating = process.env['UPDATE_SNAPSHOTS'] === '1';

/** `name` is a path below snapshots/. */
export function matchSnapshot(name: string, text: string): void {
  matchFile(path.join(root, name), text);
}

/** A file of the project that is made from code. */
export function matchFile(file: string, text: string): void {
  const name = path.relative(process.cwd(), file);
  const wanted = `${text.trimEnd()}\n`;
  if (updating) {
    mkdirSync(path.dirname(file), { recursive: true });
    if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) writeFileSync(file, wanted);
    return;
  }
  assert.ok(
    existsSync(file),
    `There is no ${name}. If that is right, run: UPDATE_SNAPSHOTS=1 node test/run.mjs golden`,
  );
  assert.equal(
    wanted,
    readFileSync(file, 'utf8'),
    `${name} changed. If that was the purpose, run: UPDATE_SNAPSHOTS=1 node test/run.mjs golden`,
  );
}

/** The names of all snapshots below a folder. */
export function snapshotNames(folder: string): string[] {
  const at = path.join(root, folder);
  return existsSync(at) ? readdirSync(at).sort() : [];
}
