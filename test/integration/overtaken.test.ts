// What is read while something newer begins: old text of a file, and settings whose later reading fails.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { type FileSystem } from '../../src/core/ports/files';
import { type Log } from '../../src/core/ports/log';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { unreviewedHunks } from '../../src/vscode/review/tracked-file';
import { createTrackedFiles } from '../../src/vscode/review/tracked-files';
import { createAgreements } from '../../src/vscode/session/agreements';
import { RuleSource } from '../../src/vscode/session/rule-source';
import { newFolder, put, until } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('what is overtaken', () => {
  it("does not make an edit of Deft the user's: text that was read before the edit began is thrown away", async () => {
    const storage = mkdtempSync(path.join(tmpdir(), 'deft-overtaken-'));
    const file = put(newFolder('overtaken'), 'a.ts', 'a\n');
    const node = createNodeFileSystem();
    const held = gate();
    let reads = 0;
    let answered = 0;
    const files: Pick<FileSystem, 'readText' | 'stat'> = {
      stat: (each) => node.stat(each),
      async readText(each, max) {
        const read = await node.readText(each, max);
        // The first look alone is slow: it has the old text already.
        if (++reads === 1) await held.opened;
        answered++;
        return read;
      },
    };
    const tracked = createTrackedFiles(storage, files, log);
    try {
      await tracked.restored;
      put(path.dirname(file), 'a.ts', 'b\n');
      tracked.watch(file)({ before: 'a\n', after: 'b\n', approved: false });
      // A write that failed looks what is there now.
      tracked.watch(file)(undefined);
      await until('the text is read', () => reads === 1);
      const second = tracked.watch(file);
      put(path.dirname(file), 'a.ts', 'c\n');
      second({ before: 'b\n', after: 'c\n', approved: false });
      held.open();
      await until('the old text is there', () => answered >= 1);
      await new Promise((resolve) => setImmediate(resolve));
      const now = tracked.get(file) ?? assert.fail('it is tracked');
      assert.deepEqual([now.baseline, now.known, unreviewedHunks(now).length], ['a\n', 'c\n', 1]);
    } finally {
      tracked.dispose();
      await tracked.flush();
      rmSync(storage, { recursive: true, force: true });
    }
  });

  it('leaves no session without rules: who asked first waits for a reading that succeeds', async () => {
    const memory = new Map<string, unknown>();
    const state = {
      get: (key: string) => memory.get(key),
      update: async (key: string, value: unknown) => void memory.set(key, value),
      keys: () => [...memory.keys()],
    } as unknown as vscode.Memento;
    const node = createNodeFileSystem();
    const held = gate();
    let asked = 0;
    let fails = false;
    const rules = new RuleSource({
      files: {
        readText: (file, max) => node.readText(file, max),
        async realPath(file) {
          asked++;
          if (fails) throw new Error('The folder cannot be looked at now.');
          await held.opened;
          return node.realPath(file);
        },
      },
      agreements: createAgreements(state),
    });
    try {
      const first = rules.load();
      await until('the first reading is under way', () => asked > 0);
      fails = true;
      await assert.rejects(rules.reload(), /cannot be looked at/);
      fails = false;
      held.open();
      await first;
      assert.ok(rules.current().folders.length > 0, 'something was read');
    } finally {
      rules.dispose();
    }
  });
});
