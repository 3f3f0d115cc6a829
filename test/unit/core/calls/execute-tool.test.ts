// One call through the pipeline: the order of its steps, and what the model gets for each kind of failure.
import assert from 'node:assert/strict';
import { z } from 'zod/v3';
import { type ExecutionServices, executeTool } from '../../../../src/core/calls/execute-tool';
import { type SessionEvent } from '../../../../src/core/events/session-event';
import { type ExecutedCall, type ToolCall } from '../../../../src/core/calls/tool-call';
import { previewChars, previewEndChars } from '../../../../src/core/calls/tool-result-storage';
import { type AfterToolOutcome, type BeforeToolOutcome } from '../../../../src/core/hooks/tool-hooks';
import { type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type ApprovalDecision, type ApprovalRequest } from '../../../../src/core/ports/approver';
import { buildTool } from '../../../../src/core/tool/build-tool';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { createReadState } from '../../../../src/core/sessions/read-state';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { type AcceptedProposal, type AnyTool } from '../../../../src/core/tool/tool';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { askingTool, fakeTool, said, untilAborted } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import { createMemoryFiles, type MemoryFiles } from '../../../support/memory-files';
import { unusedSmallModel } from '../../../support/unused-ports';

interface World {
  services: ExecutionServices;
  files: MemoryFiles;
  trace: string[];
  asked: ApprovalRequest[];
  errors: string[];
  events: SessionEvent[];
}

interface WorldOptions {
  answers?: ApprovalDecision[];
  onAsk?: (world: World) => void;
  before?: BeforeToolOutcome;
  after?: AfterToolOutcome;
  permission?: Partial<PermissionContext>;
}

const permission: PermissionContext = {
  mode: 'default',
  rules: [],
  folders: ['/w'],
  ownFolders: ['/results'],
  cwd: '/w',
  home: '/home/ann',
  ignoreCase: false,
  trusted: true,
};

function world(tools: AnyTool[], options: WorldOptions = {}): World {
  const trace: string[] = [];
  const asked: ApprovalRequest[] = [];
  const errors: string[] = [];
  const events: SessionEvent[] = [];
  const files = createMemoryFiles({ '/w/a.txt': 'one\n' });
  const clock = createManualClock('manual');
  const registry = createToolRegistry(tools);
  const unused = (): never => {
    throw new Error('not in this test');
  };
  let answered = 0;
  const made: World = {
    files,
    trace,
    asked,
    errors,
    events,
    services: {
      registry: {
        ...registry,
        find: (name) => {
          trace.push('find');
          return registry.find(name);
        },
      },
      ports: {
        files: { ...files, writeOwnFile: async (path, text) => (trace.push('store'), files.writeOwnFile(path, text)) },
        search: { grep: unused, glob: unused },
        terminal: {
          run: unused,
          background: unused,
          output: unused,
          moveToBackground: unused,
          stop: unused,
          onBackgroundEnd: unused,
          dispose: unused,
        },
        approver: {
          ask: async (request) => {
            trace.push('approve');
            asked.push(request);
            options.onAsk?.(made);
            return options.answers?.[answered++] ?? { behavior: 'allow' };
          },
        },
        diagnostics: { current: () => [], newSince: async () => [] },
        model: { provider: 'gateway', capabilities: unused, stream: unused, countTokens: unused, listModels: unused },
        sessions: { create: unused, open: unused, list: unused, remove: unused, resultsDirectory: unused },
        clock,
        uuid: () => `id-${asked.length}`,
        log: {
          debug: () => undefined,
          info: () => undefined,
          warn: () => undefined,
          error: (message) => void errors.push(message),
        },
      },
      session: {
        id: 's',
        cwd: '/w',
        folders: ['/w'],
        home: '/home/ann',
        resultsDirectory: '/results',
        readState: createReadState(),
        isHidden: () => false,
        todos: () => [],
        questionTimeoutMs: () => undefined,
        earlierSearches: 0,
        smallModel: unusedSmallModel,
        onArrival: () => () => undefined,
      },
      permission: () => {
        trace.push('decide');
        return { ...permission, ...options.permission };
      },
      applyUpdates: () => void trace.push('update rules'),
      emit: (event) => void events.push(event),
      started: async () => void trace.push('started'),
      questionSignal: new AbortController().signal,
      hooks: {
        before: async () => (trace.push('before-hook'), options.before ?? {}),
        after: async () => (trace.push('after-hook'), options.after ?? {}),
        request: async () => undefined,
        denied: async () => undefined,
        failed: async () => undefined,
      },
    },
  };
  return made;
}

