// Settings whose effect cannot be seen from outside VS Code.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
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
