// Plan mode through a session: entering it, a plan that is accepted, changed or sent back, and what the mode keeps from happening.
import assert from 'node:assert/strict';
import { resumedMode } from '../../../../../src/core/calls/permission-state';
import { type ApprovalDecision } from '../../../../../src/core/ports/approver';
import { newPlanFile, plansDirectory } from '../../../../../src/core/plan/plan-file';
import { planChanges, planFeedback } from '../../../../../src/core/plan/plan-feedback';
import { getAllBaseTools } from '../../../../../src/core/tools/registry';
import { type SessionRecord } from '../../../../../src/core/ports/record';
import { type PermissionMode } from '../../../../../src/shared/permission';
import { denial } from '../../../../../src/headless/deny-approver';
import { commandHook, scriptedHooks } from '../../../../support/hooks';
import { createMemoryFiles } from '../../../../support/memory-files';
import { reply, type ScriptedReply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../../support/session-harness';

const plan = '# Rename it\n\n1. Rename a\n2. Test';
const tools = getAllBaseTools().filter(({ name }) => ['Write', 'EnterPlanMode', 'ExitPlanMode'].includes(name));
const show = (text = plan, id = 'toolu_plan'): ScriptedReply => reply(toolUse('ExitPlanMode', { plan: text }, id));
const write = (id = 'toolu_write'): ScriptedReply =>
  reply(toolUse('Write', { file_path: '/w/new.txt', content: 'new\n' }, id));

function open(
  script: readonly ScriptedReply[],
  answers: ApprovalDecision[] = [],
  options: Partial<HarnessOptions> = {},
  mode: PermissionMode = 'plan',
): Harness & { model: ScriptedModel } {
  const model = createScriptedModel(script);
  const left = [...answers];
  return {
    ...createHarness({
      model,
      tools,
      answer: () => left.shift() ?? { behavior: 'allow' },
      ...options,
      session: { mode, ...options.session },
    }),
    model,
  };
}

const results = ({ model }: { model: ScriptedModel }): string => JSON.stringify(model.requests.at(-1)?.messages);

describe('plan mode', () => {
  it('is entered without a question, and the chat follows', async () => {
    const run = open([reply(toolUse('EnterPlanMode', {})), write(), reply('Planned.')], [], {}, 'default');
    await run.run('Rename it');
    assert.equal(run.session.permission.mode, 'plan');
    assert.equal(run.chat().mode, 'plan');
    assert.deepEqual(run.approvals, []);
    assert.match(results(run), /The permission mode is now Plan: only read/);
    // What would write is refused there, whoever entered the mode.
    assert.equal(run.files.text('/w/new.txt'), undefined);
    assert.match(results(run), /Permission denied/);
  });

  it('shows the whole plan in a file of its own, and goes on asking for each edit', async () => {
    const run = open([show(`${plan}\n${'long '.repeat(2_000)}`), write(), reply('Done.')]);
    await run.run('Rename it');
    const [asked, edit] = run.approvals;
    assert.equal(asked?.title, 'plan');
    assert.equal(asked?.plan?.file, '/home/ann/.deft/plans/rename-it.md');
    const shown = run.events.flatMap((event) => (event.type === 'approval_asked' ? [event.request.view] : []))[0];
    assert.ok(shown?.kind === 'markdown' && shown.text.length > 10_000);
    assert.match(run.files.text('/home/ann/.deft/plans/rename-it.md') ?? '', /^# Rename it\n/);
    assert.equal(run.session.permission.mode, 'default');
    assert.equal(run.chat().mode, 'default');
    assert.equal(edit?.toolName, 'Write');
    assert.equal(run.files.text('/w/new.txt'), 'new\n');
    assert.match(results(run), /accepted the plan\. The plan is kept in/);
  });

  it('edits automatically where the user chose that', async () => {
    const run = open(
      [show(), write(), reply('Done.')],
      [{ behavior: 'allow', updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] }],
    );
    await run.run('Rename it');
    assert.deepEqual(
      run.approvals.map(({ toolName, suggestions }) => [toolName, suggestions.map(({ label }) => label)]),
      [['ExitPlanMode', ['Accept and edit automatically']]],
    );
    assert.equal(run.session.permission.mode, 'acceptEdits');
    assert.equal(run.chat().mode, 'acceptEdits');
    assert.equal(run.files.text('/w/new.txt'), 'new\n');
  });

  it('gives back the plan as the user left it, and the file holds it', async () => {
    const run = open(
      [show(), reply('Done.')],
      [{ behavior: 'allow', text: plan.replace('Test', 'Test twice') + '\n' }],
    );
    await run.run('Rename it');
    assert.match(
      results(run),
      /changed the plan and accepted their version.*-2\. Test.*\+2\. Test twice.*The plan to follow:.*2\. Test twice/,
    );
    assert.match(run.files.text('/home/ann/.deft/plans/rename-it.md') ?? '', /Test twice/);
    assert.deepEqual(
      run.chat().items.flatMap((item) => (item.kind === 'tool' ? [[item.detail, item.view?.kind]] : [])),
      [['accepted with your changes', 'markdown']],
    );
  });

  it('goes on planning with the reason, in another file', async () => {
    const run = open(
      [show(), show('# Rename it\n\nBetter', 'toolu_again'), reply('Done.')],
      [{ behavior: 'deny', message: 'Smaller steps.', interrupt: false }],
    );
    await run.run('Rename it');
    assert.match(results(run), /They say: Smaller steps\./);
    assert.deepEqual(
      run.approvals.map((request) => request.plan?.file),
      ['/home/ann/.deft/plans/rename-it.md', '/home/ann/.deft/plans/rename-it-2.md'],
    );
    assert.equal(run.session.permission.mode, 'default');
  });

  it('stays, and the turn ends, where the user keeps planning without a word', async () => {
    const run = open([show()], [{ behavior: 'deny', interrupt: true }]);
    assert.equal((await run.run('Rename it')).reason, 'denied');
    assert.equal(run.session.permission.mode, 'plan');
  });

  it('is told of in front of each prompt', async () => {
    const run = open([reply('1'), reply('2')]);
    await run.run('One');
    await run.run('Two');
    assert.match(JSON.stringify(run.model.requests[0]?.messages), /permission mode is now Plan/);
    assert.match(results(run), /still Plan: only read/);
  });

  it('cannot be left from another mode', async () => {
    const run = open([show(), reply('Fine.')], [], {}, 'default');
    await run.run('Go');
    assert.deepEqual(run.approvals, []);
    assert.match(results(run), /The permission mode is not Plan/);
  });

  it('is left by no rule and no hook', async () => {
    const allow = JSON.stringify({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    });
    const before = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
    const run = open([show()], [{ behavior: 'deny', interrupt: true }], {
      ports: {
        hooks: scriptedHooks((_hook, { hook_event_name: event }) => ({
          stdout: event === 'PreToolUse' ? before : allow,
        })),
      },
      session: {
        hooks: () => ({ active: [commandHook('PermissionRequest', 'a'), commandHook('PreToolUse', 'b')] }),
        permission: () => ({
          rules: [{ behavior: 'allow', value: { toolName: 'ExitPlanMode' }, source: 'userSettings', root: '/' }],
          folders: ['/w'],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
      },
    });
    await run.run('Go');
    assert.equal(run.approvals.length, 1);
    assert.equal(run.session.permission.mode, 'plan');
  });

  it('tells hooks the plan and its file', async () => {
    const responses: unknown[] = [];
    const run = open([show(), reply('Done.')], [], {
      ports: { hooks: scriptedHooks((_hook, { tool_response: response }) => void responses.push(response)) },
      session: { hooks: () => ({ active: [commandHook('PostToolUse', 'note')] }) },
    });
    await run.run('Go');
    assert.deepEqual(responses, [
      {
        plan,
        isAgent: false,
        filePath: '/home/ann/.deft/plans/rename-it.md',
        planWasEdited: false,
        mode: 'default',
      },
    ]);
  });

  it('is gone on with after a reload where a plan waits, and only there', async () => {
    const asked = open([show()], [], { answer: () => new Promise(() => undefined) });
    await asked.session.permission.setMode('plan');
    const stop = new AbortController();
    void asked.run('Go', stop.signal);
    await asked.when((event) => event.type === 'approval_asked');
    const records: SessionRecord[] = asked.stored();
    assert.equal(resumedMode(records), 'plan');
    const again = open([show(plan, 'toolu_again'), reply('Done.')], [], { records }, 'plan');
    await again.run();
    assert.equal(again.approvals.length, 1);
    assert.equal(again.session.permission.mode, 'default');
    const over = open([reply('Hello.')]);
    over.session.permission.setMode('plan');
    await over.run('Hi');
    assert.equal(resumedMode(over.stored()), undefined);
    stop.abort();
  });

  it('says so where nobody can accept a plan', () => {
    const request = {
      id: '1',
      toolUseId: 't',
      toolName: 'ExitPlanMode',
      title: 'plan',
      view: { kind: 'markdown' as const, text: plan },
      reason: 'r',
      suggestions: [],
      plan: { file: '/p.md' },
    };
    assert.match(
      denial(request),
      /headless, so nobody can accept the plan\. It is saved in \/p\.md: reply with the plan/,
    );
  });
});

describe('plans', () => {
  const places: [setting: string | undefined, directory: string][] = [
    [undefined, '/home/ann/.deft/plans'],
    ['', '/home/ann/.deft/plans'],
    ['docs/plans', '/w/docs/plans'],
    ['./plans', '/w/plans'],
    ['~/plans', '/home/ann/plans'],
    ['/w/p', '/w/p'],
    ['../../etc', '/home/ann/.deft/plans'],
    ['/etc/cron.d', '/home/ann/.deft/plans'],
  ];
  for (const [setting, directory] of places)
    it(`lie in ${directory} by the setting ${setting}`, () =>
      assert.equal(plansDirectory({ setting, home: '/home/ann', folders: ['/w'] }), directory));

  it('are named by their first line, and never in place of another', async () => {
    const files = createMemoryFiles({ '/p/fix-the-date.md': 'old' });
    assert.equal(await newPlanFile('/p', '\n## Fix the *date*!\nmore', files), '/p/fix-the-date-2.md');
    assert.equal(await newPlanFile('/p', '计划', files), '/p/plan.md');
  });

  it('come back with remarks on lines, in their order, and with the edits', () => {
    const changes = planChanges('a\nb', 'a\nc\n');
    assert.equal(planChanges('a\n', 'a'), undefined);
    assert.equal(planChanges('a\r\nb', 'a\nb\n'), undefined);
    const text = planFeedback(
      ' Not yet. ',
      [
        { line: 2, quoted: 'b', words: 'Why?' },
        { line: 1, quoted: 'a', words: 'Good.' },
      ],
      changes,
    );
    assert.match(
      text,
      /^Not yet\.\n\nOn line 1 of the plan:\n> a\nGood\.\n\nOn line 2 of the plan:\n> b\nWhy\?\n\nThey changed the plan in the editor; build on their version:\n[\s\S]*-b\n\+c/,
    );
  });
});
