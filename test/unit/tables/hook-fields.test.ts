// Every public field of a hook's output, event by event: what a real hook process prints, and what comes of it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HookEntry } from '../../../src/core/hooks/hook-entry';
import { type HookEvent } from '../../../src/core/ports/hook-events';
import { type PermissionUpdate } from '../../../src/shared/permission';
import { answering, type HookedRun, playHooked, type Played, sayHi, specific, textsOf } from '../../support/hooked-run';
import { commandHook } from '../../support/hooks';
import { httpError, reply, toolUse } from '../../support/messages-api/script';

let folder: string;

type Expected = { [Field in keyof Played]?: Played[Field] | RegExp };
type More = Partial<Omit<HookedRun, 'hooks' | 'cwd'>>;
type Row = [event: HookEvent, field: string, answer: object | string, effect: Expected, more?: More];

const failing: More = {
  script: [reply(toolUse('Say', { text: 'fail' }, 't1')), reply('Fine.')],
  mode: 'bypassPermissions',
};
const free: More = { mode: 'bypassPermissions' };
const pre = (fields: object): object => specific('PreToolUse', fields);
const request = (decision: object): object => specific('PermissionRequest', { decision });
const grants = (...updatedPermissions: object[]): object => request({ behavior: 'allow', updatedPermissions });
const rule = { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Say' }] };
const unused = (event: HookEvent, field: string): RegExp =>
  new RegExp(`Deft does not use \`${field}\` in the output of this ${event} hook`);
const denied: Expected = { ran: [], asked: 0, result: /^Permission denied: No\.$/ };
const allowed: Expected = { ran: ['hi'], asked: 0 };
const again: More = { script: [...sayHi, reply('Now.')], ...free };

const rows: Row[] = [
  ['PreToolUse', 'decision: allow', { decision: 'allow' }, allowed],
  ['PreToolUse', 'decision: approve', { decision: 'approve' }, allowed],
  ['PreToolUse', 'decision: deny, reason', { decision: 'deny', reason: 'No.' }, denied, free],
  ['PreToolUse', 'decision: block, reason', { decision: 'block', reason: 'No.' }, denied, free],
  ['PreToolUse', 'decision: ask', { decision: 'ask', reason: 'Sure?' }, { ran: ['hi'], asked: 1 }, free],
  ['PreToolUse', 'additionalContext', { decision: 'allow', additionalContext: 'Note.' }, { sent: /Note\./ }],
  ['PreToolUse', 'permissionDecision: allow', pre({ permissionDecision: 'allow' }), allowed],
  [
    'PreToolUse',
    'permissionDecision: deny, permissionDecisionReason',
    pre({ permissionDecision: 'deny', permissionDecisionReason: 'No.' }),
    denied,
    free,
  ],
  ['PreToolUse', 'permissionDecision: ask', pre({ permissionDecision: 'ask' }), { ran: ['hi'], asked: 1 }, free],
  ['PreToolUse', 'permissionDecision: defer', pre({ permissionDecision: 'defer' }), { ran: ['hi'], asked: 1 }, free],
  ['PreToolUse', 'updatedInput', pre({ updatedInput: { text: 'other' } }), { ran: ['other'] }, free],
  ['PreToolUse', 'hookSpecificOutput.additionalContext', pre({ additionalContext: 'Note.' }), { sent: /Note\./ }, free],
  [
    'PreToolUse',
    'continue: false, stopReason',
    { continue: false, stopReason: 'Enough.' },
    { ran: [], requests: 1, end: { reason: 'hook_stopped', message: 'A hook ended the turn: Enough.' } },
    free,
  ],
  ['PreToolUse', 'systemMessage', { systemMessage: 'Told.' }, { told: ['Hook PreToolUse:Say Told.'] }, free],
  [
    'PreToolUse',
    'terminalSequence',
    { terminalSequence: 'x' },
    { told: unused('PreToolUse', 'terminalSequence') },
    free,
  ],
  ['PreToolUse', 'an unknown field', pre({ mood: 'x' }), { told: unused('PreToolUse', 'mood') }, free],
  ['PermissionRequest', 'decision: allow', { decision: 'allow' }, allowed],
  ['PermissionRequest', 'decision: deny, reason', { decision: 'deny', reason: 'No.' }, denied],
  ['PermissionRequest', 'decision: ask', { decision: 'ask' }, { ran: ['hi'], asked: 1 }],
  ['PermissionRequest', 'behavior: allow', request({ behavior: 'allow' }), allowed],
  ['PermissionRequest', 'behavior: deny, message', request({ behavior: 'deny', message: 'No.' }), denied],
  [
    'PermissionRequest',
    'behavior: deny, interrupt',
    request({ behavior: 'deny', message: 'No.', interrupt: true }),
    { ran: [], requests: 1 },
  ],
  [
    'PermissionRequest',
    'updatedInput',
    request({ behavior: 'allow', updatedInput: { text: 'other' } }),
    { ran: ['other'] },
  ],
  [
    'PermissionRequest',
    'additionalContext',
    specific('PermissionRequest', { additionalContext: 'Note.' }),
    { told: unused('PermissionRequest', 'additionalContext') },
  ],
  ...(['localSettings', 'projectSettings', 'userSettings'] as const).map((destination): Row => [
    'PermissionRequest',
    `updatedPermissions to ${destination}`,
    grants({ ...rule, destination }),
    { ran: ['hi'], saved: [{ ...rule, destination } as PermissionUpdate] },
  ]),
  [
    'PermissionRequest',
    'updatedPermissions to session',
    grants({ ...rule, destination: 'session' }),
    { ran: ['hi'], saved: [] },
  ],
  [
    'PermissionRequest',
    'updatedPermissions to cliArg',
    grants({ ...rule, destination: 'cliArg' }),
    { ran: ['hi'], saved: [] },
  ],
  ...(['replaceRules', 'removeRules'] as const).map((type): Row => [
    'PermissionRequest',
    `updatedPermissions: ${type}`,
    grants({ ...rule, type, destination: 'userSettings' }),
    { saved: [{ ...rule, type, destination: 'userSettings' } as PermissionUpdate] },
  ]),
  ...(['addDirectories', 'removeDirectories'] as const).map((type): Row => [
    'PermissionRequest',
    `updatedPermissions: ${type}`,
    grants({ type, directories: ['/data/one/two'], destination: 'localSettings' }),
    { saved: [{ type, directories: ['/data/one/two'], destination: 'localSettings' }] },
  ]),
  [
    'PermissionRequest',
    'updatedPermissions: setMode',
    grants({ type: 'setMode', mode: 'acceptEdits', destination: 'session' }),
    { mode: 'acceptEdits' },
  ],
  [
    'PermissionRequest',
    'updatedPermissions: setMode bypassPermissions',
    grants({ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }),
    { mode: 'default', told: /no hook can set the mode bypassPermissions/ },
  ],
  [
    'PermissionRequest',
    'updatedPermissions to nowhere',
    grants({ ...rule, destination: 'everywhere' }),
    { saved: [], told: /there is no destination "everywhere"/ },
  ],
  [
    'PermissionDenied',
    'retry',
    specific('PermissionDenied', { retry: true }),
    { ran: [], sent: /PermissionDenied hook: the call may be tried again/ },
    { rules: [{ behavior: 'deny', value: { toolName: 'Say' }, source: 'userSettings', root: '/' }] },
  ],
  [
    'PostToolUse',
    'decision: block, reason',
    { decision: 'block', reason: 'Lint fails.' },
    { sent: /Lint fails\./ },
    free,
  ],
  [
    'PostToolUse',
    'additionalContext',
    specific('PostToolUse', { additionalContext: 'Note.' }),
    { sent: /Note\./ },
    free,
  ],
  [
    'PostToolUse',
    'updatedToolOutput',
    specific('PostToolUse', { updatedToolOutput: { said: 'other' } }),
    { result: 'other' },
    free,
  ],
  [
    'PostToolUse',
    'updatedMCPToolOutput',
    specific('PostToolUse', { updatedMCPToolOutput: { said: 'other' } }),
    { result: 'other' },
    free,
  ],
  [
    'PostToolUse',
    'classifierContext',
    specific('PostToolUse', { classifierContext: 'x' }),
    { told: unused('PostToolUse', 'classifierContext') },
    free,
  ],
  [
    'PostToolUseFailure',
    'decision: block',
    { decision: 'block', reason: 'Look at the log.' },
    { sent: /Look at the log\./ },
    failing,
  ],
  [
    'PostToolUseFailure',
    'additionalContext',
    specific('PostToolUseFailure', { additionalContext: 'Note.' }),
    { sent: /Note\./ },
    failing,
  ],
  [
    'PostToolBatch',
    'additionalContext',
    specific('PostToolBatch', { additionalContext: 'Note.' }),
    { sent: /Note\./ },
    free,
  ],
  [
    'PostToolBatch',
    'decision: block',
    { decision: 'block', reason: 'Enough.' },
    { requests: 1, end: { reason: 'hook_stopped', message: 'A hook ended the turn: Enough.' } },
    free,
  ],
  ['UserPromptSubmit', 'text', 'Plain note.', { sent: /UserPromptSubmit hook: Plain note\./ }, free],
  [
    'UserPromptSubmit',
    'additionalContext',
    specific('UserPromptSubmit', { additionalContext: 'Note.' }),
    { sent: /Note\./ },
    free,
  ],
  [
    'UserPromptSubmit',
    'sessionTitle',
    specific('UserPromptSubmit', { sessionTitle: 'A name' }),
    { title: 'A name' },
    free,
  ],
  [
    'UserPromptSubmit',
    'decision: block, reason',
    { decision: 'block', reason: 'No.' },
    { requests: 0, typed: ['Go'], end: { reason: 'hook_stopped', message: 'A hook blocked this message: No.' } },
  ],
  ['UserPromptSubmit', 'decision: deny', { decision: 'deny', reason: 'No.' }, { requests: 0 }],
  [
    'UserPromptSubmit',
    'suppressOriginalPrompt',
    { decision: 'block', reason: 'No.', ...specific('UserPromptSubmit', { suppressOriginalPrompt: true }) },
    { requests: 0, typed: ['A blocked message. The hook that blocked it also keeps its text from being shown.'] },
  ],
  ['SessionStart', 'text', 'Plain note.', { sent: /SessionStart hook: Plain note\./ }, free],
  [
    'SessionStart',
    'additionalContext',
    specific('SessionStart', { additionalContext: 'Note.' }),
    { sent: /Note\./ },
    free,
  ],
  ['SessionStart', 'sessionTitle', specific('SessionStart', { sessionTitle: 'A name' }), { title: 'A name' }, free],
  [
    'SessionStart',
    'initialUserMessage',
    specific('SessionStart', { initialUserMessage: 'Begin.' }),
    { sent: /Begin\./ },
    free,
  ],
  [
    'SessionStart',
    'decision: block',
    { decision: 'block' },
    { ran: ['hi'], told: unused('SessionStart', 'decision') },
    free,
  ],
  [
    'Stop',
    'decision: block, reason',
    { decision: 'block', reason: 'Tests fail.' },
    { requests: 10, sent: /not finished: Tests fail\./ },
    { ...again, script: [...sayHi, ...Array.from({ length: 8 }, () => reply('So.'))] },
  ],
  [
    'Stop',
    'additionalContext',
    specific('Stop', { additionalContext: 'Look again.' }),
    { requests: 10, sent: /Stop hook: Look again\./, told: /8 times in a row, which is the limit/ },
    { ...again, script: [...sayHi, ...Array.from({ length: 8 }, () => reply('So.'))] },
  ],
  [
    'Stop',
    'continue: false beside additionalContext',
    { continue: false, additionalContext: 'Look again.' },
    { requests: 2 },
    free,
  ],
];

describe('the output fields of hooks', () => {
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-hook-fields-')));
  });
  after(() => rm(folder, { recursive: true }));

  for (const [event, field, answer, effect, more] of rows) {
    it(`${event}: ${field}`, async () => {
      const played = await playHooked({ hooks: [answering(event, answer)], cwd: folder, ...more });
      for (const [name, expected] of Object.entries(effect)) {
        const actual = played[name as keyof Played];
        if (expected instanceof RegExp)
          assert.match(Array.isArray(actual) ? actual.join('\n') : String(actual), expected, name);
        else assert.deepEqual(actual, expected, name);
      }
    });
  }

  it('without effect are told once, however often the hook prints them', async () => {
    const script = [1, 2, 3].map((n) => reply(toolUse('Say', { text: 'hi' }, `t${n}`)));
    const played = await playHooked({
      hooks: [answering('PreToolUse', { terminalSequence: 'x' })],
      cwd: folder,
      script: [...script, reply('Fine.')],
      ...free,
    });
    assert.deepEqual([played.ran.length, played.told.length], [3, 1]);
  });

  it('suppressOutput keeps what the hook printed from whoever follows the hooks', async () => {
    const outputs = async (answer: object): Promise<string[]> => {
      const { harness } = await playHooked({ hooks: [answering('PreToolUse', answer)], cwd: folder, ...free });
      return harness.events.flatMap((event) =>
        event.type === 'hook_step' && event.result?.kind === 'ended' ? [event.result.stdout] : [],
      );
    };
    assert.deepEqual(await outputs({ systemMessage: 'Told.' }), ['{"systemMessage":"Told."}']);
    assert.deepEqual(await outputs({ systemMessage: 'Told.', suppressOutput: true }), ['']);
  });

  it('of a hook in the background come with the next request; its decision counts no more', async () => {
    const printed = JSON.stringify({ decision: 'deny', additionalContext: 'Late note.', systemMessage: 'Told.' });
    const background: HookEntry[] = [
      { ...commandHook('PreToolUse', ''), handler: { type: 'command', command: `echo '${printed}'`, async: true } },
      commandHook('PreToolUse', `echo '{"async": true}'; sleep 0.1; echo '${printed}'`),
    ];
    for (const hook of background) {
      const { ran, harness, model } = await playHooked({ hooks: [hook], cwd: folder, ...again });
      assert.deepEqual(ran, ['hi']);
      await harness.when((event) => event.type === 'hook_step' && event.status === 'completed');
      await harness.run('And now?');
      assert.match(model.requests.map(textsOf).at(-1) ?? '', /Late note\./);
      const told = harness.chat().items.flatMap((item) => (item.kind === 'notice' ? [item.detail] : []));
      assert.equal(told[0], 'Told.');
      assert.match(told[1] ?? '', unused('PreToolUse', 'decision'));
    }
  });
});

