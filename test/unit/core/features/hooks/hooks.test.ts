// Hooks in a session: real scripts around calls, prompts and the end of a turn; only the model is scripted.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod/v3';
import { type HookEntry } from '../../../../../src/core/hooks/hook-entry';
import { type HookEvent } from '../../../../../src/core/ports/hook-events';
import { type JudgedHooks } from '../../../../../src/core/hooks/hook-settings';
import { type Message, type ModelRequest } from '../../../../../src/core/wire/wire';
import { type SessionRecord } from '../../../../../src/core/ports/record';
import { type AnyTool } from '../../../../../src/core/tool/tool';
import { type PermissionRule } from '../../../../../src/shared/permission';
import { createNodeHookHandlers } from '../../../../../src/node/hooks/node-hook-handlers';
import { createSystemClock } from '../../../../../src/node/system-clock';
import { commandHook, hangingHooks, scriptedHooks } from '../../../../support/hooks';
import { askingTool, latch, safeTool, said } from '../../../../support/fake-tools';
import { createMemoryFiles } from '../../../../support/memory-files';
import { createManualClock } from '../../../../support/manual-clock';
import { httpError, reply, toolUse, type ScriptedReply } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions, prompt } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { hooks } from '../../../../../src/core/features/hooks/hooks-key';

interface World {
  harness: Harness;
  model: ScriptedModel;
  calls: unknown[];
}

let folder: string;
let log: string;

/** Repeats its text, after a question. */
function sayTool(calls: unknown[]): AnyTool {
  return askingTool('Say', {
    inputSchema: z.strictObject({ text: z.string() }),
    call: async (input) => {
      calls.push(input);
      return input.text === 'fail' ? { failure: { code: 'failed', message: 'It failed.' } } : said(input.text ?? '');
    },
  });
}

function world(
  hooks: readonly HookEntry[] | (() => Pick<JudgedHooks, 'active' | 'refuses'>),
  script: readonly ScriptedReply[],
  options: Partial<HarnessOptions> = {},
): World {
  const calls: unknown[] = [];
  const model = createScriptedModel(script);
  const harness = createHarness({
    model,
    tools: [sayTool(calls)],
    ...options,
    ports: {
      hooks: createNodeHookHandlers({ environment: async () => ({ ...process.env, LOG: log }) }),
      clock: createSystemClock(),
      ...options.ports,
    },
    session: {
      hooks: typeof hooks === 'function' ? hooks : () => judged,
      environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
      ...options.session,
    },
  });
  const judged = { active: typeof hooks === 'function' ? [] : hooks };
  return { harness, model, calls };
}

