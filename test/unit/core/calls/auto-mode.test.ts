// Auto mode in a session: what the classifier is asked and shown, what its answers do, and that everything else asks the user.
import assert from 'node:assert/strict';
import { type CallDecision } from '../../../../src/shared/decision-trace';
import { type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { askingTool, fakeTool } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import {
  delayed,
  httpError,
  reply,
  type ScriptedReply,
  text,
  toolUse,
  withFields,
} from '../../../support/messages-api/script';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { createMemoryFiles } from '../../../support/memory-files';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';
import { rule } from '../permissions/permission-table';

type Answer = string | ScriptedReply;

const pass = '{"block": false, "reason": "Ordinary work."}';
const block = '{"block": true, "reason": "It sends secrets away."}';

interface World {
  harness: Harness;
  model: ScriptedModel;
  /** What the classifier was asked. */
  asked(): ModelRequest[];
  decisions(): CallDecision[];
}

/** One call a turn, then "Done."; the classifier gives its answers in order, the last one again and again. */
function world(
  answers: Answer[],
  {
    rules = [],
    changes = {},
    calls = 1,
    tool = askingTool('Act'),
    input = { text: 'x' },
    ...options
  }: Partial<HarnessOptions> & {
    rules?: string[];
    changes?: Partial<PermissionContext>;
    calls?: number;
    tool?: AnyTool;
    input?: Record<string, unknown>;
  } = {},
): World {
  let turn = 0;
  let answered = 0;
  const isClassifier = (request: ModelRequest): boolean => /haiku/.test(request.model);
  const model = createScriptedModel((request) => {
    if (isClassifier(request)) {
      const answer = answers[Math.min(answered++, answers.length - 1)] ?? '';
      return typeof answer === 'string' ? reply(text(answer)) : answer;
    }
    return turn++ < calls ? reply(toolUse(tool.name, input)) : reply('Done.');
  });
  const permission = () => ({
    rules: rules.map(rule),
    folders: ['/w'],
    ownFolders: [],
    home: '/home/ann',
    ignoreCase: false,
    trusted: true,
    ...changes,
  });
  const harness = createHarness({
    model,
    tools: [tool],
    clock: createManualClock('manual'),
    ...options,
    session: { mode: 'auto', permission, ...options.session },
  });
  return {
    harness,
    model,
    asked: () => model.requests.filter(isClassifier),
    decisions: () =>
      harness.stored().flatMap((record) => (record.type === 'system' && record.subtype === 'decision' ? [record] : [])),
  };
}

/** A PreToolUse hook that says this. */
const hooked = (permissionDecision: 'allow' | 'ask'): Partial<HarnessOptions> => ({
  ports: {
    hooks: scriptedHooks(() => ({
      stdout: JSON.stringify({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'A hook.' },
      }),
    })),
  },
  session: { hooks: () => ({ active: [commandHook('PreToolUse', 'judge')] }) },
});

const outcome = async (made: World, words = 'Go'): Promise<string> => {
  await made.harness.run(words);
  const [last] = made.decisions().slice(-1);
  return `${last?.behavior ?? '?'} by ${last?.by ?? '?'}, asked ${made.harness.approvals.length}, classified ${made.asked().length}`;
};

