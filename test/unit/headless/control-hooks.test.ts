import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ControlProgram, type Message } from '../../support/control-program';
import { withControlPrograms } from '../../support/control-suite';
import { type HeadlessPlace } from '../../support/headless-run';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless hooks of the program', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result, there, lastSent } = withControlPrograms((...opened) => ([place, server] = opened));

  /** A program with a hook before each command, at that hook's question. */
  const guarded = async (matcher: Message = {}, ...args: string[]) => {
    server.setScript([reply(toolUse('Bash', { command: 'touch made.txt' }, 'toolu_touch')), reply('Done.')]);
    const started = program(...args);
    const { response } = await started.request({
      subtype: 'initialize',
      hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'], ...matcher }], Stop: [] },
    });
    assert.equal((response as Message)['hooks_applied'], true);
    started.say('Go');
    return { started, question: await started.question() };
  };

  it('are asked before a call, and their deny holds even where all is allowed', async () => {
    const { started, question } = await guarded({}, '--permission-mode', 'bypassPermissions');
    const { subtype, callback_id, tool_use_id, input } = question.request as Message & { input: Message };
    assert.deepEqual([subtype, callback_id, tool_use_id], ['hook_callback', 'hook_0', 'toolu_touch']);
    assert.deepEqual(
      [input['hook_event_name'], input['tool_name'], input['tool_input']],
      ['PreToolUse', 'Bash', { command: 'touch made.txt' }],
    );
    started.answer(question.request_id, {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Not in here.',
      },
    });
    await result(started);
    assert.match(lastSent(), /Not in here\./);
    assert.equal(there('made.txt'), false);
  });

  it('come before the question whether the call may run', async () => {
    const { started, question } = await guarded({}, '--permission-prompt-tool', 'stdio');
    started.answer(question.request_id, {});
    const next = await started.question();
    assert.equal(next.request['subtype'], 'can_use_tool');
    started.answer(next.request_id, { behavior: 'allow' });
    await result(started);
    assert.equal(there('made.txt'), true);
  });

  it('that fail let the call go on, unless they are to block', async () => {
    for (const onFailure of ['continue', 'block']) {
      const { started, question } = await guarded({ onFailure }, '--permission-prompt-tool', 'stdio');
      started.send({
        type: 'control_response',
        response: { subtype: 'error', request_id: question.request_id, error: 'it threw' },
      });
      if (onFailure === 'continue') {
        const next = await started.question();
        assert.equal(next.request['subtype'], 'can_use_tool');
        started.answer(next.request_id, { behavior: 'deny' });
      }
      await result(started);
      if (onFailure === 'block') assert.match(lastSent(), /failed: it threw/);
      await started.close();
    }
    assert.equal(there('made.txt'), false);
  });

  it('let nothing pass once the program is gone', async () => {
    const { started } = await guarded({}, '--permission-mode', 'bypassPermissions');
    await started.close();
    assert.match(lastSent(), /closed its input/);
    assert.equal(there('made.txt'), false);
  });

  it('are refused as a whole where one cannot be read, and are none of those that settings switch off', async () => {
    const started = program();
    const refusal = async (from: ControlProgram, hooks: unknown): Promise<string> =>
      String((await from.request({ subtype: 'initialize', hooks }))['error']);
    assert.match(await refusal(started, { PreToolUse: ['hook_0'] }), /takes by event a list/);
    assert.match(await refusal(started, { BeforeAll: [{ hookCallbackIds: ['hook_0'] }] }), /does not have/);
    assert.match(
      await refusal(started, { PreToolUse: [{ matcher: '(', hookCallbackIds: ['hook_0'] }] }),
      /regular expression/,
    );
    await started.close();
    await mkdir(path.join(place.home, '.claude'));
    await writeFile(path.join(place.home, '.claude/settings.json'), '{"disableAllHooks":true}');
    assert.equal(await refusal(program(), { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] }), 'undefined');
  });
});
