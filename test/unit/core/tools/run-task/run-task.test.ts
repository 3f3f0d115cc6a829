// RunTask and permissions: what a task and those before it run is judged as Bash's commands are, and by the task's name.
import assert from 'node:assert/strict';
import { type EditorTask } from '../../../../../src/core/ports/editor-tasks';
import { runTaskTool } from '../../../../../src/core/tools/run-task/run-task';
import { type PermissionMode, type RuleBehavior } from '../../../../../src/shared/permission';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';

const tasks: EditorTask[] = [
  { name: 'first', source: 'Workspace', command: 'rm -r out', background: false, before: [], definition: '1' },
  {
    name: 'npm: build',
    source: 'npm',
    command: 'npm run build',
    background: false,
    before: ['first'],
    definition: '2',
  },
  { name: 'ext: deploy', source: 'ext', background: false, before: [], definition: '3' },
];

interface Ran {
  started: string[];
  questions: number;
  text: string;
}

async function run(
  input: Record<string, unknown>,
  rules: [RuleBehavior, tool: string, content?: string][] = [],
  mode: PermissionMode = 'default',
): Promise<Ran> {
  const started: string[] = [];
  const model = createScriptedModel([reply(toolUse('RunTask', input, 'toolu_1')), reply('Done.')]);
  const harness = createHarness({
    model,
    tools: [runTaskTool],
    ports: {
      editorTasks: {
        list: async () => tasks,
        run: async ({ name }) => {
          started.push(name);
          return { end: { state: 'ended', code: 0 }, problems: [], unchanged: 0 };
        },
        stop: async () => true,
      },
    },
    answer: () => ({ behavior: 'deny', interrupt: false }),
    session: {
      mode,
      permission: () => ({
        rules: rules.map(([behavior, toolName, ruleContent]) => ({
          behavior,
          value: { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) },
          source: 'userSettings' as const,
          root: '/w',
        })),
        folders: ['/w'],
        ownFolders: [],
        home: '/home/ann',
        ignoreCase: false,
        trusted: true,
      }),
      environment: { cwd: '/w', folders: ['/w'], platform: 'linux', shell: 'bash', date: '2026-11-28' },
    },
  });
  await harness.run('Go');
  return { started, questions: harness.approvals.length, text: JSON.stringify(model.requests[1]?.messages.at(-1)) };
}

describe('RunTask and permissions', () => {
  it('asks about a task, and neither about the list nor about an end', async () => {
    assert.deepEqual(await run({ task: 'npm: build' }).then(({ started, questions }) => [started, questions]), [[], 1]);
    assert.equal((await run({})).questions, 0);
    assert.equal((await run({ task: 'first', stop: true })).questions, 0);
  });

  it('a rule for its name allows it, and one for another does not', async () => {
    assert.deepEqual((await run({ task: 'npm: build' }, [['allow', 'RunTask', 'npm: build']])).started, ['npm: build']);
    assert.deepEqual((await run({ task: 'ext: deploy' }, [['allow', 'RunTask', 'npm: build']])).started, []);
    assert.deepEqual((await run({ task: 'ext: deploy' }, [['allow', 'RunTask', 'ext: deploy']])).started, [
      'ext: deploy',
    ]);
  });

  it('rules for Bash allow it only where they cover all commands', async () => {
    const build: [RuleBehavior, string, string] = ['allow', 'Bash', 'npm run build'];
    assert.deepEqual((await run({ task: 'npm: build' }, [build])).started, []);
    assert.deepEqual((await run({ task: 'npm: build' }, [build, ['allow', 'Bash', 'rm -r out']])).started, [
      'npm: build',
    ]);
    assert.deepEqual((await run({ task: 'ext: deploy' }, [['allow', 'Bash', 'npm run build']])).started, []);
  });

  it('a denied command of a task before it denies it, whatever allows the task', async () => {
    const denied = await run({ task: 'npm: build' }, [
      ['deny', 'Bash', 'rm *'],
      ['allow', 'RunTask', 'npm: build'],
    ]);
    assert.deepEqual([denied.started, denied.questions], [[], 0]);
    assert.match(denied.text, /Permission denied/);
  });

  it('a denied name denies that task alone', async () => {
    const rules: [RuleBehavior, string, string][] = [
      ['deny', 'RunTask', 'ext: deploy'],
      ['allow', 'RunTask', 'npm: build'],
    ];
    assert.deepEqual((await run({ task: 'ext: deploy' }, rules)).started, []);
    assert.deepEqual((await run({ task: 'npm: build' }, rules)).started, ['npm: build']);
  });

  it('plan mode starts none', async () => {
    assert.deepEqual((await run({ task: 'npm: build' }, [['allow', 'RunTask']], 'plan')).started, []);
  });
});