describe('auto mode', () => {
  it('lets the classifier allow a call, and says so in the log', async () => {
    const made = world([pass]);
    assert.equal(await outcome(made), 'allow by classifier, asked 0, classified 1');
    assert.equal(made.decisions()[0]?.reason, 'Ordinary work.');
  });

  it('tells the classifier what the settings add, and keeps its own rules and the way to answer', async () => {
    const system = async (autoMode?: Record<string, unknown>): Promise<string> => {
      const made = world([pass], autoMode === undefined ? {} : { session: { autoRules: () => autoMode } });
      await outcome(made);
      return made.asked()[0]?.system[0]?.text ?? '';
    };
    const own = await system();
    const added = await system({
      environment: ['$defaults', 'The bucket s3://ours is ours.'],
      allow: ['Deploys to\n\nstaging.'],
      soft_deny: ['Sending mail.', 3, 'x'.repeat(2_000)],
      hard_deny: 'no list',
    });
    const [instructions = '', answer = ''] = [
      own.slice(0, own.lastIndexOf('\n\n')),
      own.slice(own.lastIndexOf('\n\n')),
    ];
    assert.equal(
      added,
      `${instructions}\n\nThe user's settings add the following; it counts like their messages.\n\nKnown and trusted here:\n- The bucket s3://ours is ours.\n\nMay proceed, although it is on the list above:\n- Deploys to staging.\n\nAlso block:\n- Sending mail.${answer}`,
    );
    assert.match(answer, /^\n\nAnswer with one line of JSON/);
    assert.equal(await system({ environment: ['$defaults'] }), own);
  });

  it('denies what the classifier blocks, with its reason for the model', async () => {
    const made = world([block]);
    assert.equal(await outcome(made), 'deny by classifier, asked 0, classified 1');
    assert.match(
      JSON.stringify(made.model.requests.at(-1)?.messages),
      /auto mode blocked this: It sends secrets away\./,
    );
  });

  describe('asks the user where the answer is no clear answer', () => {
    const answers: [string, Answer][] = [
      ['prose', 'This is fine.'],
      ['a word in front', `Sure: ${pass}`],
      ['a fence', `\`\`\`json\n${pass}\n\`\`\``],
      ['two objects', `${block}\n${pass}`],
      ['a key twice', '{"block": true, "block": false, "reason": "x"}'],
      ['another key', '{"block": false, "reason": "x", "sure": true}'],
      ['text for a boolean', '{"block": "false", "reason": "x"}'],
      ['no reason', '{"block": false}'],
      ['an empty reason', '{"block": false, "reason": " "}'],
      ['another order', '{"reason": "x", "block": false}'],
      ['nothing', ' '],
      ['a number', '{"block": 0, "reason": "x"}'],
      ['null', 'null'],
      ['a refusal', withFields(reply(text(pass)), { stopReason: 'refusal' })],
      ['a cut answer', withFields(reply(text(pass)), { stopReason: 'max_tokens' })],
      ['an error', httpError(400, 'invalid_request_error', 'No such model.')],
      ['a wrong key', httpError(401, 'authentication_error', 'No.')],
    ];
    for (const [title, answer] of answers)
      it(title, async () => assert.equal(await outcome(world([answer])), 'allow by user, asked 1, classified 1'));
  });

  it('asks the user after ten seconds without an answer', async () => {
    const never = new Promise<void>(() => undefined);
    const made = world([delayed(reply(text(pass)), never)]);
    const run = made.harness.run('Go');
    await made.harness.clock.sleeping(1);
    assert.deepEqual(made.harness.clock.slept, [10_000]);
    made.harness.clock.advance(10_000);
    await run;
    assert.equal(made.harness.approvals.length, 1);
    assert.match(made.harness.approvals[0]?.reason ?? '', /could not check the call in time/);
  });

  describe('never asks the classifier', () => {
    const bash = (command: string): Partial<Parameters<typeof world>[1]> & object => ({
      tool: askingTool('Bash', { targets: () => [{ kind: 'command', command }] }),
    });
    const edits = (path: string): Partial<Parameters<typeof world>[1]> & object => ({
      tool: askingTool('Edit', { access: 'WorkspaceWrite', targets: () => [{ kind: 'file', access: 'write', path }] }),
    });
    const rows: [string, Parameters<typeof world>[1], string][] = [
      [
        'about an ask rule',
        { ...bash('git push'), rules: ['ask Bash(git push:*)'] },
        'allow by user, asked 1, classified 0',
      ],
      ['about a critical path', bash('rm -rf /'), 'allow by user, asked 1, classified 0'],
      ['about a protected path', edits('/w/.git/config'), 'allow by user, asked 1, classified 0'],
      ['about a line that does not parse', bash('ls "'), 'allow by user, asked 1, classified 0'],
      [
        'about unknown deny rules',
        { changes: { brokenSettings: ['/s.json'] } },
        'allow by user, asked 1, classified 0',
      ],
      [
        'about what its tool asks itself',
        {
          tool: askingTool('Act', {
            checkPermissions: async () => ({ behavior: 'ask', code: 'rule', reason: 'Own.', suggestions: [] }),
          }),
        },
        'allow by user, asked 1, classified 0',
      ],
      [
        'about a condition that nobody can check',
        { rules: ['ask Act(whatever)'] },
        'allow by user, asked 1, classified 0',
      ],
      [
        'where a settings file switches auto off',
        { changes: { autoDisabled: true } },
        'allow by user, asked 1, classified 0',
      ],
      [
        'about what a rule denies',
        { ...bash('rm x'), rules: ['deny Bash(rm:*)'] },
        'deny by rule, asked 0, classified 0',
      ],
      [
        'about what a rule allows',
        { ...bash('make all'), rules: ['allow Bash(make all)'] },
        'allow by rule, asked 0, classified 0',
      ],
      ['about reading', { tool: fakeTool('Act') }, 'allow by deft, asked 0, classified 0'],
      ['about edits in the workspace', edits('/w/a.txt'), 'allow by mode, asked 0, classified 0'],
      [
        'about an action that is too long to be shown whole',
        { input: { text: 'x'.repeat(21_000) } },
        'allow by user, asked 1, classified 0',
      ],
      [
        'through a link',
        { ...edits('/w/link'), files: createMemoryFiles({ '/w/link': { link: '/opt/x' } }) },
        'allow by user, asked 1, classified 0',
      ],
      ['where a hook asks', { ...hooked('ask') }, 'allow by user, asked 1, classified 0'],
    ];
    for (const [title, options, expected] of rows)
      it(title, async () => assert.equal(await outcome(world([pass], options)), expected));
  });

  describe('sets broad rules aside', () => {
    const rows: [command: string, rules: string[], classified: number][] = [
      ['make x', ['allow Bash'], 1],
      ['make x', ['allow Bash(*)'], 1],
      ['python a.py', ['allow Bash(python:*)'], 1],
      ['python3 a.py', ['allow Bash(python3 *)'], 1],
      ['npx x', ['allow Bash(npx:*)'], 1],
      ['npm run x', ['allow Bash(npm run:*)'], 1],
      ['npm run x', ['allow Bash(npm run x)'], 0],
      ['git commit -m x', ['allow Bash(git commit:*)'], 0],
      ['python a.py', ['allow Bash(py*)'], 1],
    ];
    for (const [command, rules, classified] of rows) {
      it(`${rules.join()}: ${command}`, async () => {
        const made = world([pass], {
          rules,
          tool: askingTool('Bash', { targets: () => [{ kind: 'command', command }] }),
        });
        await made.harness.run('Go');
        assert.equal(made.asked().length, classified);
      });
    }
  });

  it('shows the classifier the words of the user and the actions, never results or files', async () => {
    const tool = askingTool('Act', { call: async () => ({ data: { said: 'RESULT-TEXT' } }) });
    const made = world([pass], { tool, calls: 2, input: { text: 'push it' } });
    await made.harness.session.run(
      {
        content: [
          { type: 'text', text: 'FILE-TEXT of a mention' },
          { type: 'text', text: 'Please push' },
        ],
        display: { text: 'Please push', attachments: ['a.txt'], images: 0 },
      },
      new AbortController().signal,
    );
    const shown = JSON.stringify(made.asked().at(-1));
    assert.equal(made.asked().length, 2);
    assert.match(shown, /Please push/);
    assert.match(shown, /push it/);
    assert.match(shown, /\/w/);
    assert.doesNotMatch(shown, /RESULT-TEXT|FILE-TEXT|Working directory/);
  });

  it('pauses after three blocks in a row, until it is chosen anew', async () => {
    const made = world([block], { calls: 5 });
    await made.harness.run('Go');
    assert.deepEqual([made.asked().length, made.harness.approvals.length], [3, 2]);
    assert.match(made.harness.approvals[0]?.reason ?? '', /paused after 3 blocked actions in a row/);
    made.harness.session.permission.setMode('auto');
    assert.equal(made.harness.session.permission.mode, 'auto');
    const again = world([block, block, pass, block], { calls: 6 });
    await again.harness.run('Go');
    assert.deepEqual([again.asked().length, again.harness.approvals.length], [6, 0]);
  });

  it('pauses after twenty blocks in all', async () => {
    const made = world(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? block : pass)),
      { calls: 42 },
    );
    await made.harness.run('Go');
    assert.equal(made.asked().length, 39);
    assert.match(made.harness.approvals[0]?.reason ?? '', /paused after 20 blocked actions\./);
  });

  it('judges anew where the mode changed while the classifier thought', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const made = world([delayed(reply(text(pass)), gate)]);
    const run = made.harness.run('Go');
    await made.harness.clock.sleeping(1);
    made.harness.session.permission.setMode('plan');
    open();
    await run;
    assert.deepEqual(
      made.decisions().map(({ by, behavior }) => `${behavior} by ${by}`),
      ['deny by mode'],
    );
  });
});