describe('the input of hooks', () => {
  let log: string;
  const keep = (event: HookEvent): HookEntry =>
    // `read` takes only whole lines.
    commandHook(event, 'read -r line && printf \'%s\\n\' "$line" >>"$LOG"; env | grep ^CLAUDE >>"$LOG.env"');
  const kept = async (event: HookEvent, more: More = {}): Promise<Record<string, unknown>> => {
    const { harness } = await playHooked({
      hooks: [keep(event), answering('SessionStart', specific('SessionStart', { sessionTitle: 'A name' }))],
      cwd: folder,
      variables: { LOG: log },
      ...free,
      ...more,
    });
    await harness.session.close('clear');
    return JSON.parse((await readFile(log, 'utf8')).trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  };

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-hook-fields-')));
  });
  beforeEach(async () => {
    log = path.join(folder, 'log');
    await Promise.all([writeFile(log, ''), writeFile(`${log}.env`, '')]);
  });
  after(() => rm(folder, { recursive: true }));

  const inputs: [event: HookEvent, fields: Record<string, unknown>, more?: More][] = [
    ['SessionStart', { source: 'startup', model: 'claude-opus-5' }],
    ['UserPromptSubmit', { prompt: 'Go', session_title: 'A name' }],
    ['PreToolUse', { tool_name: 'Say', tool_input: { text: 'hi' }, tool_use_id: 't1' }],
    ['PermissionRequest', { tool_name: 'Say', tool_input: { text: 'hi' } }, { mode: 'default' }],
    ['PostToolUseFailure', { tool_name: 'Say', error: 'It failed.', is_interrupt: false }, failing],
    ['Stop', { stop_hook_active: false, last_assistant_message: 'Fine.', background_tasks: [], session_crons: [] }],
    [
      'StopFailure',
      { error: 'authentication_failed', last_assistant_message: /Bad key/, error_details: /Bad key/ },
      { script: [httpError(401, 'authentication_error', 'Bad key.')] },
    ],
    ['SessionEnd', { reason: 'clear' }],
  ];
  for (const [event, fields, more] of inputs) {
    it(`${event}: ${Object.keys(fields).join(', ')}; a whole line`, async () => {
      const input = await kept(event, more);
      assert.deepEqual([input['hook_event_name'], input['session_id'], input['cwd']], [event, 'session-1', folder]);
      for (const [name, expected] of Object.entries(fields)) {
        if (expected instanceof RegExp) assert.match(String(input[name]), expected, name);
        else assert.deepEqual(input[name], expected, name);
      }
    });
  }

  it('comes with variables that say whose hook it is', async () => {
    await kept('PreToolUse');
    const lines = (await readFile(`${log}.env`, 'utf8')).split('\n');
    for (const line of ['CLAUDECODE=1', 'CLAUDE_CODE_SESSION_ID=session-1', `CLAUDE_PROJECT_DIR=${folder}`])
      assert.ok(lines.includes(line), lines.join(' '));
  });
});
