// Exit codes and output, row by row: what each means for which event.
import assert from 'node:assert/strict';
import { type HookEvent, hookEvents, matchedValue, timeoutOf } from '../../../../src/core/ports/hook-events';
import { type HookOutcome, mergeOutcomes, noOutcome } from '../../../../src/core/hooks/hook-outcome';
import { type HookResult } from '../../../../src/core/ports/hook-handlers';
import { readHookResult } from '../../../../src/core/hooks/hook-output';
import { readVerdict } from '../../../../src/core/hooks/prompt-hook';

const ended = (exitCode: number, stdout: unknown = '', stderr = ''): HookResult => ({
  kind: 'ended',
  exitCode,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
});
const specific = (event: HookEvent, fields: object): object => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
});
/** What is in the outcome, without what is empty. */
const found = (outcome: HookOutcome): object =>
  Object.fromEntries(Object.entries(outcome).filter(([, value]) => !(Array.isArray(value) && value.length === 0)));

describe('the output of a hook', () => {
  const rows: [what: string, event: HookEvent, result: HookResult, expected: object][] = [
    ['nothing', 'PreToolUse', ended(0), {}],
    ['plain text of a call', 'PreToolUse', ended(0, 'fine'), {}],
    ['plain text of a prompt', 'UserPromptSubmit', ended(0, ' Mind the gap.\n'), { context: ['Mind the gap.'] }],
    ['plain text of a start', 'SessionStart', ended(0, 'Tuesday'), { context: ['Tuesday'] }],
    ['exit 2 before a call', 'PreToolUse', ended(2, 'out', 'No.\nNever.'), { decision: 'deny', reason: 'No.\nNever.' }],
    [
      'exit 2 with its reason on stdout',
      'PreToolUse',
      ended(2, 'Not here.'),
      { decision: 'deny', reason: 'Not here.' },
    ],
    [
      'exit 2 beside JSON that allows',
      'PreToolUse',
      ended(2, specific('PreToolUse', { permissionDecision: 'allow' }), 'No.'),
      { decision: 'deny', reason: 'No.' },
    ],
    ['exit 2 without a word', 'Stop', ended(2), { block: 'The hook gave no reason.' }],
    ['exit 2 after a call', 'PostToolUse', ended(2, '', 'Lint fails.'), { feedback: ['Lint fails.'] }],
    [
      'exit 2 of a question',
      'PermissionRequest',
      ended(2, '', 'Hm.'),
      { problems: ['It ended with exit code 2: Hm.'] },
    ],
    ['exit 2 at the end', 'SessionEnd', ended(2, '', 'Hm.'), { problems: ['It ended with exit code 2: Hm.'] }],
    ['exit 1', 'PreToolUse', ended(1, '', 'Oh no\nat line 3'), { problems: ['It ended with exit code 1: Oh no'] }],
    ['exit 127 without a word', 'PreToolUse', ended(127), { problems: ['It ended with exit code 127'] }],
    ['exit 1 with JSON that denies', 'PreToolUse', ended(1, { decision: 'block' }), { decision: 'deny' }],
    [
      'exit 1 with JSON that allows',
      'PreToolUse',
      ended(1, { decision: 'allow', additionalContext: 'Note.' }, 'Oh no'),
      { context: ['Note.'], problems: ['It ended with exit code 1: Oh no'] },
    ],
    [
      'exit 1 with JSON that allows',
      'PermissionRequest',
      ended(1, specific('PermissionRequest', { decision: { behavior: 'allow' } })),
      { problems: ['It ended with exit code 1'] },
    ],
    ['exit 1 with torn JSON', 'PreToolUse', ended(1, '{"deci'), { problems: ['It ended with exit code 1: {"deci'] }],
    [
      'exit 2 with JSON that denies: its reason, and its texts',
      'PreToolUse',
      ended(2, { decision: 'deny', reason: 'Mine.', additionalContext: 'Note.', systemMessage: 'Told.' }, 'stderr'),
      { decision: 'deny', reason: 'Mine.', context: ['Note.'], messages: ['Told.'] },
    ],
    [
      'exit 2 with JSON that asks',
      'PreToolUse',
      ended(2, { decision: 'ask', reason: 'Sure?' }, 'No.'),
      { decision: 'deny', reason: 'No.' },
    ],
    [
      'exit 2 with JSON that decides nothing',
      'UserPromptSubmit',
      ended(2, { systemMessage: 'Told.' }, 'No.'),
      { block: 'No.', messages: ['Told.'] },
    ],
    [
      'two decisions: the stricter one',
      'PreToolUse',
      ended(0, { decision: 'deny', reason: 'No.', ...specific('PreToolUse', { permissionDecision: 'allow' }) }),
      { decision: 'deny', reason: 'No.' },
    ],
    [
      'two decisions: the stricter one',
      'PreToolUse',
      ended(0, { decision: 'allow', reason: 'Fine.', ...specific('PreToolUse', { permissionDecision: 'ask' }) }),
      { decision: 'ask' },
    ],
    [
      'a word that is no decision',
      'PreToolUse',
      ended(0, { decision: 'Deny' }),
      { problems: ['`decision` must be "allow", "deny", "ask", "block" or "approve".'] },
    ],
    [
      'a question where nobody is asked',
      'UserPromptSubmit',
      ended(0, { decision: 'ask' }),
      { problems: ['A hook of UserPromptSubmit cannot ask: nobody is asked there.'] },
    ],
    [
      'fields without effect',
      'SessionEnd',
      ended(0, { decision: 'block', terminalSequence: 'x', ...specific('SessionEnd', { retry: true }) }),
      { unused: ['retry', 'terminalSequence', 'decision'] },
    ],
    [
      'a `continue` that is no flag',
      'Stop',
      ended(0, { continue: 'false' }),
      { problems: ['`continue` must be true or false.'] },
    ],
    [
      'the first line of a background hook',
      'PostToolUse',
      ended(0, `{"async": true}\n${JSON.stringify({ additionalContext: 'Late.' })}`),
      { context: ['Late.'] },
    ],
    [
      'a model that does not',
      'PermissionRequest',
      { kind: 'verdict', ok: false, reason: 'No.' },
      { permission: { behavior: 'deny', interrupt: false, updates: [], message: 'No.' } },
    ],
    [
      'torn JSON',
      'PreToolUse',
      ended(0, '{"decision": \n"blo'),
      { problems: ['It printed JSON that cannot be read: {"decision":'] },
    ],
    [
      'a decision behind a line of a log',
      'PreToolUse',
      ended(0, `checking…\n${JSON.stringify(specific('PreToolUse', { permissionDecision: 'deny' }), undefined, 2)}\n`),
      {
        problems: [
          'It printed text before its JSON object, so the JSON was ignored: print only JSON, and anything else to standard error.',
        ],
      },
    ],
    [
      'an answer behind a line of a log, where text is context',
      'UserPromptSubmit',
      ended(0, 'Hm.\n{"decision":"block"}'),
      {
        context: ['Hm.\n{"decision":"block"}'],
        problems: [
          'It printed text before its JSON object, so the JSON was ignored: print only JSON, and anything else to standard error.',
        ],
      },
    ],
    [
      'a decision within a list',
      'PreToolUse',
      ended(0, [{ decision: 'deny' }]),
      {
        problems: [
          'It printed text before its JSON object, so the JSON was ignored: print only JSON, and anything else to standard error.',
        ],
      },
    ],
    [
      'a decision in colors',
      'PreToolUse',
      ended(0, '\x1b[1;39m{\n  \x1b[0m\x1b[34;1m"decision"\x1b[0m: "deny"}'.replace('"\x1b[0m:', '":')),
      {
        problems: [
          'It printed text before its JSON object, so the JSON was ignored: print only JSON, and anything else to standard error.',
        ],
      },
    ],
    [
      'text for the model that speaks of decisions',
      'SessionStart',
      ended(0, 'Hooks print {"decision": "block"} here.'),
      { context: ['Hooks print {"decision": "block"} here.'] },
    ],
    [
      'a decision beside hookSpecificOutput that belongs into it',
      'PreToolUse',
      ended(0, { permissionDecision: 'deny' }),
      { problems: ['`permissionDecision` has to be in `hookSpecificOutput`.'] },
    ],
    [
      'a decision in hookSpecificOutput that belongs beside it',
      'PreToolUse',
      ended(0, specific('PreToolUse', { decision: 'deny' })),
      { problems: ['`decision` has to be beside `hookSpecificOutput`.'] },
    ],
    [
      'the words of the other place',
      'PreToolUse',
      ended(0, specific('PreToolUse', { permissionDecision: 'block', permissionDecisionReason: 'No.' })),
      { decision: 'deny', reason: 'No.' },
    ],
    [
      'JSON that denies, of a hook that was then ended',
      'PreToolUse',
      { kind: 'ended', exitCode: 137, signal: 'SIGKILL', stdout: '{"decision":"deny","reason":"No."}', stderr: '' },
      { decision: 'deny', reason: 'No.' },
    ],
    [
      'JSON that allows, of a hook that was then ended',
      'PreToolUse',
      { kind: 'ended', exitCode: 137, signal: 'SIGKILL', stdout: '{"decision":"allow"}', stderr: '' },
      { problems: ['It was ended by SIGKILL'] },
    ],
    ['text with braces that answers nothing', 'PreToolUse', ended(0, 'found:\n{"files": 3}\n{ torn "decision"'), {}],
    [
      'a decision',
      'PreToolUse',
      ended(0, specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' })),
      { decision: 'ask', reason: 'Sure?' },
    ],
    [
      'an older decision',
      'PreToolUse',
      ended(0, { decision: 'approve', reason: 'Fine.' }),
      { decision: 'allow', reason: 'Fine.' },
    ],
    ['an older no', 'PreToolUse', ended(0, { decision: 'block', reason: 'No.' }), { decision: 'deny', reason: 'No.' }],
    [
      'an unknown decision',
      'PreToolUse',
      ended(0, specific('PreToolUse', { permissionDecision: 'perhaps' })),
      { problems: ['`permissionDecision` must be one of deny, defer, ask, allow.'] },
    ],
    [
      'another input',
      'PreToolUse',
      ended(0, specific('PreToolUse', { updatedInput: { command: 'ls' } })),
      { updatedInput: { command: 'ls' } },
    ],
    [
      'an input that is none',
      'PreToolUse',
      ended(0, specific('PreToolUse', { updatedInput: 'ls' })),
      { problems: ['`updatedInput` must be the whole input, an object.'] },
    ],
    [
      'context',
      'PostToolUse',
      ended(0, specific('PostToolUse', { additionalContext: 'Note.' })),
      { context: ['Note.'] },
    ],
    [
      'another output',
      'PostToolUse',
      ended(0, specific('PostToolUse', { updatedToolOutput: [1] })),
      { updatedOutput: { value: [1] } },
    ],
    [
      'a no after the call',
      'PostToolUse',
      ended(0, { decision: 'block', reason: 'Lint fails.' }),
      { feedback: ['Lint fails.'] },
    ],
    [
      'output for another event',
      'PreToolUse',
      ended(0, specific('PostToolUse', { additionalContext: 'x' })),
      { problems: ['`hookSpecificOutput` is for PostToolUse, not for PreToolUse.'] },
    ],
    [
      'a stop',
      'Stop',
      ended(0, { continue: false, stopReason: 'Enough.', systemMessage: 'Told.' }),
      { stop: 'Enough.', messages: ['Told.'] },
    ],
    ['a blocked end', 'Stop', ended(0, { decision: 'block', reason: 'Tests fail.' }), { block: 'Tests fail.' }],
    [
      'an answer for the user',
      'PermissionRequest',
      ended(0, specific('PermissionRequest', { decision: { behavior: 'deny', message: 'No.', interrupt: true } })),
      { permission: { behavior: 'deny', interrupt: true, updates: [], message: 'No.' } },
    ],
    [
      'an answer with grants, without the one that no hook gives',
      'PermissionRequest',
      ended(
        0,
        specific('PermissionRequest', {
          decision: {
            behavior: 'allow',
            updatedPermissions: [
              {
                type: 'addRules',
                behavior: 'allow',
                rules: [{ toolName: 'Bash', ruleContent: 'ls' }],
                destination: 'userSettings',
              },
              { type: 'setMode', mode: 'bypassPermissions' },
            ],
          },
        }),
      ),
      {
        permission: {
          behavior: 'allow',
          interrupt: false,
          updates: [
            {
              type: 'addRules',
              behavior: 'allow',
              rules: [{ toolName: 'Bash', ruleContent: 'ls' }],
              destination: 'userSettings',
            },
          ],
        },
        problems: [
          '`updatedPermissions` has an entry that is not applied: no hook can set the mode bypassPermissions.',
        ],
      },
    ],
    [
      'a start',
      'SessionStart',
      ended(0, specific('SessionStart', { sessionTitle: 'T', initialUserMessage: 'Hi', watchPaths: ['/w/.env'] })),
      { sessionTitle: 'T', initialUserMessage: 'Hi', watchPaths: ['/w/.env'] },
    ],
    ['an answer over http', 'UserPromptSubmit', { kind: 'body', text: 'Plain.' }, { context: ['Plain.'] }],
    [
      'a timeout',
      'PreToolUse',
      { kind: 'timeout', seconds: 3 },
      { problems: ['It took longer than 3 s and was stopped; its decision is ignored.'] },
    ],
    ['a model that agrees', 'PreToolUse', { kind: 'verdict', ok: true, reason: '' }, {}],
    [
      'a model that does not',
      'PreToolUse',
      { kind: 'verdict', ok: false, reason: 'Risky.' },
      { decision: 'deny', reason: 'Risky.' },
    ],
    [
      'a model after the call',
      'PostToolUse',
      { kind: 'verdict', ok: false, reason: 'Wrong.' },
      { feedback: ['Wrong.'], stop: 'Wrong.' },
    ],
  ];
  for (const [what, event, result, expected] of rows) {
    it(`${event}: ${what}`, () => assert.deepEqual(found(readHookResult(event, result)), expected));
  }

  it('of a model after the call lets the turn go on where it says so', () => {
    assert.deepEqual(
      found(readHookResult('PostToolUse', { kind: 'verdict', ok: false, reason: 'Wrong.' }, { continueOnBlock: true })),
      { feedback: ['Wrong.'] },
    );
  });
});

describe('a replacement that a hook meant to give and did not', () => {
  const output = specific('PostToolUse', { updatedToolOutput: { stdout: 'x' } });
  const printed = JSON.stringify(output);
  const rows: [what: string, stdout: unknown, problem: RegExp][] = [
    ['torn', printed.slice(0, -1), /JSON that cannot be read/],
    ['behind a line of a log', `redacting…\n${printed}`, /text before its JSON object/],
    ['before another line', `${printed}\ndone`, /JSON that cannot be read/],
    ['beside hookSpecificOutput', { updatedToolOutput: {} }, /`updatedToolOutput` has to be in `hookSpecificOutput`/],
    ['for another event', specific('PreToolUse', { updatedToolOutput: {} }), /is for PreToolUse, not for PostToolUse/],
    ['of servers, torn', '{"hookSpecificOutput":{"updatedMCPToolOutput": [', /JSON that cannot be read/],
  ];
  for (const [what, stdout, problem] of rows)
    for (const exitCode of [0, 1])
      it(`${what}, with exit code ${exitCode}, withholds the output`, () => {
        const { withheld, problems } = readHookResult('PostToolUse', ended(exitCode, stdout));
        assert.match(withheld ?? '', exitCode === 0 ? problem : /A hook meant to replace it, which failed/);
        assert.ok(problems.length > 0);
      });

  it('is not seen in texts that only speak of it, nor at other events', () => {
    const speaks = { hookSpecificOutput: { additionalContext: 'Use {"updatedToolOutput": …}' } };
    assert.deepEqual(found(readHookResult('PostToolUse', ended(0, speaks))), {
      context: ['Use {"updatedToolOutput": …}'],
    });
    assert.equal(readHookResult('PreToolUse', ended(0, printed.slice(0, -1))).withheld, undefined);
  });
});

describe('outcomes together', () => {
  const of = (part: Partial<HookOutcome>): HookOutcome => ({ ...noOutcome, ...part });

  it('deny before defer before ask before allow, with the reasons of the winner', () => {
    const merged = mergeOutcomes([
      of({ decision: 'allow', reason: 'a' }),
      of({ decision: 'deny', reason: 'b' }),
      of({ decision: 'ask', reason: 'c' }),
      of({ decision: 'deny', reason: 'd' }),
    ]);
    assert.deepEqual([merged.decision, merged.reason], ['deny', 'b\nd']);
    assert.equal(
      mergeOutcomes([of({ decision: 'allow' }), of({ decision: 'defer' }), of({ decision: 'ask' })]).decision,
      'defer',
    );
  });

  it('keep all texts, and the last change', () => {
    const merged = mergeOutcomes([
      of({ context: ['a'], updatedInput: { x: 1 } }),
      of({ context: ['b'], updatedInput: { x: 2 }, block: 'n' }),
      of({ block: 'm' }),
    ]);
    assert.deepEqual([merged.context, merged.updatedInput, merged.block], [['a', 'b'], { x: 2 }, 'n\nm']);
  });

  it('let a denied question stay denied', () => {
    const answer = { interrupt: false, updates: [] };
    assert.equal(
      mergeOutcomes([
        of({ permission: { ...answer, behavior: 'deny' } }),
        of({ permission: { ...answer, behavior: 'allow' } }),
      ]).permission?.behavior,
      'deny',
    );
  });

  it('of nothing are always the same object', () => assert.equal(mergeOutcomes([]), noOutcome));
});

describe('events of hooks', () => {
  it('are the thirty-one', () => assert.equal(Object.keys(hookEvents).length, 31));

  it('have their own times', () => {
    const rows: [HookEvent, string, number | undefined, number][] = [
      ['PreToolUse', 'command', undefined, 600],
      ['PreToolUse', 'prompt', undefined, 30],
      ['PreToolUse', 'agent', undefined, 60],
      ['PreToolUse', 'command', 2, 2],
      ['UserPromptSubmit', 'command', undefined, 30],
      ['MessageDisplay', 'command', undefined, 10],
      ['SessionEnd', 'command', undefined, 1.5],
      ['SessionEnd', 'prompt', undefined, 1.5],
      ['SessionEnd', 'command', 600, 60],
    ];
    for (const [event, type, own, expected] of rows)
      assert.equal(timeoutOf(event, type, own), expected, `${event} ${type}`);
  });

  it('compare a file by its name', () => {
    assert.equal(matchedValue('FileChanged', { file_path: '/w/a/.env' }), '.env');
    assert.equal(matchedValue('Stop', { tool_name: 'Bash' }), undefined);
  });
});

describe('the verdict of a model', () => {
  it('is found in what stands around it', () => {
    assert.deepEqual(readVerdict('{"ok": true}'), { kind: 'verdict', ok: true, reason: '' });
    assert.deepEqual(readVerdict('Sure:\n```json\n{"ok": false, "reason": "a {b}"}\n```'), {
      kind: 'verdict',
      ok: false,
      reason: 'a {b}',
    });
    assert.equal(readVerdict('I think so.').kind, 'failed');
    assert.equal(readVerdict('{"okay": true}').kind, 'failed');
  });
});
