// Settings whose effect cannot be seen from outside VS Code.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { withCacheBreakpoints } from '../../src/core/loop/cache-breakpoints';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { formatRule } from '../../src/core/permissions/rules/rule-syntax';
import { createAgreements } from '../../src/vscode/session/agreements';
import { RuleSource } from '../../src/vscode/session/rule-source';
import { initialMode, initialModel } from '../../src/vscode/session/initial-settings';
import { type PermissionMode } from '../../src/shared/permission';
import { until } from './workspace-file';
import { createLog } from '../../src/node/file-log';
import { createSystemClock } from '../../src/node/system-clock';
import { readConfiguration } from '../../src/vscode/host/configuration';
import { ModelSource } from '../../src/vscode/model/model-source';

describe('settings', () => {
  const set = (value: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('deft').update('log.level', value, vscode.ConfigurationTarget.Global);
  after(() => set(undefined));

  it('log.level: decides which lines are written, from the next one on', async () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), { level: () => readConfiguration().logLevel, secrets: () => [] });
    const logAll = (): void =>
      (['debug', 'info', 'warn', 'error'] as const).forEach((level) => log[level](`a ${level} line`));
    const written = (): string[] => lines.splice(0).map((line) => line.split(' ')[1] ?? '');
    logAll();
    assert.deepEqual(written(), ['info', 'warn', 'error']);
    await set('debug');
    logAll();
    assert.deepEqual(written(), ['debug', 'info', 'warn', 'error']);
    await set('error');
    logAll();
    assert.deepEqual(written(), ['error']);
  });

  it('apiFeatures: decides how much of the API an address is asked for, from the next request on', async () => {
    const source = new ModelSource(
      {
        get: async () => undefined,
        store: async () => undefined,
        delete: async () => undefined,
        dispose: () => undefined,
      },
      createSystemClock(),
      {
        read: async () => undefined,
        variables: () => ({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }),
        values: () => ({}),
        refusal: () => undefined,
      },
    );
    const choose = (value: string | undefined): Thenable<void> =>
      vscode.workspace.getConfiguration('deft').update('apiFeatures', value, vscode.ConfigurationTarget.Global);
    const taken = (): boolean[] => {
      const { strictTools, webSearch } = source.client.capabilities('claude-opus-5-5');
      return [strictTools, webSearch];
    };
    try {
      assert.deepEqual(taken(), [false, true]);
      await choose('all');
      assert.deepEqual(taken(), [true, true]);
      await choose('plain');
      assert.deepEqual(taken(), [false, false]);
    } finally {
      await choose(undefined);
      source.dispose();
    }
  });
});

describe('how long the API keeps a prompt', () => {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('deft');
  after(() => settings().update('cacheLifetime', undefined, vscode.ConfigurationTarget.Global));

  it('cacheLifetime: is in the marks of the next request', async () => {
    const marks = (): unknown =>
      withCacheBreakpoints(
        { model: 'm', max_tokens: 1, system: [{ type: 'text', text: 's' }], tools: [], messages: [] },
        readConfiguration().cacheLifetime,
      ).system[0]?.cache_control;
    assert.deepEqual(marks(), { type: 'ephemeral' });
    await settings().update('cacheLifetime', '1h', vscode.ConfigurationTarget.Global);
    assert.deepEqual(marks(), { type: 'ephemeral', ttl: '1h' });
  });
});