const say = (text: string, id = 't1'): ScriptedReply => reply(toolUse('Say', { text }, id));
const json = (value: object): string => `echo '${JSON.stringify(value).replaceAll("'", `'\\''`)}'`;
const output = (event: HookEvent, fields: object): string =>
  json({ hookSpecificOutput: { hookEventName: event, ...fields } });
const keep = 'cat >>"$LOG"; echo >>"$LOG"';
const logged = async (): Promise<Record<string, unknown>[]> =>
  (await readFile(log, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const toolResult = (request: ModelRequest | undefined): { text: string; error: boolean } => {
  const block = request?.messages.at(-1)?.content.find((one) => one.type === 'tool_result');
  return {
    text: typeof block?.content === 'string' ? block.content : JSON.stringify(block?.content),
    error: block?.is_error === true,
  };
};
const textsOf = (message: Message | undefined): string =>
  (message?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
const progress = (records: readonly SessionRecord[]): Record<string, unknown>[] =>
  records.flatMap((record) => (record.type === 'progress' ? [record.raw] : []));

describe('hooks of a session', () => {
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-session-hooks-')));
  });
  beforeEach(async () => {
    log = path.join(folder, 'log');
    await writeFile(log, '');
  });
  after(() => rm(folder, { recursive: true }));

  describe('before a call', () => {
    it('deny with exit code 2: the result carries the message, and nothing runs', async () => {
      const { harness, model, calls } = world(
        [commandHook('PreToolUse', 'echo "Not on a Sunday." >&2; exit 2', { matcher: 'Say' })],
        [say('hi'), reply('Fine.')],
      );
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.deepEqual(calls, []);
      assert.deepEqual(toolResult(model.requests[1]), { text: 'Permission denied: Not on a Sunday.', error: true });
      const card = harness.chat().items.find((item) => item.kind === 'tool');
      assert.equal(card?.state, 'denied');
      assert.match(card?.message ?? '', /Not on a Sunday/);
      assert.deepEqual(harness.approvals, []);
    });

    it('get what the documentation says, with absolute paths', async () => {
      const { harness } = world(
        [commandHook('PreToolUse', keep)],
        [reply(toolUse('Read', { file_path: 'a.txt' }, 't1')), reply('Fine.')],
        {
          tools: [{ ...safeTool('Read'), inputSchema: z.strictObject({ file_path: z.string() }) }],
        },
      );
      await harness.run('Go');
      const [input] = await logged();
      assert.match(String(input?.['prompt_id']), /^[0-9a-f-]{36}$/);
      delete input?.['prompt_id'];
      assert.deepEqual(input, {
        session_id: 'session-1',
        transcript_path: '/sessions/session-1.jsonl',
        cwd: folder,
        permission_mode: 'default',
        hook_event_name: 'PreToolUse',
        tool_name: 'Read',
        tool_input: { file_path: `${folder}/a.txt` },
        tool_use_id: 't1',
      });
    });

    it('get the path of a file address, and names as the tool has them', async () => {
      const { harness } = world(
        [commandHook('PreToolUse', keep)],
        [reply(toolUse('Read', { path: 'file:///w/a%20b.txt' }, 't1')), reply('Fine.')],
        {
          tools: [{ ...safeTool('Read'), inputSchema: z.strictObject({ file_path: z.string() }) }],
        },
      );
      await harness.run('Go');
      assert.deepEqual((await logged())[0]?.['tool_input'], { file_path: '/w/a b.txt' });
    });

    it('of a project do not run where their script is not what was allowed, and the user is told', async () => {
      const hook = commandHook('PreToolUse', 'exit 2', { source: 'projectSettings', root: folder });
      const seen: string[] = [];
      const refuses = async (entry: HookEntry, cwd: string): Promise<string> => {
        seen.push(`${entry.event} ${cwd}`);
        return 'It did not run: check.sh is not what you allowed.';
      };
      const { harness, calls } = world(() => ({ active, refuses }), [say('hi'), reply('Fine.')]);
      const active = [hook, commandHook('PreToolUse', 'exit 0')];
      await harness.run('Go');
      assert.deepEqual(seen, [`PreToolUse ${folder}`], "the user's own hook is not asked about");
      assert.deepEqual(calls, [{ text: 'hi' }]);
      assert.ok(
        harness
          .chat()
          .items.some((item) => item.kind === 'notice' && item.detail.includes('check.sh is not what you allowed')),
      );
    });

    it('change the input, which is parsed and judged anew', async () => {
      const changed = world(
        [commandHook('PreToolUse', output('PreToolUse', { updatedInput: { text: 'changed' } }))],
        [say('hi'), reply('Fine.')],
      );
      await changed.harness.run('Go');
      assert.deepEqual(changed.calls, [{ text: 'changed' }]);
      assert.match(JSON.stringify(changed.harness.approvals[0]?.view), /changed/, 'the user sees what will run');

      const broken = world(
        [commandHook('PreToolUse', output('PreToolUse', { updatedInput: { word: 'x' } }))],
        [say('hi'), reply('Fine.')],
      );
      await broken.harness.run('Go');
      assert.deepEqual(broken.calls, []);
      assert.match(toolResult(broken.model.requests[1]).text, /A hook made the input invalid\./);
    });

    it('may add fields that the tool does not know: they are left out, and the log names them', async () => {
      const warned: string[] = [];
      const log = {
        debug: () => undefined,
        info: () => undefined,
        warn: (message: string) => void warned.push(message),
        error: () => undefined,
      };
      const before = world(
        [commandHook('PreToolUse', output('PreToolUse', { updatedInput: { text: 'changed', reviewed: true } }))],
        [say('hi'), reply('Fine.')],
        { ports: { log } },
      );
      await before.harness.run('Go');
      assert.deepEqual(before.calls, [{ text: 'changed' }]);
      const asked = world(
        [
          commandHook(
            'PermissionRequest',
            output('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { text: 'safer', by: 'me' } } }),
          ),
        ],
        [say('hi'), reply('Fine.')],
        { ports: { log } },
      );
      await asked.harness.run('Go');
      assert.deepEqual(asked.calls, [{ text: 'safer' }]);
      const said = warned.filter((message) => message.startsWith('A hook gave Say'));
      assert.deepEqual(said, [
        'A hook gave Say unknown input, which was ignored: reviewed',
        'A hook gave Say unknown input, which was ignored: by',
      ]);
    });

    it('allow what nothing forbids, and ask for what would go by itself', async () => {
      const allowed = world(
        [commandHook('PreToolUse', output('PreToolUse', { permissionDecision: 'allow' }))],
        [say('hi'), reply('Fine.')],
      );
      await allowed.harness.run('Go');
      assert.equal(allowed.calls.length, 1);
      assert.deepEqual(allowed.harness.approvals, []);

      const asking = world(
        [
          commandHook(
            'PreToolUse',
            output('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' }),
          ),
        ],
        [say('hi'), reply('Fine.')],
        { session: { mode: 'bypassPermissions' } },
      );
      await asking.harness.run('Go');
      assert.equal(asking.harness.approvals[0]?.reason, 'Sure?');
    });

    it('run only where matcher and condition fit, and once where two files name the same', async () => {
      const rule = (ruleContent: string) => ({ toolName: 'Edit', ruleContent });
      const { harness } = world(
        [
          commandHook('PreToolUse', `echo '{"n":1}' >>"$LOG"`),
          commandHook('PreToolUse', `echo '{"n":1}' >>"$LOG"`, { source: 'localSettings' }),
          commandHook('PreToolUse', `echo '{"n":2}' >>"$LOG"`, { matcher: 'Bash' }),
          commandHook('PreToolUse', `echo '{"n":3}' >>"$LOG"`, { condition: rule('/other/**') }),
          commandHook('PreToolUse', `echo '{"n":4}' >>"$LOG"`, { condition: { toolName: 'Say' } }),
        ],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.deepEqual((await logged()).map(({ n }) => n).sort(), [1, 4]);
    });

    it('run where nobody can tell whether their condition holds', async () => {
      const files = createMemoryFiles({});
      const blind = { ...files, realPath: async () => Promise.reject(new Error('The disk is gone.')) };
      const write = askingTool('Write', { targets: () => [{ kind: 'file', access: 'write', path: '/w/a' }] });
      const { harness } = world(
        [commandHook('PreToolUse', `${keep}; exit 2`, { condition: { toolName: 'Edit', ruleContent: '/w/**' } })],
        [reply(toolUse('Write', {}, 't1')), reply('Fine.')],
        { tools: [write], ports: { files: blind } },
      );
      await harness.run('Go');
      assert.equal((await logged()).length, 1);
    });

    it('that fail, hang or print nonsense decide nothing: the user is told, the call runs', async () => {
      const { harness, calls } = world(
        [
          commandHook('PreToolUse', 'echo "cannot find it" >&2; exit 1'),
          commandHook('PreToolUse', 'sleep 600', { timeoutSeconds: 0.2 }),
          commandHook('PreToolUse', 'echo "{ nonsense"'),
        ],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.equal(calls.length, 1);
      const notices = harness.chat().items.flatMap((item) => (item.kind === 'notice' ? [item.detail] : []));
      assert.equal(notices.length, 3);
      assert.ok(notices.some((text) => text.includes('exit code 1: cannot find it')));
      assert.ok(notices.some((text) => text.includes('longer than 0.2 s')));
      assert.ok(notices.some((text) => text.includes('{ nonsense')));
      assert.deepEqual(
        harness.replayed().items.filter(({ kind }) => kind === 'notice'),
        harness.chat().items.filter(({ kind }) => kind === 'notice'),
      );
    });

    it('end the turn with continue: false', async () => {
      const { harness, calls } = world(
        [commandHook('PreToolUse', json({ continue: false, stopReason: 'Budget is spent.' }))],
        [say('hi')],
      );
      assert.deepEqual(await harness.run('Go'), {
        reason: 'hook_stopped',
        message: 'A hook ended the turn: Budget is spent.',
      });
      assert.deepEqual(calls, []);
      assert.ok(harness.chat().items.some((item) => item.kind === 'notice' && item.title === 'Stopped by a hook.'));
    });

    it('let go of the turn when the user stops it', async () => {
      const started = latch();
      const controller = new AbortController();
      const { harness } = world([commandHook('PreToolUse', 'x', { statusMessage: 'Checking the call' })], [say('hi')], {
        ports: { hooks: hangingHooks(started.open), clock: createManualClock('manual') },
      });
      const turn = harness.run('Go', controller.signal);
      await started.opened;
      assert.equal(harness.chat().activity, 'Checking the call');
      controller.abort(new DOMException('Stopped.', 'AbortError'));
      assert.deepEqual(await turn, { reason: 'interrupted' });
      assert.equal(harness.chat().activity, '');
    });
  });

  describe('at a question', () => {
    it('answer for the user, with grants for the session', async () => {
      const answer = {
        behavior: 'allow',
        updatedPermissions: [
          { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Say' }], destination: 'session' },
        ],
      };
      const { harness, calls } = world(
        [
          commandHook(
            'PermissionRequest',
            `echo x >>"$LOG".count; ${output('PermissionRequest', { decision: answer })}`,
          ),
        ],
        [say('one', 't1'), say('two', 't2'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.deepEqual(calls, [{ text: 'one' }, { text: 'two' }]);
      assert.deepEqual(harness.approvals, []);
      assert.equal(await readFile(`${log}.count`, 'utf8'), 'x\n', 'the rule answers the second time');
    });

    it('deny with their message', async () => {
      const { harness, model } = world(
        [
          commandHook(
            'PermissionRequest',
            output('PermissionRequest', { decision: { behavior: 'deny', message: 'Ask Ann first.' } }),
          ),
        ],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.deepEqual(toolResult(model.requests[1]), { text: 'Permission denied: Ask Ann first.', error: true });
      assert.deepEqual(harness.approvals, []);
    });

    it('change the input, which is parsed and judged anew', async () => {
      const { harness, calls } = world(
        [
          commandHook(
            'PermissionRequest',
            output('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { text: 'safer' } } }),
          ),
        ],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.deepEqual(calls, [{ text: 'safer' }]);
    });

    it('answer nothing that a rule wants asked', async () => {
      const ask = [
        { behavior: 'ask' as const, value: { toolName: 'Say' }, source: 'userSettings' as const, root: '/' },
      ];
      const { harness } = world(
        [commandHook('PermissionRequest', output('PermissionRequest', { decision: { behavior: 'allow' } }))],
        [say('hi'), reply('Fine.')],
        { session: { permission: () => permission(ask) } },
      );
      await harness.run('Go');
      assert.equal(harness.approvals.length, 1);
    });

    it('are told what the rules denied', async () => {
      const deny = [
        { behavior: 'deny' as const, value: { toolName: 'Say' }, source: 'userSettings' as const, root: '/' },
      ];
      const { harness, model } = world(
        [commandHook('PermissionDenied', `${keep}; ${output('PermissionDenied', { retry: true })}`)],
        [say('hi'), reply('Fine.')],
        { session: { permission: () => permission(deny) } },
      );
      await harness.run('Go');
      assert.match(String((await logged())[0]?.['reason']), /rule .* denies this/);
      assert.match(textsOf(model.requests[1]?.messages.at(-1)), /the call may be tried again/);
    });

    it('are told that somebody waits, but not when the answer comes at once', async () => {
      const clock = createManualClock('manual');
      const notified = latch();
      const answered = latch();
      const seen: unknown[] = [];
      const hooks = scriptedHooks((_hook, input) => {
        seen.push([input['notification_type'], input['message']]);
        notified.open();
        return undefined;
      });
      const { harness } = world(
        [commandHook('Notification', 'x', { matcher: 'permission_prompt' })],
        [say('one', 't1'), say('two', 't2'), reply('Fine.')],
        {
          ports: { hooks, clock },
          answer: async (request) => {
            if (request.toolUseId === 't2') await answered.opened;
            return { behavior: 'allow' };
          },
        },
      );
      const turn = harness.run('Go');
      await harness.when((event) => event.type === 'approval_asked' && event.request.toolUseId === 't2');
      clock.advance(6_000);
      await notified.opened;
      answered.open();
      await turn;
      assert.equal(seen.length, 1);
      assert.match(JSON.stringify(seen[0]), /permission_prompt.*Deft asks for your approval: Say/);
    });
  });

  describe('after a call', () => {
    it('see the structured output, replace it and add context', async () => {
      const { harness, model } = world(
        [
          commandHook(
            'PostToolUse',
            `${keep}; ${output('PostToolUse', { updatedToolOutput: { said: 'replaced' }, additionalContext: 'Mind the gap.' })}`,
          ),
        ],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      const [input] = await logged();
      assert.deepEqual(input?.['tool_response'], { said: 'hi' });
      assert.equal(typeof input?.['duration_ms'], 'number');
      assert.equal(toolResult(model.requests[1]).text, 'replaced');
      assert.match(
        textsOf(model.requests[1]?.messages.at(-1)),
        /<system-reminder>\nPostToolUse hook: Mind the gap\.\n<\/system-reminder>/,
      );
    });

    it('withhold the output where they put in what the tool never returns', async () => {
      const { harness, model } = world(
        [commandHook('PostToolUse', output('PostToolUse', { updatedToolOutput: 7 }))],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.match(toolResult(model.requests[1]).text, /its output is withheld.*must be an object, not a number/);
    });

    it('tell the model what exit code 2 says', async () => {
      const { harness, model } = world(
        [commandHook('PostToolUse', 'echo "Lint fails." >&2; exit 2')],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.match(textsOf(model.requests[1]?.messages.at(-1)), /PostToolUse hook: Lint fails\./);
    });

    it('have an event of their own where it failed', async () => {
      const { harness, model } = world(
        [
          commandHook('PostToolUse', 'echo no >&2; exit 2'),
          commandHook(
            'PostToolUseFailure',
            `${keep}; ${output('PostToolUseFailure', { additionalContext: 'Try again.' })}`,
          ),
        ],
        [say('fail'), reply('Fine.')],
      );
      await harness.run('Go');
      const [input] = await logged();
      assert.deepEqual([input?.['error'], input?.['is_interrupt']], ['It failed.', false]);
      assert.match(textsOf(model.requests[1]?.messages.at(-1)), /PostToolUseFailure hook: Try again\./);
    });

    it('put long context into a file, with a preview', async () => {
      const { harness, model } = world(
        [
          commandHook(
            'PostToolUse',
            `printf '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"%s"}}' "$(head -c 12000 /dev/zero | tr '\\0' y)"`,
          ),
        ],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      const text = textsOf(model.requests[1]?.messages.at(-1));
      assert.ok(text.length < 3_000, `${text.length}`);
      const file = /The whole output is in (\/results\/hook-[^;]+\.txt)/.exec(text)?.[1];
      assert.ok(file);
      assert.equal(
        ((await harness.files.readText(file, 100_000)) as { file: { text: string } }).file.text.length,
        12_000,
      );
    });

    it('are told of all calls of a reply together, and may end the turn', async () => {
      const { harness } = world(
        [commandHook('PostToolBatch', `${keep}; echo "Enough." >&2; exit 2`)],
        [reply(toolUse('Say', { text: 'a' }, 't1'), toolUse('say', { text: 'b' }, 't2'))],
      );
      assert.deepEqual(await harness.run('Go'), { reason: 'hook_stopped', message: 'A hook ended the turn: Enough.' });
      const [input] = await logged();
      assert.deepEqual(input?.['tool_calls'], [
        { tool_name: 'Say', tool_input: { text: 'a' }, tool_use_id: 't1', tool_response: 'a' },
        { tool_name: 'Say', tool_input: { text: 'b' }, tool_use_id: 't2', tool_response: 'b' },
      ]);
    });
  });

  describe('around a prompt', () => {
    it('keep it from the model: the chat shows it with the reason', async () => {
      const { harness, model } = world(
        [commandHook('UserPromptSubmit', 'grep -q secret && { echo "No secrets." >&2; exit 2; }; exit 0')],
        [reply('Hello.')],
      );
      assert.deepEqual(await harness.run('my secret'), {
        reason: 'hook_stopped',
        message: 'A hook blocked this message: No secrets.',
      });
      assert.equal(model.requests.length, 0);
      assert.deepEqual(
        harness
          .chat()
          .items.map((item) => (item.kind === 'user' ? item.text : item.kind === 'notice' ? item.detail : item.kind)),
        ['my secret', 'A hook blocked this message: No secrets.'],
      );
      assert.deepEqual(harness.replayed().items, harness.chat().items);
      await harness.run('hello');
      assert.ok(!JSON.stringify(model.requests).includes('my secret'));
    });

    it('leave it unsent where the user stops while they look at it: no later request has it', async () => {
      const started = latch();
      const controller = new AbortController();
      let active: HookEntry[] = [commandHook('UserPromptSubmit', 'x')];
      const { harness, model } = world(() => ({ active }), [reply('Hello.')], {
        ports: { hooks: hangingHooks(started.open), clock: createManualClock('manual') },
      });
      const turn = harness.run('my secret', controller.signal);
      await started.opened;
      controller.abort(new DOMException('Stopped.', 'AbortError'));
      assert.deepEqual(await turn, {
        reason: 'interrupted',
        message: 'Your message was not sent: hooks were still checking it.',
      });
      assert.deepEqual(
        harness.events.flatMap((event) => (event.type === 'prompt_unsent' ? [event.prompt] : [])),
        [prompt('my secret')],
      );
      assert.deepEqual(harness.lines, [], 'a session in which nothing was said stays off the disk');
      active = [];
      await harness.run('hello');
      assert.ok(!JSON.stringify([model.requests, harness.lines]).includes('my secret'));
    });

    it('add context that stands before it', async () => {
      const { harness, model } = world([commandHook('UserPromptSubmit', 'echo "It is Tuesday."')], [reply('Hello.')]);
      await harness.run('Which day?');
      const [message] = model.requests[0]?.messages ?? [];
      const text = textsOf(message);
      assert.match(text, /UserPromptSubmit hook: It is Tuesday\.[^]*Which day\?$/);
    });

    it('look at messages that are sent while the agent works, too', async () => {
      const { harness, model } = world(
        [commandHook('UserPromptSubmit', 'grep -q secret && { echo "No secrets." >&2; exit 2; }; exit 0')],
        [say('hi'), reply('Fine.')],
        {
          answer: () => {
            harness.session.steer(prompt('a secret'));
            harness.session.steer(prompt('a wish'));
            return { behavior: 'allow' };
          },
        },
      );
      await harness.run('Go');
      const sent = JSON.stringify(model.requests.at(-1));
      assert.ok(sent.includes('a wish') && !sent.includes('a secret'));
      assert.deepEqual(harness.session.pending.waiting, []);
    });

    it('run at the start of a session, once, and know a resumed one', async () => {
      const hook = commandHook(
        'SessionStart',
        `${keep}; ${output('SessionStart', { additionalContext: 'Welcome.', sessionTitle: 'A title' })}`,
      );
      const first = world([hook], [reply('One.'), reply('Two.')]);
      await first.harness.run('a');
      await first.harness.run('b');
      assert.match(textsOf(first.model.requests[0]?.messages[0]), /SessionStart hook: Welcome\./);
      assert.equal(first.harness.chat().title, 'A title');
      const second = world([hook], [reply('Three.')], { records: first.harness.stored() });
      await second.harness.run('c');
      assert.deepEqual(
        (await logged()).map(({ source }) => source),
        ['startup', 'resume'],
      );
    });
  });

  describe('at the end', () => {
    it('send the model back to work, eight times in a row at most', async () => {
      const { harness, model } = world(
        [commandHook('Stop', `${keep}; echo "Tests fail." >&2; exit 2`)],
        Array.from({ length: 9 }, (_, index) => reply(`Done ${index}.`)),
      );
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.equal(model.requests.length, 9);
      assert.match(
        textsOf(model.requests[1]?.messages.at(-1)),
        /A Stop hook says that you are not finished: Tests fail\./,
      );
      const inputs = await logged();
      assert.deepEqual(
        inputs.map((input) => input['stop_hook_active']),
        [false, ...Array.from({ length: 8 }, () => true)],
      );
      const notice = harness.chat().items.find((item) => item.kind === 'notice');
      assert.match(notice?.kind === 'notice' ? notice.detail : '', /8 times in a row, which is the limit/);
      assert.deepEqual(
        [inputs[0]?.['last_assistant_message'], inputs[0]?.['background_tasks'], inputs[0]?.['session_crons']],
        ['Done 0.', [], []],
      );
    });

    it('let the turn end with exit code 0', async () => {
      const { harness } = world([commandHook('Stop', keep)], [reply('Done.')]);
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.equal((await logged()).length, 1);
    });

    it('are told of a turn that failed, by its kind', async () => {
      const { harness } = world(
        [
          commandHook('StopFailure', keep, { matcher: 'authentication_failed' }),
          commandHook('Stop', keep),
          commandHook('SessionEnd', keep),
        ],
        [httpError(401, 'authentication_error', 'Bad key.')],
        // A real program at the end of a session has 1.5 s, which a busy machine does not keep.
        { ports: { clock: createManualClock('manual') } },
      );
      assert.equal((await harness.run('Go')).reason, 'error');
      await harness.when(
        (event) => event.type === 'hook_step' && event.event === 'StopFailure' && event.status === 'completed',
      );
      await harness.session.close('clear');
      assert.deepEqual(
        (await logged()).map((input) => [input['hook_event_name'], input['error'] ?? input['reason']]),
        [
          ['StopFailure', 'authentication_failed'],
          ['SessionEnd', 'clear'],
        ],
      );
    });

    it('hold up the end of a session for no more than 1.5 s', async () => {
      const clock = createManualClock('manual');
      const started = latch();
      const { harness } = world([commandHook('SessionEnd', 'x')], [reply('Done.')], {
        ports: { hooks: hangingHooks(started.open), clock },
      });
      await harness.run('Go');
      const closed = harness.session.close();
      await started.opened;
      clock.advance(1_500);
      await closed;
      assert.deepEqual(clock.slept, [1_500]);
    });

    it('say when the user is awaited, until they write', async () => {
      const clock = createManualClock('manual');
      const seen: unknown[] = [];
      const notified = latch();
      const hooks = scriptedHooks((_hook, input) => {
        seen.push(input['notification_type']);
        notified.open();
        return undefined;
      });
      const { harness } = world([commandHook('Notification', 'x')], [reply('One.'), reply('Two.')], {
        ports: { hooks, clock },
      });
      await harness.run('a');
      clock.advance(59_000);
      await harness.run('b');
      clock.advance(59_000);
      assert.deepEqual(seen, []);
      clock.advance(1_000);
      await notified.opened;
      assert.deepEqual(seen, ['idle_prompt']);
      await harness.session.close();
    });
  });

  describe('beside the session', () => {
    it('asynchronous ones hold up nothing and tell the model later', async () => {
      const go = path.join(folder, 'go');
      const wait = `until [ -e ${go} ]; do sleep 0.01; done`;
      const { harness, model } = world(
        [
          {
            ...commandHook('PostToolUse', ''),
            handler: { type: 'command', command: `${wait}; echo "Build broke." >&2; exit 2`, asyncRewake: true },
          },
          commandHook('PostToolUse', `echo '{"async":true}'; ${wait}`),
        ],
        [say('hi'), reply('Fine.'), reply('I see.')],
      );
      await harness.run('Go');
      assert.equal(harness.chat().activity, '', 'nobody waits for them');
      await writeFile(go, '');
      await harness.when(
        (event) =>
          (event.type === 'hook_step' && event.status === 'failed') ||
          (event.type === 'hook_step' &&
            event.status === 'completed' &&
            event.result?.kind === 'ended' &&
            event.result.exitCode === 2),
      );
      await new Promise<void>((resolve) => setImmediate(resolve));
      await harness.run('And?');
      assert.match(
        JSON.stringify(model.requests.at(-1)?.messages.at(-1)),
        /which ran in the background, says: Build broke\./,
      );
      await harness.session.close();
    });

    it('files that change have an event, with the paths that a start asked for', async () => {
      const watching: string[][] = [];
      const notified = latch();
      let change: (file: string) => void = () => undefined;
      const scripted = scriptedHooks((_hook, input) => {
        if (input['hook_event_name'] === 'SessionStart')
          return {
            stdout: JSON.stringify({
              hookSpecificOutput: { hookEventName: 'SessionStart', watchPaths: ['/w/schema.sql'] },
            }),
          };
        assert.deepEqual([input['file_path'], input['event']], [`${folder}/.env`, 'change']);
        notified.open();
        return undefined;
      });
      const { harness } = world(
        [commandHook('SessionStart', 'x'), commandHook('FileChanged', 'y', { matcher: '.env' })],
        [reply('One.')],
        {
          ports: {
            hooks: {
              ...scripted,
              watch: (paths, changed) => {
                watching.push([...paths]);
                change = (file) => changed({ path: file, event: 'change' });
                return () => undefined;
              },
            },
          },
        },
      );
      await harness.run('Go');
      assert.deepEqual(watching, [['/w/schema.sql', `${folder}/.env`].sort()]);
      change(`${folder}/.env`);
      await notified.opened;
    });

    it('a change of the settings can be kept away, but not one of the managed ones', async () => {
      const { harness } = world(
        [commandHook('ConfigChange', `${keep}; exit 2`, { matcher: 'project_settings|policy_settings' })],
        [],
      );
      assert.equal(
        await featureOf(harness.session, hooks).configChanged('projectSettings', '/w/.claude/settings.json'),
        false,
      );
      assert.equal(await featureOf(harness.session, hooks).configChanged('managedSettings', '/etc/x.json'), true);
      assert.equal(
        await featureOf(harness.session, hooks).configChanged('userSettings', '/home/ann/.claude/settings.json'),
        true,
      );
      assert.deepEqual(
        (await logged()).map((input) => [input['source'], input['file_path']]),
        [
          ['project_settings', '/w/.claude/settings.json'],
          ['policy_settings', '/etc/x.json'],
        ],
      );
    });
  });

  describe('with a model', () => {
    const ask = (type: 'prompt' | 'agent', event: HookEvent = 'PreToolUse'): HookEntry => ({
      ...commandHook(event, ''),
      handler: { type, prompt: 'Is this safe? $ARGUMENTS' },
    });

    it('ask it one question, and its no is a no', async () => {
      const { harness, model, calls } = world(
        [ask('prompt')],
        [say('hi'), reply('{"ok": false, "reason": "Too loud."}'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.deepEqual(calls, []);
      assert.match(textsOf(model.requests[1]?.messages[0]), /Is this safe\? \{.*"tool_input":\{"text":"hi"\}/);
      assert.deepEqual(toolResult(model.requests[2]), { text: 'Permission denied: Too loud.', error: true });
    });

    it('decide nothing where its answer is no verdict', async () => {
      const { harness, calls } = world([ask('prompt')], [say('hi'), reply('Perhaps.'), reply('Fine.')]);
      await harness.run('Go');
      assert.equal(calls.length, 1);
    });

    it('an agent looks with the tools that only look, and nothing of it enters the conversation', async () => {
      const looked: unknown[] = [];
      const read = safeTool('Read', { call: async (input) => (looked.push(input), said('the file')) });
      const calls: unknown[] = [];
      const { harness, model } = world(
        [ask('agent', 'Stop')],
        [reply('Done.'), reply(toolUse('Read', {}, 'h1')), reply('{"ok": true}')],
        { tools: [read, sayTool(calls)] },
      );
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.equal(looked.length, 1);
      assert.deepEqual(
        model.requests[1]?.tools.map(({ name }) => name),
        ['Read'],
      );
      assert.ok(!JSON.stringify(harness.stored()).includes('the file'));
      assert.deepEqual(model.violations, []);
    });

    it('say so where there are no MCP servers', async () => {
      const { harness, calls } = world(
        [{ ...commandHook('PreToolUse', ''), handler: { type: 'mcp_tool', server: 's', tool: 't' } }],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      assert.equal(calls.length, 1);
      assert.ok(
        harness
          .chat()
          .items.some((item) => item.kind === 'notice' && item.detail.includes('There are no MCP servers here')),
      );
    });
  });

  describe('in the transcript', () => {
    it('leave a record of each step', async () => {
      const { harness } = world(
        [commandHook('PreToolUse', 'exit 0'), commandHook('Stop', 'exit 1')],
        [say('hi'), reply('Fine.')],
      );
      await harness.run('Go');
      const records = progress(harness.stored());
      assert.deepEqual(
        records.map(({ data }) => data),
        [
          { type: 'hook_progress', hookEvent: 'PreToolUse', hookName: 'PreToolUse:Say', status: 'started' },
          { type: 'hook_progress', hookEvent: 'PreToolUse', hookName: 'PreToolUse:Say', status: 'completed' },
          { type: 'hook_progress', hookEvent: 'Stop', hookName: 'Stop', status: 'started' },
          { type: 'hook_progress', hookEvent: 'Stop', hookName: 'Stop', status: 'failed' },
        ],
      );
      assert.deepEqual([records[0]?.['toolUseID'], records[0]?.['parentToolUseID']], ['t1', 't1']);
      assert.ok(records.every(({ uuid, sessionId }) => typeof uuid === 'string' && sessionId === 'session-1'));
    });

    it('hold no credential that a hook printed', async () => {
      const secret = 'a-credential-that-is-long';
      const { harness, model } = world(
        [
          commandHook(
            'PostToolUse',
            `printf '{"systemMessage":"${secret}","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"${secret}"}}'`,
          ),
        ],
        [say('hi'), reply('Fine.')],
        { session: { secrets: () => [secret] } },
      );
      await harness.run('Go');
      assert.ok(!JSON.stringify([harness.lines, harness.events, model.requests]).includes(secret));
    });
  });

  it('that are not there cost no record, no event and no process', async () => {
    const { harness } = world([commandHook('PreToolUse', 'exit 2', { matcher: 'Bash' })], [say('hi'), reply('Fine.')], {
      ports: { hooks: scriptedHooks(() => assert.fail('nothing matches')) },
    });
    await harness.run('Go');
    assert.deepEqual(progress(harness.stored()), []);
    assert.ok(!harness.events.some(({ type }) => type === 'hook_step'));
  });
});

function permission(rules: PermissionRule[]) {
  return { rules, folders: ['/w'], ownFolders: ['/results'], home: '/home/ann', ignoreCase: false, trusted: true };
}
