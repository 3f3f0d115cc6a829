// A project's status line runs only while its scripts hold what the user agreed to, with the real record and real files.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectsOf } from '../../../../src/core/hooks/hook-settings';
import { loadSettings } from '../../../../src/core/settings/load-settings';
import { type SettingsText } from '../../../../src/core/settings/settings-file';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { createHookConsent } from '../../../../src/vscode/hooks/hook-consent';
import { createScriptCheck } from '../../../../src/vscode/hooks/script-check';
import { runStatusCommand } from '../../../../src/vscode/status-line/run-status-command';

describe("the command of a project's status line", () => {
  let root: string;
  beforeEach(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const settingsOf = (source: SettingsText['source'], command: string) =>
    loadSettings(
      [
        {
          source,
          file: `${root}/.claude/settings.json`,
          root,
          home: '/h',
          text: JSON.stringify({ statusLine: { type: 'command', command } }),
        },
      ],
      { trusted: true, projectSetsMode: false, agreed: () => true },
    );

  /** As the window does: the record of this machine, and the files that lie there now. */
  const opened = () => {
    const values = new Map<string, unknown>();
    const consent = createHookConsent({
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
    });
    const check = createScriptCheck(consent, () => [root]);
    const gate = {
      refuses: async (...asked: Parameters<typeof check.refuses>) => (await check.refuses(...asked))?.message,
    };
    const handlers = createNodeHookHandlers({ environment: async () => process.env });
    return {
      consent,
      check,
      run: (source: SettingsText['source'], command: string) =>
        runStatusCommand(
          { command, project: settingsOf(source, command).projectStatusLine, cwd: root, input: '{}' },
          { handlers, gate },
          new AbortController().signal,
        ),
    };
  };

  it('runs no script that the user has not agreed to, and none that has changed since', async () => {
    const script = path.join(root, 'tools/status.sh');
    mkdirSync(path.dirname(script));
    writeFileSync(script, 'echo one\n');
    const { consent, check, run } = opened();
    const line = 'bash tools/status.sh';
    const refused = await run('projectSettings', line);
    assert.ok(
      refused.kind === 'refused' && /status\.sh is not what you allowed/.test(refused.message),
      JSON.stringify(refused),
    );

    const [hooks] = projectsOf([settingsOf('projectSettings', line).projectStatusLine ?? assert.fail()]);
    assert.ok(hooks !== undefined);
    await consent.approve(hooks.project, hooks.text, await check.scriptsOf(hooks.entries));
    const ran = await run('projectSettings', line);
    assert.ok(ran.kind === 'ended' && ran.stdout === 'one\n', JSON.stringify(ran));

    writeFileSync(script, 'echo two\n');
    assert.equal((await run('projectSettings', line)).kind, 'refused');
    assert.equal((await run('localSettings', line)).kind, 'refused', 'both files lie in the folder');
  });

  it("runs as it is where it names no script, or is the user's own", async () => {
    writeFileSync(path.join(root, 'status.sh'), 'echo mine\n');
    const { run } = opened();
    assert.equal((await run('projectSettings', 'echo plain')).kind, 'ended');
    assert.equal((await run('userSettings', 'bash status.sh')).kind, 'ended');
  });
});