/** A tool that writes down each of its steps. */
function tracedTool(trace: () => string[]): AnyTool {
  const note = (step: string): void => void trace().push(step);
  return buildTool<{ text: string }, { said: string }>({
    name: 'Traced',
    aliases: ['traced_tool'],
    prompt: async () => 'p',
    inputSchema: z.strictObject({ text: z.string() }).transform((input) => (note('parse'), input)),
    outputSchema: z.object({ said: z.string() }),
    access: 'WorkspaceWrite',
    maxResultSizeChars: 100,
    targets: () => [{ kind: 'file', access: 'write', path: '/w/a.txt' }],
    describe: () => ({ now: 'n', past: 'p' }),
    validateInput: async () => (note('validate'), { ok: true }),
    checkPermissions: async () => (note('check'), undefined),
    preview: async ({ text }) => (
      note('preview'),
      { view: { kind: 'json', text }, proposal: { path: '/w/a.txt', base: undefined, text } }
    ),
    call: async (_input, { proposal }) => (note('call'), said(`${proposal?.text}`.repeat(60))),
    mapToolResultToToolResultBlockParam: (output, id) => (
      note('map'),
      { type: 'tool_result', tool_use_id: id, content: output.said }
    ),
  });
}

const callOf = (name: string, input: unknown = {}): ToolCall => ({ id: 'toolu_1', name, input });
const run = (made: World, call: ToolCall, signal = new AbortController().signal): Promise<ExecutedCall> =>
  executeTool(call, made.services, signal);

