// Settings whose effect cannot be seen from outside VS Code.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createNodeFileSystem } from '../../src/node/node-file-system';
import { createRuleSource } from '../../src/vscode/session/rule-source';
import { createLog } from '../../src/node/file-log';
import { readConfiguration } from '../../src/vscode/configuration';

describe('settings', () => {
  const set = (value: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('deft').update('log.level', value, vscode.ConfigurationTarget.Global);
  after(() => set(undefined));

  it('log.level: decides which lines are written, from the next one on', async () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), { level: () => readConfiguration().logLevel, secrets: () => [] });
    const tell = (): void => (['debug', 'info', 'warn', 'error'] as const).forEach((level) => log[level](`a ${level} line`));
    const written = (): string[] => lines.splice(0).map((line) => line.split(' ')[1] ?? '');
    tell();
    assert.deepEqual(written(), ['info', 'warn', 'error']);
    await set('debug');
    tell();
    assert.deepEqual(written(), ['debug', 'info', 'warn', 'error']);
    await set('error');
    tell();
    assert.deepEqual(written(), ['error']);
  });
});

describe("the person's own settings file", () => {
  const before = process.env['CLAUDE_CONFIG_DIR'];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'deft-personal-'));
  const file = path.join(folder, 'settings.json');
  after(() => {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = before;
    rmSync(folder, { recursive: true });
  });

  it('counts as soon as it is written, changed or removed', async () => {
    process.env['CLAUDE_CONFIG_DIR'] = folder;
    const source = createRuleSource(createNodeFileSystem());
    try {
      await source.load();
      assert.equal(source.removesTool('Grep'), false);
      const settled = async (change: () => void, removed: boolean): Promise<void> => {
        const seen = new Promise<void>((resolve) => {
          const subscription = source.onDidChange(() => {
            if (source.removesTool('Grep') !== removed) return;
            subscription.dispose();
            resolve();
          });
        });
        change();
        await seen;
      };
      const denies = (rule: string): void => writeFileSync(file, JSON.stringify({ permissions: { deny: [rule] } }));
      await settled(() => denies('Grep'), true);
      await settled(() => denies('WebFetch'), false);
      await settled(() => denies('Grep'), true);
      await settled(() => rmSync(file), false);
    } finally {
      source.dispose();
    }
  });
});
