// Hooks of a project in a real window: they wait for the user's permission, and a changed one asks again.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type HookEntry } from '../../src/core/hooks/hook-entry';
import { type HookQuestion, type HookState, type ProjectHooks } from '../../src/core/hooks/hook-settings';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { createHookConsent } from '../../src/vscode/hooks/hook-consent';
import { consentText, type ConsentAnswer, createHookGate } from '../../src/vscode/hooks/hook-gate';
import { createAgreements } from '../../src/vscode/session/agreements';
import { RuleSource } from '../../src/vscode/session/rule-source';
import { closeAll, until } from './workspace-file';

describe('hooks of a project', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('the window has no folder');
  const folder = path.join(root, '.claude');
  const file = path.join(folder, 'settings.json');
  const existed = existsSync(folder);
  after(async () => {
    rmSync(existed ? file : folder, { recursive: true, force: true });
    await closeAll();
  });

  const write = (command: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } }),
    );
  };
  /** A globalState of its own, as a new window would find it. */
  const memory = () => {
    const values = new Map<string, unknown>();
    return {
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  };

  it('wait until they are allowed, and ask again when they have changed', async () => {
    write('./first.sh');
    const rules = new RuleSource({ files: createNodeFileSystem(), agreements: createAgreements(memory()) });
    const remembered = memory();
    const questions: ProjectHooks[] = [];
    const waiting: { count: number; resolve: () => void }[] = [];
    const answers: ConsentAnswer[] = ['later', 'allow'];
    const ask = async (hooks: ProjectHooks): Promise<ConsentAnswer> => {
      questions.push(hooks);
      waiting.filter(({ count }) => count <= questions.length).forEach(({ resolve }) => resolve());
      return answers.shift() ?? 'allow';
    };
    const asked = (count: number): Promise<void> =>
      new Promise((resolve) => (questions.length >= count ? resolve() : waiting.push({ count, resolve })));
    const gate = createHookGate({ rules, consent: createHookConsent(remembered), ask });
    const states = (): HookState[] =>
      gate
        .judged()
        .all.filter(({ entry }) => entry.source === 'projectSettings')
        .map(({ state }) => state);
    /** A watcher that was just requested may miss the first change of a new folder: the file is touched until it reports one. */
    const changedTo = async (command: string, question: number): Promise<void> => {
      const touching = setInterval(() => write(command), 500);
      write(command);
      await asked(question).finally(() => clearInterval(touching));
    };
    try {
      await rules.load();
      await asked(1);
      assert.deepEqual(
        questions[0]?.entries.map(({ handler }) => handler),
        [{ type: 'command', command: './first.sh' }],
      );
      assert.deepEqual(states(), ['waiting']);
      assert.deepEqual(gate.judged().active, []);

      await changedTo('./second.sh', 2);
      await new Promise<void>((resolve) => setImmediate(resolve));
      assert.deepEqual(states(), ['active']);
      assert.equal(gate.judged().active.length, 1);
      assert.equal(
        gate.judged().active,
        gate.judged().active,
        'the same list, so that what is worked out for it holds',
      );

      // Another window knows of the permission; the same text asks nobody.
      const other = createHookGate({
        rules,
        consent: createHookConsent(remembered),
        ask: async () => assert.fail('asked again'),
      });
      assert.equal(other.judged().active.length, 1);
      other.dispose();

      await changedTo('./third.sh', 3);
      assert.match(questions[2]?.text ?? '', /third/);
    } finally {
      gate.dispose();
      rules.dispose();
    }
  });

  it('ask again when a script that they run has changed, and do not run until then', async () => {
    const script = path.join(folder, 'hooks', 'check.sh');
    mkdirSync(path.dirname(script), { recursive: true });
    writeFileSync(script, 'exit 0\n');
    write('"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh');
    const rules = new RuleSource({ files: createNodeFileSystem(), agreements: createAgreements(memory()) });
    const questions: HookQuestion[] = [];
    let asked: (question: HookQuestion) => void = () => undefined;
    const answers: ConsentAnswer[] = ['allow', 'later', 'allow'];
    const ask = async (hooks: HookQuestion): Promise<ConsentAnswer> => {
      questions.push(hooks);
      asked(hooks);
      return answers.shift() ?? assert.fail('asked too often');
    };
    const next = (): Promise<HookQuestion> => new Promise((resolve) => (asked = resolve));
    const gate = createHookGate({ rules, consent: createHookConsent(memory()), ask });
    const active = () => gate.judged().active.filter(({ source }) => source === 'projectSettings');
    const refused = async (): Promise<string | undefined> =>
      gate.judged().refuses?.(active()[0] ?? assert.fail('no hook is active'), root);
    try {
      const first = next();
      await rules.load();
      assert.deepEqual(Object.keys((await first).scripts), [script]);
      await until('the hooks are allowed', () => active().length === 1);
      assert.equal(await refused(), undefined);

      // As long as before, and as old: neither size nor time shows the change.
      const { atime, mtime } = statSync(script);
      const again = next();
      writeFileSync(script, 'exit 2\n');
      utimesSync(script, atime, mtime);
      assert.equal(await refused(), `It did not run: ${script} is not what you allowed.`);
      const { changed, ...question } = await again;
      assert.deepEqual(changed, [script]);
      const text = consentText({ changed, ...question }, ['PreToolUse: check.sh']);
      assert.equal(
        text,
        `${path.basename(root)}: .claude/hooks/check.sh changed since you allowed the hooks that run it: PreToolUse: check.sh`,
      );
      await refused();
      assert.equal(questions.length, 2, 'asked once about the same content');

      writeFileSync(script, 'exit 0\n');
      assert.equal(await refused(), undefined, 'what was allowed runs again');

      const third = next();
      writeFileSync(script, 'exit 3\n');
      await refused();
      await third;
      await until('the new content is allowed', async () => (await refused()) === undefined);
      assert.deepEqual(answers, []);
      writeFileSync(script, `#${'x'.repeat(1024 * 1024)}`);
      assert.match((await refused()) ?? '', /is larger than 1 MB/);
    } finally {
      gate.dispose();
      rules.dispose();
      rmSync(path.dirname(script), { recursive: true, force: true });
    }
  });

  it('that an agent or a skill brings wait by themselves, ask when it is used and on the page, and again when their text has changed', async () => {
    write('./first.sh');
    const rules = new RuleSource({ files: createNodeFileSystem(), agreements: createAgreements(memory()) });
    const questions: HookQuestion[] = [];
    const answers: ConsentAnswer[] = ['later', 'allow', 'allow'];
    const gate = createHookGate({
      rules,
      consent: createHookConsent(memory()),
      ask: async (hooks) => (questions.push(hooks), answers.shift() ?? assert.fail('asked too often')),
    });
    const owner = path.join(folder, 'agents', 'checker.md');
    const entry = (command: string): HookEntry => ({
      event: 'PreToolUse',
      matcher: '',
      handler: { type: 'command', command },
      source: 'projectSettings',
      file: owner,
      root,
      owner,
    });
    const mayRun = (command: string): number =>
      gate.judged().judgeAdded?.([entry(command)]).length ?? assert.fail('nothing is judged');
    gate.setImported(async () => [entry('./agent.sh')]);
    try {
      await rules.load();
      await until('the settings ask', () => questions.length === 1);
      assert.equal(mayRun('./agent.sh'), 0);
      gate.judged().wanted?.([entry('./agent.sh')]);
      await until('the agent asks', () => questions.length === 2);
      assert.deepEqual(
        questions[1]?.entries.map(({ handler }) => handler),
        [{ type: 'command', command: './agent.sh' }],
      );
      assert.match(
        consentText(questions[1] ?? assert.fail(), ['x']),
        /^\.claude\/agents\/checker\.md of .* contains hooks/,
      );
      await until('they are allowed', () => mayRun('./agent.sh') === 1);
      assert.deepEqual(
        gate.judged().active.filter(({ source }) => source === 'projectSettings'),
        [],
        'leave for the agent is none for the settings',
      );
      gate.judged().wanted?.([entry('./agent.sh')]);
      assert.equal(mayRun('./other.sh'), 0);
      gate.judged().wanted?.([entry('./other.sh')]);
      await until('the changed text asks', () => questions.length === 3);
      assert.match(questions[2]?.text ?? '', /other/);
      assert.deepEqual(answers, []);
    } finally {
      gate.dispose();
      rules.dispose();
    }
  });

  it('do nothing where the workspace is not trusted, and nobody is asked', async () => {
    write('./first.sh');
    const rules = new RuleSource({ files: createNodeFileSystem(), agreements: createAgreements(memory()) });
    const gate = createHookGate({
      rules,
      consent: { isApproved: () => true, scripts: () => ({}), approve: async () => undefined },
      trusted: () => false,
      ask: async () => assert.fail('asked'),
    });
    try {
      await rules.load();
      assert.deepEqual(
        gate.judged().all.map(({ state }) => state),
        ['untrusted'],
      );
      assert.deepEqual(gate.judged().active, []);
    } finally {
      gate.dispose();
      rules.dispose();
    }
  });

  it('are listed by a command', async () => {
    await vscode.commands.executeCommand('deft.showHooks');
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no page is shown');
    assert.equal(document.uri.scheme, 'deft-hooks');
    assert.match(document.getText(), /^# Hooks\n/);
    assert.equal(document.isDirty, false);
  });
});