describe('the mode that asks nobody', () => {
  it('denies what would be asked, with the reason, and lets rules allow', async () => {
    const made = world([pass], { session: { mode: 'dontAsk' } });
    assert.equal(await outcome(made), 'deny by mode, asked 0, classified 0');
    assert.match(
      made.decisions()[0]?.reason ?? '',
      /Don't ask denies anything that needs approval\. No rule matches `Act`\./,
    );
    assert.equal(
      await outcome(world([pass], { session: { mode: 'dontAsk' }, rules: ['allow Act'] })),
      'allow by rule, asked 0, classified 0',
    );
  });

  it('denies what a tool or a rule asks', async () => {
    const own = askingTool('Act', {
      checkPermissions: async () => ({ behavior: 'ask', code: 'rule', reason: 'Own.', suggestions: [] }),
    });
    const rows: [Parameters<typeof world>[1], string][] = [
      [{ tool: own, rules: ['allow Act'] }, 'deny by mode, asked 0, classified 0'],
      [{ rules: ['allow Act'], ...hooked('ask') }, 'deny by mode, asked 0, classified 0'],
      [hooked('allow'), 'allow by hook, asked 0, classified 0'],
      [{ tool: own, ...hooked('allow') }, 'deny by mode, asked 0, classified 0'],
      [{ rules: ['ask Act'], ...hooked('allow') }, 'deny by mode, asked 0, classified 0'],
      [{ rules: ['ask Act', 'allow Act'] }, 'deny by mode, asked 0, classified 0'],
    ];
    for (const [options, expected] of rows)
      assert.equal(
        await outcome(world([pass], { ...options, session: { ...options?.session, mode: 'dontAsk' } })),
        expected,
      );
  });
});