describe('settings files', () => {
  const configured = process.env['CLAUDE_CONFIG_DIR'];
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'deft-settings-')));
  const managed = path.join(base, 'managed');
  const workspace = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder');
  const kept = new Map<string, unknown>();
  const state = {
    get: <Value>(key: string) => kept.get(key) as Value | undefined,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const open = (): RuleSource =>
    new RuleSource({
      files: createNodeFileSystem(),
      agreements: createAgreements(state as Parameters<typeof createAgreements>[0]),
      managedFolder: managed,
    });
  const allows = (source: RuleSource): string[] =>
    source
      .current()
      .rules.filter(({ behavior }) => behavior === 'allow')
      .map(({ value }) => formatRule(value));

  beforeEach(() => {
    process.env['CLAUDE_CONFIG_DIR'] = path.join(base, 'own');
    kept.clear();
  });
  afterEach(() => {
    if (configured === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = configured;
    rmSync(base, { recursive: true, force: true });
    rmSync(path.join(workspace(), '.claude'), { recursive: true, force: true });
  });

  const files: [string, () => string][] = [
    ["the user's own", () => path.join(base, 'own/settings.json')],
    ["an organisation's", () => path.join(managed, 'managed-settings.json')],
    ["an organisation's further", () => path.join(managed, 'managed-settings.d/10.json')],
    ["the project's", () => path.join(workspace(), '.claude/settings.json')],
    ["the project's local", () => path.join(workspace(), '.claude/settings.local.json')],
  ];
  for (const [whose, place] of files) {
    it(`${whose} file counts as soon as it is made, changed, replaced or removed, its folder too`, async () => {
      const source = open();
      const file = place();
      let step = 'made';
      const denies = (rule: string, name = file): void => {
        mkdirSync(path.dirname(name), { recursive: true });
        writeFileSync(name, JSON.stringify({ permissions: { deny: [rule] } }));
      };
      const removed = (removes: boolean) =>
        until(
          `Grep is ${removes ? 'removed' : 'there'} once the file is ${step}`,
          () => source.removesTool('Grep') === removes,
        );
      try {
        await source.load();
        assert.equal(source.removesTool('Grep'), false);
        denies('Grep');
        await removed(true);
        step = 'changed';
        denies('WebFetch');
        await removed(false);
        step = 'replaced';
        mkdirSync(base, { recursive: true });
        denies('Grep', path.join(base, 'next.json'));
        renameSync(path.join(base, 'next.json'), file);
        await removed(true);
        step = 'gone';
        rmSync(path.dirname(file), { recursive: true });
        await removed(false);
      } finally {
        source.dispose();
      }
    });
  }

  it('of a project grant what the user has agreed to, and ask again for what is new', async () => {
    const file = path.join(workspace(), '.claude/settings.json');
    const write = (...allow: string[]): void => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ permissions: { allow, deny: ['Bash(rm:*)'] } }));
    };
    write('Bash(make:*)');
    const source = open();
    try {
      await source.load();
      assert.deepEqual(
        [allows(source), source.grants.unasked().map(({ text }) => text), source.current().rules.length],
        [[], ['allow Bash(make:*)'], 1],
      );
      await source.grants.answer(source.grants.unasked(), true);
      assert.deepEqual([allows(source), source.grants.unasked()], [['Bash(make:*)'], []]);
      write('Bash(make:*)', 'Bash(curl:*)');
      await until('the new rule waits', () => source.grants.unasked().length === 1);
      assert.deepEqual(allows(source), ['Bash(make:*)']);
      await source.grants.answer(source.grants.unasked(), false);
      assert.deepEqual(
        [allows(source), source.grants.unasked(), source.grants.waiting().length],
        [['Bash(make:*)'], [], 1],
      );
    } finally {
      source.dispose();
    }
  });

  it('hold what was saved by a click after a reload, without another question', async () => {
    const source = open();
    await source.load();
    const file = source.current().savesTo ?? assert.fail('nothing can be saved');
    assert.equal(file, path.join(workspace(), '.claude/settings.local.json'));
    const saved = await source.store.save({
      type: 'addRules',
      behavior: 'allow',
      rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
      destination: 'localSettings',
    });
    assert.deepEqual(saved, { saved: true });
    assert.deepEqual(allows(source), ['Bash(npm test)'], 'at once');
    source.dispose();
    const reloaded = open();
    await reloaded.load();
    assert.deepEqual([allows(reloaded), reloaded.grants.waiting()], [['Bash(npm test)'], []]);
    reloaded.dispose();
  });
});

describe('the start of a session', () => {
  const set = (name: string, value: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('deft').update(name, value, vscode.ConfigurationTarget.Global);
  const model = process.env['ANTHROPIC_MODEL'];
  afterEach(async () => {
    if (model === undefined) delete process.env['ANTHROPIC_MODEL'];
    else process.env['ANTHROPIC_MODEL'] = model;
    await set('initialPermissionMode', undefined);
    await set('model', undefined);
  });
  const rules = (
    defaultMode?: PermissionMode,
    values: { model?: string } = {},
    environment: Record<string, string> = {},
  ) =>
    ({ defaultMode: () => defaultMode, values: () => values, environment: () => environment }) as unknown as RuleSource;

  it('is in the mode of the setting, else the one picked last, else that of the files', async () => {
    assert.equal(initialMode(rules(), undefined), 'default');
    assert.equal(initialMode(rules('plan'), undefined), 'plan');
    assert.equal(initialMode(rules('plan'), 'acceptEdits'), 'acceptEdits');
    assert.equal(initialMode(rules('bypassPermissions'), undefined), 'default', 'never the one that asks for nothing');
    await set('initialPermissionMode', 'default');
    assert.equal(initialMode(rules('plan'), 'acceptEdits'), 'default', 'Manual is a choice too');
  });

  it('is with the model of the setting, else of the files, else of the environment, else the listed one', async () => {
    delete process.env['ANTHROPIC_MODEL'];
    assert.equal(initialModel(rules(), 'listed'), 'listed');
    process.env['ANTHROPIC_MODEL'] = 'haiku';
    assert.equal(initialModel(rules(), 'listed'), 'claude-haiku-5-5');
    assert.equal(initialModel(rules(undefined, {}, { ANTHROPIC_MODEL: 'of-the-files' }), 'listed'), 'of-the-files');
    assert.equal(
      initialModel(rules(undefined, { model: 'opus' }, { ANTHROPIC_DEFAULT_OPUS_MODEL: 'my-opus' }), 'listed'),
      'my-opus',
    );
    await set('model', 'mine');
    assert.equal(initialModel(rules(undefined, { model: 'opus' }), 'listed'), 'mine');
  });
});
