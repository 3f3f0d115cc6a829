// Old sessions in a real window: told a week before the first ones go, kept where the user says so, and removed where somebody has set how long they stay.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createLog } from '../../src/node/file-log';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { createJsonlSessionStore } from '../../src/node/sessions/jsonl-session-store';
import { type Chat } from '../../src/vscode/chat/conversation/chat';
import { sessionCommands, type SessionCommands } from '../../src/vscode/commands/session-commands';
import { createAgreements } from '../../src/vscode/session/agreements';
import { RuleSource } from '../../src/vscode/session/rule-source';
import { until } from './workspace-file';

const day = 86_400_000;

describe('old sessions in a window', () => {
  let root = '';
  let managed = '';
  let opened: vscode.Disposable[] = [];
  let logged: string[] = [];
  const file = (id: string): string => path.join(root, `${id}.jsonl`);
  const memory = (): Record<string, unknown> =>
    existsSync(path.join(root, 'cleanup.json'))
      ? (JSON.parse(readFileSync(path.join(root, 'cleanup.json'), 'utf8')) as Record<string, unknown>)
      : {};
  const later = (days: number): number => Date.now() + days * day;
  const state = (given: Record<string, unknown> = {}) => {
    const values = new Map(Object.entries(given));
    return {
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
      keys: () => [...values.keys()],
    };
  };

  /** A window that has this session open. */
  const window = async (open: string, workspaceState = state()): Promise<SessionCommands> => {
    const rules = new RuleSource({
      files: createNodeFileSystem(),
      agreements: createAgreements(state()),
      managedFolder: managed,
    });
    const store = createJsonlSessionStore(root);
    const extension = vscode.extensions.getExtension('deft-agent.deft') ?? assert.fail('Deft is not installed');
    const chat = { poster: { state: { sessionId: open } } } as Chat;
    const commands = sessionCommands({
      context: { extension, workspaceState },
      log: createLog((line) => logged.push(line), { level: () => 'info', secrets: () => [] }),
      models: { demo: true, secrets: () => [] },
      ...{ rules, store, sessionsRoot: root },
      agent: () => assert.fail('no agent is needed'),
      chats: () => [chat],
      glances: undefined as never,
      current: () => chat,
    });
    opened.push(commands, rules);
    return commands;
  };
  const session = async (): Promise<string> => {
    const id = crypto.randomUUID();
    const log = await createJsonlSessionStore(root).create(id);
    await log.close();
    if (!existsSync(file(id))) writeFileSync(file(id), '');
    return id;
  };
  const set = (values: object): void =>
    writeFileSync(path.join(managed, 'managed-settings.json'), JSON.stringify(values));

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'deft-old-'));
    managed = mkdtempSync(path.join(os.tmpdir(), 'deft-managed-'));
    logged = [];
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    opened.forEach((one) => one.dispose());
    opened = [];
    for (const folder of [root, managed]) rmSync(folder, { recursive: true, force: true });
  });

  it('go a week after the user was told, but for one that is open', async () => {
    const [old, open] = [await session(), await session()];
    const { cleanUp } = await window(open);
    await cleanUp(later(20));
    assert.equal(memory()['announced'], undefined, 'none is old yet');
    const telling = cleanUp(later(40));
    await until('the user is told', () => memory()['announced'] !== undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
    await telling;
    await cleanUp(later(46));
    assert.ok(existsSync(file(old)));
    await cleanUp(later(48));
    assert.deepEqual([existsSync(file(old)), existsSync(file(open))], [false, true]);
    assert.match(logged.join('\n'), /Cleaned up 1 sessions that were not changed for 30 days/);
  });

  it('stay where the user keeps all, also in the next window and for runs', async () => {
    const old = await session();
    const { cleanUp } = await window('none');
    const telling = cleanUp(later(40));
    await until('the user is told', () => memory()['announced'] !== undefined);
    let over = false;
    void telling.then(() => (over = true));
    await until('the notice is answered', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return over;
    });
    assert.equal(memory()['keepAll'], true);
    await cleanUp(later(60));
    await (await window('none')).cleanUp(later(60));
    assert.ok(existsSync(file(old)));
  });

  it('stay where an earlier version knew that the user keeps all', async () => {
    const old = await session();
    set({ cleanupPeriodDays: 10 });
    await (await window('none', state({ 'deft.keepAllSessions': true }))).cleanUp(later(60));
    assert.deepEqual([existsSync(file(old)), memory()['keepAll']], [true, true]);
  });

  it('go without a notice where somebody has set how long they stay, and stay where that cannot be read', async () => {
    const old = await session();
    set({ cleanupPeriodDays: 10 });
    const { cleanUp } = await window('none');
    await cleanUp(later(9));
    assert.ok(existsSync(file(old)));
    await cleanUp(later(9.5));
    writeFileSync(path.join(managed, 'managed-settings.json'), '{ "cleanupPeriodDays": 10');
    const other = await window('none');
    await other.cleanUp(later(11));
    assert.ok(existsSync(file(old)));
    assert.match(logged.join('\n'), /a settings file cannot be read/);
    set({ cleanupPeriodDays: 10 });
    await (await window('none')).cleanUp(later(12));
    assert.equal(existsSync(file(old)), false);
  });
});
