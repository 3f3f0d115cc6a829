// Files behind "@" from a command of the settings, run for real; a project's only while its scripts are what was agreed to.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HookEntry } from '../../../../src/core/hooks/hook-entry';
import { projectsOf } from '../../../../src/core/hooks/hook-settings';
import { loadSettings } from '../../../../src/core/settings/load-settings';
import { type SettingsText } from '../../../../src/core/settings/settings-file';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { createFileSuggestions } from '../../../../src/vscode/chat/completion/file-suggestions';
import { createHookConsent } from '../../../../src/vscode/hooks/hook-consent';
import { createScriptCheck } from '../../../../src/vscode/hooks/script-check';

describe('the command of fileSuggestion', () => {
  let root: string;
  let problems: string[];
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    problems = [];
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const projectsOwn = (
    source: SettingsText['source'],
    command: string,
    agreed = true,
  ): { command: string | undefined; project: HookEntry | undefined } => {
    const loaded = loadSettings(
      [
        {
          source,
          file: `${root}/.claude/settings.json`,
          root,
          home: '/h',
          text: JSON.stringify({ fileSuggestion: { type: 'command', command } }),
        },
      ],
      { trusted: true, projectSetsMode: false, agreed: () => agreed },
    );
    return { command: loaded.values.fileSuggestion?.command, project: loaded.projectFileSuggestion };
  };
  const opened = (timeoutMs = 20_000) => {
    const values = new Map<string, unknown>();
    const consent = createHookConsent({
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
    });
    const check = createScriptCheck(consent, () => [root]);
    const gate = {
      refuses: async (...asked: Parameters<typeof check.refuses>) => (await check.refuses(...asked))?.message,
    };
    const suggestions = createFileSuggestions({
      handlers: async () => createNodeHookHandlers({ environment: async () => process.env }),
      gate,
      onProblem: (problem) => problems.push(problem),
      timeoutMs,
    });
    const suggest = (command: string, query = '', project?: HookEntry) =>
      suggestions.suggest(query, { command, project, cwd: root });
    return { consent, check, suggest };
  };

  it('gets what was typed, and its lines are shown in their order', async () => {
    const { suggest } = opened();
    writeFileSync(
      path.join(root, 'echo.mjs'),
      "let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => console.log(JSON.parse(text).query + '\\nz/b.ts\\n./a.ts\\n' + process.cwd() + '/lib/\\na.ts\\n'));",
    );
    assert.deepEqual(await suggest('node echo.mjs', 'src/comp'), [
      { path: 'src/comp', kind: 'file' },
      { path: 'z/b.ts', kind: 'file' },
      { path: 'a.ts', kind: 'file' },
      { path: 'lib/', kind: 'folder' },
    ]);
    assert.equal((await suggest('seq 100'))?.length, 15);
    assert.deepEqual(problems, []);
  });

  it('leaves the list to Deft where it fails or takes too long', async () => {
    assert.equal(await opened().suggest('echo a.ts; exit 3'), undefined);
    assert.equal(await opened(300).suggest('echo a.ts; sleep 600'), undefined);
    assert.deepEqual(problems, ['It ended with exit code 3.', 'It took longer than 0.3 s.']);
  });

  it('ends with the next question', async () => {
    const { suggest } = opened();
    const first = suggest('sleep 600');
    assert.deepEqual(await suggest('echo a.ts'), [{ path: 'a.ts', kind: 'file' }]);
    assert.deepEqual(await first, []);
  });

  it('of a project runs once the user has agreed to it, and to its scripts as they are', async () => {
    assert.equal(projectsOwn('projectSettings', 'bash find.sh', false).command, undefined);
    assert.equal(projectsOwn('userSettings', 'bash find.sh').project, undefined);
    writeFileSync(path.join(root, 'find.sh'), 'echo one.ts\n');
    const { consent, check, suggest } = opened();
    const { command = '', project } = projectsOwn('projectSettings', 'bash find.sh');
    assert.equal(await suggest(command, '', project), undefined);
    assert.match(problems.join(), /find\.sh is not what you allowed/);

    const [hooks] = projectsOf([project ?? assert.fail("it is the project's")]);
    assert.ok(hooks !== undefined);
    await consent.approve(hooks.project, hooks.text, await check.scriptsOf(hooks.entries));
    assert.deepEqual(await suggest(command, '', project), [{ path: 'one.ts', kind: 'file' }]);
    writeFileSync(path.join(root, 'find.sh'), 'echo two.ts\n');
    assert.equal(await suggest(command, '', project), undefined);
  });
});
