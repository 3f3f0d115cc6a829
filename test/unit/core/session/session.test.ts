// A session over its turns and over the life of its process: what is sent to the model once, and what stays granted.
import assert from 'node:assert/strict';
import { resumedMode } from '../../../../src/core/calls/permission-state';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type SessionLog } from '../../../../src/core/ports/session-store';
import { encodeRecord } from '../../../../src/core/sessions/session-codec';
import { type PermissionUpdate } from '../../../../src/shared/permission';
import { askingTool, fakeTool, said } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const textOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);
const count = (text: string, part: RegExp): number => text.match(new RegExp(part, 'g'))?.length ?? 0;
const always: PermissionUpdate = {
  type: 'addRules',
  behavior: 'allow',
  rules: [{ toolName: 'Act' }],
  destination: 'session',
};

describe('agent session', () => {
  it('tells the environment once and each change of mode once', async () => {
    const model = createScriptedModel(() => reply('Hello.'));
    const harness = createHarness({ model });
    await harness.run('One');
    harness.session.permission.setMode('plan');
    await harness.run('Two');
    await harness.run('Three');
    harness.session.permission.setMode('default');
    await harness.run('Four');
    const text = textOf(model.requests[3]);
    assert.deepEqual(
      [count(text, /Working directory/), count(text, /mode is now Plan/), count(text, /mode is now Manual/)],
      [1, 1, 1],
    );
    assert.ok(text.indexOf('mode is now Plan') < text.indexOf('"Two"'));
  });

  it('tells a resumed session its mode, since the log may speak of another', async () => {
    const first = createHarness({ model: createScriptedModel([reply('Hello.')]), session: { mode: 'plan' } });
    await first.run('Look');
    const model = createScriptedModel([reply('Hello.'), reply('Again.')]);
    const second = createHarness({ model, records: first.stored() });
    await second.run('Now do it');
    await second.run('And more');
    const text = textOf(model.requests[1]);
    assert.deepEqual([count(text, /mode is now Plan/), count(text, /mode is now Manual/)], [1, 1]);
  });

  it('has on the disk that a call begins before it changes anything: after a crash nobody says that it was not run', async () => {
    const written: string[] = [];
    let durable = '';
    const log: SessionLog = {
      id: 'session-1',
      path: '/sessions/session-1.jsonl',
      append: (records) => void written.push(...records.map(encodeRecord)),
      async sync() {
        const asked = written.join('\n');
        await new Promise((resolve) => setImmediate(resolve));
        durable = asked;
      },
      close: async () => undefined,
    };
    let known = '';
    const act = fakeTool('Act', { isReadOnly: () => false, call: async () => ((known = durable), said('done')) });
    await createHarness({
      model: createScriptedModel([reply(toolUse('Act', {}, 'toolu_act')), reply('Done.')]),
      tools: [act],
      session: { log },
    }).run('Go');
    assert.match(known, /"subtype":"tool_started","toolUseId":"toolu_act"/);
  });

  it('holds what was always allowed, also in the next process', async () => {
    const script = [reply(toolUse('Act', { text: 'a' })), reply(toolUse('Act', { text: 'b' })), reply('Done.')];
    const first = createHarness({
      model: createScriptedModel(script),
      tools: [askingTool('Act')],
      answer: () => ({ behavior: 'allow', updates: [always] }),
    });
    await first.run('Go');
    assert.equal(first.approvals.length, 1);
    const second = createHarness({
      model: createScriptedModel([reply(toolUse('Act', { text: 'c' })), reply('Done.')], { idPrefix: 'r' }),
      tools: [askingTool('Act')],
      records: first.stored(),
    });
    await second.run('Go on');
    assert.equal(second.approvals.length, 0);
  });

  it('saves what was always allowed for the project before the call runs, and says where that failed', async () => {
    const forProject: PermissionUpdate = { ...always, destination: 'localSettings' };
    for (const message of [undefined, 'The file is broken.']) {
      const trace: string[] = [];
      const tool = {
        ...askingTool('Act'),
        call: async ({ text = '' }: { text?: string }) => (trace.push(`call ${text}`), said(text)),
      };
      const harness = createHarness({
        model: createScriptedModel([
          reply(toolUse('Act', { text: 'a' })),
          reply(toolUse('Act', { text: 'b' })),
          reply('Done.'),
        ]),
        tools: [tool],
        answer: () => ({ behavior: 'allow', updates: [forProject] }),
        ports: {
          permissionStore: {
            save: async ({ destination }) => (
              trace.push(destination),
              message === undefined ? { saved: true } : { saved: false, message }
            ),
          },
        },
      });
      await harness.run('Go');
      // No file grants it here: what could not be saved holds for the session instead.
      const twice = ['localSettings', 'call a', 'localSettings', 'call b'];
      assert.deepEqual(trace, message === undefined ? twice : ['localSettings', 'call a', 'call b']);
      const notice = harness.chat().items.find((item) => item.kind === 'notice');
      assert.deepEqual(
        notice?.kind === 'notice' && [notice.title, notice.detail],
        message === undefined
          ? false
          : ['The rule was not saved.', 'The file is broken. Your permission holds for this session only.'],
      );
    }
  });

  it('changes its mode where the user chose so in an approval, and forgets plan and bypass on resume', async () => {
    const update: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
    const harness = createHarness({
      model: createScriptedModel([reply(toolUse('Act', {})), reply('Done.')]),
      tools: [askingTool('Act')],
      answer: () => ({ behavior: 'allow', updates: [update] }),
    });
    await harness.run('Go');
    assert.deepEqual(
      [harness.session.permission.mode, harness.chat().mode, resumedMode(harness.stored())],
      ['acceptEdits', 'acceptEdits', 'acceptEdits'],
    );
    harness.session.permission.setMode('bypassPermissions');
    assert.equal(resumedMode(harness.stored()), undefined);
  });

  it('keeps the folder that a call ended in, for the calls behind it and the next process', async () => {
    const seen: string[] = [];
    const tool = fakeTool('Act', {
      call: async ({ text = '' }, { session }) => {
        seen.push(session.cwd);
        return { ...said(text), contextModifier: { cwd: `/w/${text}` } };
      },
    });
    const first = createHarness({
      model: createScriptedModel([reply(toolUse('Act', { text: 'a' }), toolUse('Act', { text: 'b' })), reply('Done.')]),
      tools: [tool],
    });
    await first.run('Go');
    const second = createHarness({
      model: createScriptedModel([reply(toolUse('Act', { text: 'c' })), reply('Done.')], { idPrefix: 'r' }),
      tools: [tool],
      records: first.stored(),
    });
    await second.run('Go on');
    assert.deepEqual(seen, ['/w', '/w/a', '/w/b']);
  });

  it('runs nothing that was accepted after Stop', async () => {
    const controller = new AbortController();
    const tool = askingTool('Act', { call: () => assert.fail('it ran') });
    const harness: Harness = createHarness({
      model: createScriptedModel([reply(toolUse('Act', {})), reply('Hello.')]),
      tools: [tool],
      answer: () => {
        controller.abort(new DOMException('Stopped.', 'AbortError'));
        return { behavior: 'allow' };
      },
    });
    assert.deepEqual(await harness.run('Go', controller.signal), { reason: 'interrupted' });
    assert.deepEqual(
      harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [item.state] : [])),
      ['stopped'],
    );
    assert.ok(!harness.stored().some((record) => record.type === 'system' && record.subtype === 'tool_started'));
  });

  it('takes up another model in the middle', async () => {
    const model = createScriptedModel(() => reply('Hello.'));
    const harness = createHarness({ model });
    await harness.run('One');
    harness.session.choices.setModel('claude-haiku-4-5-20251001');
    await harness.run('Two');
    assert.deepEqual(
      model.requests.map((request) => request.model),
      ['claude-opus-5', 'claude-haiku-4-5-20251001'],
    );
    assert.deepEqual(model.requests[1]?.thinking, { type: 'enabled', budget_tokens: 10_000 });
    assert.equal(harness.chat().model, 'claude-haiku-4-5-20251001');
    assert.deepEqual(model.violations, []);
  });

  it('prepares its tools once, and the first request finds them', async () => {
    let asked = 0;
    const tool = { ...fakeTool('Act'), prompt: async () => `Asked ${++asked}` };
    const model = createScriptedModel([reply('Hello.')]);
    const harness = createHarness({ model, tools: [tool] });
    await harness.session.requests.prepare();
    assert.equal(asked, 1);
    await harness.run('Hello');
    assert.deepEqual([asked, model.requests[0]?.tools?.[0]?.description], [1, 'Asked 1']);
  });

  it('goes on without a prompt where the log ends', async () => {
    const model = createScriptedModel([reply('Hello.'), reply('Further.')]);
    const harness = createHarness({ model });
    await harness.run('One');
    assert.deepEqual(await harness.run(undefined), { reason: 'completed' });
    assert.equal(model.requests[1]?.messages.at(-1)?.role, 'user');
    assert.equal(
      harness.chat().items.filter(({ kind }) => kind === 'user').length,
      1,
      'nothing that the user did not say',
    );
  });

  it('survives a disk that refuses, and says so', async () => {
    const harness = createHarness({
      model: createScriptedModel([reply('Hello.')]),
      session: {
        log: {
          id: 's',
          path: '/s',
          append: () => undefined,
          sync: () => Promise.reject(new Error('The disk is full.')),
          close: async () => undefined,
        },
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.ok(harness.events.some((event) => event.type === 'log_failed' && event.message === 'The disk is full.'));
    assert.equal(harness.events.at(-1)?.type, 'turn_idle');
  });

  it('appends to the system prompt what the user adds, behind the part that all share', async () => {
    const model = createScriptedModel([reply('Hello.')]);
    await createHarness({ model, session: { appendSystemPrompt: 'Speak German.' } }).run('Go');
    assert.deepEqual(
      model.requests[0]?.system.map(({ text }) => text.slice(0, 13)),
      ['You are Deft,', 'Speak German.'],
    );
  });
});