describe('executeTool', () => {
  it('takes its steps in order', async () => {
    const made: World = world([tracedTool(() => made.trace)]);
    const result = await run(made, callOf('Traced', { text: 'hello' }));
    assert.equal(result.state, 'done');
    assert.deepEqual(made.trace, [
      'find',
      'parse',
      'validate',
      'before-hook',
      'decide',
      'check',
      'preview',
      'approve',
      'started',
      'call',
      'map',
      'after-hook',
      'store',
    ]);
    assert.deepEqual(
      made.events.map((event) => (event.type === 'tool_state' ? event.state : event.type)),
      ['waiting', 'approval_asked', 'approval_settled', 'running'],
    );
  });

  it('finds a tool by its old name', async () => {
    const made: World = world([tracedTool(() => made.trace)]);
    assert.equal((await run(made, callOf('traced_tool', { text: 'x' }))).state, 'done');
    assert.equal((await run(made, callOf('TRACED', { text: 'x' }))).state, 'done', 'in another spelling');
  });

  it('names what an unknown tool may have meant', async () => {
    const made = world([fakeTool('Read'), fakeTool('Grep')]);
    assert.equal(
      errorText(await run(made, callOf('Raed'))),
      '<tool_use_error>Error: No such tool available: Raed. Did you mean Read?</tool_use_error>',
    );
    assert.match(errorText(await run(made, callOf('DeployToProduction'))), /Available tools: Read, Grep\./);
    assert.deepEqual(made.trace, ['find', 'find']);
  });

  it('names each bad field, and no hook fires', async () => {
    const tool = buildTool({
      ...fakeTool('Act'),
      inputSchema: z.strictObject({ path: z.string(), lines: z.object({ from: z.number() }) }),
    });
    const made = world([tool]);
    const text = errorText(await run(made, callOf('Act', { path: 1, lines: { from: 'x' }, more: true })));
    assert.match(text, /^<tool_use_error>InputValidationError: Act .*<\/tool_use_error>$/s);
    for (const part of ['`path`', '`lines.from`', 'unknown parameter `more`']) assert.ok(text.includes(part), part);
    assert.deepEqual(made.trace, ['find']);
  });

  it('wraps what validateInput says, before any hook', async () => {
    const made = world([
      fakeTool('Act', { validateInput: async () => ({ ok: false, code: 'no', message: 'Not like this.' }) }),
    ]);
    assert.equal(errorText(await run(made, callOf('Act'))), '<tool_use_error>Not like this.</tool_use_error>');
    assert.ok(!made.trace.includes('before-hook'));
  });

  it('gives failures of the call in the same form, and its words alone to the log', async () => {
    const made = world([
      fakeTool('Act', { call: async () => ({ failure: { code: 'gone', message: 'The file is gone. Look for it.' } }) }),
    ]);
    const result = await run(made, callOf('Act'));
    assert.deepEqual(
      [errorText(result), result.structured, result.state],
      [
        '<tool_use_error>The file is gone. Look for it.</tool_use_error>',
        'Error: The file is gone. Look for it.',
        'failed',
      ],
    );
  });

  it('turns a throw into a result, and tells the log', async () => {
    const made = world([
      fakeTool('Act', {
        call: async () => {
          throw new Error('kaput');
        },
      }),
    ]);
    assert.equal(
      errorText(await run(made, callOf('Act'))),
      '<tool_use_error>Act failed unexpectedly: kaput</tool_use_error>',
    );
    assert.equal(made.errors.length, 1);
  });

  it('tells an interrupted call so', async () => {
    const controller = new AbortController();
    const made = world([
      fakeTool('Act', {
        call: async (_input, context) => (controller.abort(new DOMException('x', 'AbortError')), untilAborted(context)),
      }),
    ]);
    const result = await run(made, callOf('Act'), controller.signal);
    assert.deepEqual([errorText(result), result.state], ['This call was interrupted by the user.', 'stopped']);
  });

  it('cuts a long error in the middle, once, inside its tags', async () => {
    const long = `${'a'.repeat(30_000)}END`;
    const failed = errorText(
      await run(
        world([fakeTool('Act', { call: async () => ({ failure: { code: 'x', message: long } }) })]),
        callOf('Act'),
      ),
    );
    assert.match(
      failed,
      /^<tool_use_error>a{4950}\n\n\.\.\. \[20103 characters truncated\] \.\.\.\n\na{4947}END<\/tool_use_error>$/,
    );
    const wrapped = errorText(
      await run(
        world([fakeTool('Act', { validateInput: async () => ({ ok: false, code: 'x', message: long }) })]),
        callOf('Act'),
      ),
    );
    assert.equal(wrapped.match(/characters truncated/g)?.length, 1);
    assert.match(wrapped, /^<tool_use_error>a+\n.*\naa+END<\/tool_use_error>$/s);
  });

  it('never leaves an error empty', async () => {
    assert.ok(
      errorText(
        await run(
          world([fakeTool('Act', { call: async () => ({ failure: { code: 'x', message: ' ' } }) })]),
          callOf('Act'),
        ),
      ).length > 10,
    );
  });

  describe('hooks', () => {
    it('deny: the call does not run, with their reason', async () => {
      const made = world([fakeTool('Act')], {
        before: { decision: 'deny', reason: 'Frozen.', additionalContext: 'Ask Ann.' },
      });
      const result = await run(made, callOf('Act'));
      assert.deepEqual([errorText(result), result.state], ['Permission denied: Frozen.', 'denied']);
      assert.deepEqual(result.newMessages, [{ type: 'text', text: 'Ask Ann.' }]);
      assert.ok(!made.trace.includes('started'));
    });

    it('ask and allow: the user is asked, or not', async () => {
      const asks = world([fakeTool('Act')], { before: { decision: 'ask', reason: 'Really?' } });
      await run(asks, callOf('Act'));
      assert.equal(asks.asked[0]?.reason, 'Really?');
      const allows = world([askingTool('Act')], { before: { decision: 'allow' } });
      assert.equal((await run(allows, callOf('Act'))).state, 'done');
      assert.equal(allows.asked.length, 0);
    });

    it('allow does not override a rule that asks or denies', async () => {
      const rule = (behavior: 'ask' | 'deny'): PermissionContext['rules'] => [
        { behavior, value: { toolName: 'Act' }, source: 'userSettings', root: '/' },
      ];
      const asked = world([askingTool('Act')], { before: { decision: 'allow' }, permission: { rules: rule('ask') } });
      await run(asked, callOf('Act'));
      assert.equal(asked.asked.length, 1);
      const denied = await run(
        world([askingTool('Act')], { before: { decision: 'allow' }, permission: { rules: rule('deny') } }),
        callOf('Act'),
      );
      assert.equal(denied.state, 'denied');
    });

    it('change the input: it is parsed again, shown and run as changed', async () => {
      const made = world([askingTool('Act')], { before: { updatedInput: { text: 'changed' } } });
      const result = await run(made, callOf('Act', { text: 'first' }));
      assert.equal(result.block.content, 'changed');
      assert.deepEqual(
        made.asked[0]?.view,
        { kind: 'json', text: '{\n  "text": "changed"\n}' },
        'what is approved is what runs',
      );
      const bad = await run(world([askingTool('Act')], { before: { updatedInput: { text: 3 } } }), callOf('Act'));
      assert.match(errorText(bad), /hook made the input invalid.*`text`/s);
    });

    it('change the output: what does not fit the schema withholds it', async () => {
      const changed = await run(
        world([fakeTool('Act')], { after: { updatedToolOutput: { said: 'other' } } }),
        callOf('Act', { text: 'own' }),
      );
      assert.deepEqual([changed.block.content, changed.structured], ['other', { said: 'other' }]);
      const kept = await run(
        world([fakeTool('Act')], { after: { updatedToolOutput: 'nonsense', additionalContext: 'Note.' } }),
        callOf('Act', { text: 'own' }),
      );
      assert.deepEqual([kept.block.is_error, kept.state], [true, 'failed']);
      assert.match(
        errorText(kept),
        /^<tool_use_error>Act has run, but its output is withheld\. .* must be an object, not a string\./,
      );
      assert.deepEqual(kept.newMessages, [{ type: 'text', text: 'Note.' }]);
    });

    it('change the output: without a secret that became known meanwhile, also in the stored file', async () => {
      const secret = 'sk-ant-0123456789abcdef';
      const known: string[] = [];
      const made = world([fakeTool('Act', { maxResultSizeChars: 1_000 })]);
      made.services.secrets = () => [...known];
      assert.ok(made.services.hooks !== undefined);
      made.services.hooks.after = async () => {
        known.push(secret);
        return { updatedToolOutput: { said: `${secret}\n`.repeat(1_000) } };
      };
      await run(made, callOf('Act', { text: 'own' }));
      assert.equal(made.files.text('/results/toolu_1.txt'), '[redacted]\n'.repeat(1_000));
    });
  });

  describe('approval', () => {
    const proposing = (seen: (proposal: AcceptedProposal | undefined) => void): AnyTool =>
      askingTool('Act', {
        access: 'WorkspaceWrite',
        targets: () => [{ kind: 'file', access: 'write', path: '/w/a.txt' }],
        preview: async (_input, { ports }) => {
          const read = await ports.files.readText('/w/a.txt', 1_000);
          const base = read.outcome === 'read' ? read.file : undefined;
          return {
            view: { kind: 'json', text: base?.text ?? '' },
            proposal: { path: '/w/a.txt', base, text: 'a\r\nb\r\n' },
          };
        },
        call: async (_input, { proposal }) => {
          seen(proposal);
          return said('ok');
        },
      });

    it('hands the tool what the user left in the diff, and says whether they changed it', async () => {
      const seen: (AcceptedProposal | undefined)[] = [];
      const tool = proposing((proposal) => void seen.push(proposal));
      await run(world([tool], { answers: [{ behavior: 'allow', text: 'a\nb\n' }] }), callOf('Act'));
      await run(world([tool], { answers: [{ behavior: 'allow', text: 'a\nMINE\n' }] }), callOf('Act'));
      await run(world([tool], { permission: { mode: 'acceptEdits' } }), callOf('Act'));
      assert.deepEqual(
        seen.map((proposal) => [proposal?.text, proposal?.userModified, proposal?.approved, proposal?.proposedText]),
        [
          ['a\r\nb\r\n', false, true, 'a\r\nb\r\n'],
          ['a\r\nMINE\r\n', true, true, 'a\r\nb\r\n'],
          ['a\r\nb\r\n', false, false, 'a\r\nb\r\n'],
        ],
      );
    });

    it('puts a comment behind the result, also where the call fails then', async () => {
      const answers: ApprovalDecision[] = [{ behavior: 'allow', comment: 'Mind the tests.' }];
      const failing = askingTool('Act', { call: async () => ({ failure: { code: 'x', message: 'It failed.' } }) });
      for (const tool of [askingTool('Act'), failing]) {
        assert.deepEqual((await run(world([tool], { answers }), callOf('Act'))).newMessages, [
          { type: 'text', text: 'The user adds: Mind the tests.' },
        ]);
      }
    });

    it('a reason goes to the model; without one the turn ends', async () => {
      const denial = await run(
        world([askingTool('Act')], { answers: [{ behavior: 'deny', message: 'Use B.', interrupt: false }] }),
        callOf('Act'),
      );
      assert.match(errorText(denial), /rejected.*They say: Use B\./);
      assert.deepEqual([denial.state, denial.endsTurn], ['denied', false]);
      const ended = await run(
        world([askingTool('Act')], { answers: [{ behavior: 'deny', interrupt: true }] }),
        callOf('Act'),
      );
      assert.deepEqual([ended.state, ended.endsTurn], ['denied', true]);
    });

    it('saves the rules that the user chose', async () => {
      const made = world([askingTool('Act')], {
        answers: [{ behavior: 'allow', updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] }],
      });
      await run(made, callOf('Act'));
      assert.ok(made.trace.indexOf('update rules') < made.trace.indexOf('started'));
    });

    it('asks again, with a new preview, where the path leads elsewhere meanwhile', async () => {
      const seen: (AcceptedProposal | undefined)[] = [];
      const made = world([proposing((proposal) => void seen.push(proposal))], {
        onAsk: ({ files, asked }) => {
          if (asked.length !== 1) return;
          files.put('/elsewhere/b.txt', 'two\n');
          files.remove('/w/a.txt');
          files.put('/w/a.txt', { link: '/elsewhere/b.txt' });
        },
      });
      assert.equal((await run(made, callOf('Act'))).state, 'done');
      assert.deepEqual(
        made.asked.map(({ view }) => view),
        [
          { kind: 'json', text: 'one\n' },
          { kind: 'json', text: 'two\n' },
        ],
      );
      assert.match(made.asked[1]?.reason ?? '', /changed while you were deciding/);
      assert.equal(seen[0]?.base?.text, 'two\n');
    });

    describe('a folder that becomes a link between the leave and the call', () => {
      const swapped = (tool: AnyTool, mode: PermissionContext['mode']): World => {
        const made = world([tool], { permission: { mode } });
        made.files.put('/w/src/b.txt', 'inside\n');
        made.files.put('/elsewhere/b.txt', 'inside\n');
        made.services.started = async () => {
          made.files.remove('/w/src/b.txt');
          made.files.remove('/w/src');
          made.files.put('/w/src', { link: '/elsewhere' });
        };
        return made;
      };

      it('is not written through', async () => {
        for (const [mode, path] of [
          ['acceptEdits', '/w/src/new.txt'],
          ['default', '/w/src/new.txt'],
        ] as const) {
          const made = swapped(writeTool, mode);
          const result = await run(made, callOf('Write', { file_path: path, content: 'x\n' }));
          assert.match(errorText(result), /leads elsewhere now\. Nothing was written\. Tell the user/, mode);
          assert.deepEqual(Object.keys(made.files.all()).sort(), ['/elsewhere/b.txt', '/w/a.txt'], mode);
        }
      });

      it('is not edited through', async () => {
        const made = swapped(editTool, 'acceptEdits');
        const read = await made.files.readText('/w/src/b.txt', 100);
        assert.equal(read.outcome, 'read');
        made.services.session.readState.set('/w/src/b.txt', { hash: read.outcome === 'read' ? read.file.hash : '' });
        const result = await run(
          made,
          callOf('Edit', { file_path: '/w/src/b.txt', old_string: 'inside', new_string: 'changed' }),
        );
        assert.match(errorText(result), /Nothing was written/);
        assert.equal(made.files.text('/elsewhere/b.txt'), 'inside\n');
      });

      it('is not read through', async () => {
        const result = await run(swapped(readTool, 'default'), callOf('Read', { file_path: '/w/src/b.txt' }));
        assert.match(errorText(result), /\/w\/src\/b\.txt now points to \/elsewhere\/b\.txt.*It was not opened/);
      });
    });

    it('shows no credential, and writes the change as it is', async () => {
      const secret = 'sk-ant-0123456789abcdef';
      const made = world([editTool]);
      made.services.secrets = () => [secret];
      made.files.put('/w/key.txt', `${secret}\none\n`);
      const read = await made.files.readText('/w/key.txt', 100);
      made.services.session.readState.set('/w/key.txt', { hash: read.outcome === 'read' ? read.file.hash : '' });
      const result = await run(made, callOf('Edit', { file_path: '/w/key.txt', old_string: 'one', new_string: 'two' }));
      assert.equal(result.state, 'done');
      assert.match(JSON.stringify(made.asked[0]?.view), /\[redacted\]/);
      assert.doesNotMatch(JSON.stringify(made.asked[0]?.view), /sk-ant/);
      assert.equal(made.files.text('/w/key.txt'), `${secret}\ntwo\n`);
    });

    it('gives up on a path that never stands still', async () => {
      const made = world([proposing(() => assert.fail('it ran'))], {
        onAsk: ({ files, asked }) => {
          files.put(`/elsewhere/${asked.length}.txt`, 'x');
          files.remove('/w/a.txt');
          files.put('/w/a.txt', { link: `/elsewhere/${asked.length}.txt` });
        },
      });
      assert.equal((await run(made, callOf('Act'))).state, 'denied');
      assert.equal(made.asked.length, 3);
    });

    it("a preview that fails is the call's failure: nobody is asked", async () => {
      const made = world([
        askingTool('Act', {
          preview: async () => ({ failure: { code: 'not-found', message: 'old_string was not found.' } }),
        }),
      ]);
      assert.equal(
        errorText(await run(made, callOf('Act'))),
        '<tool_use_error>old_string was not found.</tool_use_error>',
      );
      assert.equal(made.asked.length, 0);
    });

    it('is not asked for what a rule denies', async () => {
      const made = world([askingTool('Act')], {
        permission: { rules: [{ behavior: 'deny', value: { toolName: 'Act' }, source: 'userSettings', root: '/' }] },
      });
      assert.match(errorText(await run(made, callOf('Act'))), /^Permission denied: /);
      assert.equal(made.asked.length, 0);
    });

    it("the tool's own objection holds", async () => {
      const made = world([
        fakeTool('Act', {
          checkPermissions: async () => ({ behavior: 'ask', code: 'rule', reason: 'Odd.', suggestions: [] }),
        }),
      ]);
      await run(made, callOf('Act'));
      assert.equal(made.asked[0]?.reason, 'Odd.');
    });

    it('names the target as seen from its folder', async () => {
      const made = world([proposing(() => undefined)]);
      await run(made, callOf('Act'));
      assert.equal(made.asked[0]?.title, 'Act a.txt');
    });
  });

  describe('large results', () => {
    const big = 'line\n'.repeat(20_000);

    it('go to a file, with size, path and preview in their place', async () => {
      const made = world([fakeTool('Act', { maxResultSizeChars: 1_000 })]);
      const result = await run(made, callOf('Act', { text: big }));
      const text = String(result.block.content);
      assert.match(text, /Original size: 98KB/);
      assert.deepEqual([previewChars, previewEndChars], [2_000, 800]);
      assert.ok(
        text.includes('/results/toolu_1.txt') &&
          text.includes(`First ${previewChars - previewEndChars} characters:\nline\n`) &&
          text.endsWith(`Last ${previewEndChars} characters:\n${big.slice(-previewEndChars)}`) &&
          text.length < previewChars + 300,
      );
      assert.equal(made.files.text('/results/toolu_1.txt'), big);
      assert.deepEqual(result.structured, { said: big });
    });

    it('are cut where the disk refuses, and say so', async () => {
      const made = world([fakeTool('Act', { maxResultSizeChars: 1_000 })]);
      made.services.ports.files.writeOwnFile = async () => {
        throw new Error('no space left');
      };
      const result = await run(made, callOf('Act', { text: big }));
      assert.match(String(result.block.content), /could not be stored \(no space left\)/);
      assert.equal(result.state, 'done');
    });

    it('keep their pictures', async () => {
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;
      const tool = fakeTool('Act', {
        maxResultSizeChars: 100,
        mapToolResultToToolResultBlockParam: ({ said: text }, id) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: [{ type: 'text', text }, image],
        }),
      });
      const small = await run(world([tool]), callOf('Act', { text: 'x' }));
      assert.deepEqual(small.block.content, [{ type: 'text', text: 'x' }, image]);
      const large = await run(world([tool]), callOf('Act', { text: big }));
      assert.ok(Array.isArray(large.block.content));
      assert.deepEqual(
        large.block.content.map(({ type }) => type),
        ['text', 'image'],
      );
    });
  });
});

function errorText({ block }: ExecutedCall): string {
  assert.equal(block.is_error, true);
  return String(block.content);
}
