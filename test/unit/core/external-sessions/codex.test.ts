// Sessions of Codex: rollouts old and new.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCodex } from '../../../../src/core/external-sessions/codex';
import { continuedRecords } from '../../../../src/core/external-sessions/continue-session';
import { type ExternalSession } from '../../../../src/core/external-sessions/external-session';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { emptyChat } from '../../../../src/shared/chat';
import { violationsOf } from '../../../support/accepted-history';
import { codexLog } from '../../../support/external-logs';

const read = (text: string): ExternalSession => readCodex(text.split('\n'));
const shown = (session: ExternalSession) =>
  createChatProjection({ registry: createToolRegistry([]), folders: [] }).replay(
    emptyChat('f', 'default', 'm'),
    session.records,
  ).items;
const seen = (session: ExternalSession): string[] =>
  shown(session).map((item) =>
    item.kind === 'tool'
      ? `${item.name} ${item.state} ${item.view?.kind === 'json' ? item.view.text : (item.message ?? '')}`
      : item.kind === 'notice'
        ? item.title
        : item.kind === 'compaction'
          ? item.state
          : item.kind === 'ledger'
            ? 'ledger'
            : item.text,
  );

describe('sessions of Codex', () => {
  it('open with calls and results paired by call_id, each thing once', () => {
    const log = codexLog();
    log.item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Own rules' }] });
    log.item({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>\n<cwd>/w</cwd>\n</environment_context>' }],
    });
    log.add('turn_context', { cwd: '/w', model: 'gpt-6', approval_policy: 'on-request' });
    log.prompt('Run the tests');
    log.item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think' }], encrypted_content: 'x' });
    log.call('call_1', 'shell', '{"command":["bash","-lc","npm test"]}');
    log.call('call_2', 'exec_command', '{"cmd":"ls');
    log.item({ type: 'custom_tool_call', call_id: 'call_3', name: 'apply_patch', input: '*** Begin Patch' });
    log.item({
      type: 'local_shell_call',
      call_id: 'call_4',
      status: 'completed',
      action: { type: 'exec', command: ['pwd'] },
    });
    log.call('call_5', 'shell', '{}');
    log.output('call_2', 'Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno');
    log.output('call_1', JSON.stringify({ output: 'all green', metadata: { exit_code: 0, duration_seconds: 1 } }));
    log.item({ type: 'custom_tool_call_output', call_id: 'call_3', output: { content: 'patched', success: true } });
    log.item({ type: 'function_call_result', call_id: 'call_4', result: '/w' });
    log.add('event_msg', { type: 'turn_aborted', reason: 'interrupted' });
    log.says('Green.');
    const session = read(log.text());
    assert.deepEqual([session.id, session.cwd, session.title], ['c-1', '/w', 'Run the tests']);
    assert.deepEqual(session.incomplete, [{ toolUseId: 'call_5', name: 'shell', cause: 'session interrupted' }]);
    assert.deepEqual(seen(session), [
      'Run the tests',
      'Think',
      'shell done all green',
      'exec_command failed Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno',
      'apply_patch done patched',
      'local_shell done /w',
      'shell stopped Incomplete: the session was interrupted before this call had a result. It may or may not have taken effect.',
      'Stopped.',
      'Green.',
    ]);
    const inputs = messagesFromRecords(continuedRecords(session, 'n')).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.input] : [])),
    );
    assert.deepEqual(inputs.slice(0, 3), [
      { command: ['bash', '-lc', 'npm test'] },
      { arguments: '{"cmd":"ls' },
      { input: '*** Begin Patch' },
    ]);
    assert.deepEqual(violationsOf(continuedRecords(session, 'n')), []);
  });

  it('open in the old shape, without envelopes', () => {
    const lines = [
      { id: 'old', timestamp: '2025-05-01T00:00:00Z', instructions: null },
      { record_type: 'state' },
      {
        type: 'message',
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: '<environment_context>\nCurrent working directory: /old\n</environment_context>',
          },
        ],
      },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hello' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
        ],
      },
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: 'exec command rejected by user' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
    ];
    const session = read(lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.deepEqual([session.id, session.cwd, session.incomplete[0]?.cause], ['old', '/old', 'permission denied']);
    assert.deepEqual(seen(session), ['Hello', 'shell denied exec command rejected by user', 'Hi']);
    assert.equal(
      messagesFromRecords(continuedRecords(session, 'n'))[0]?.content.some((block) => block.type === 'image'),
      true,
    );
  });

  it('take the end of a command from its event where no item tells it', () => {
    const log = codexLog();
    log.prompt('Go');
    log.call('c', 'shell', '{}');
    log.add('event_msg', { type: 'exec_command_end', call_id: 'c', stdout: 'yes', stderr: '', exit_code: 0 });
    assert.deepEqual([read(log.text()).incomplete, seen(read(log.text()))], [[], ['Go', 'shell done yes']]);
  });

  it('go on from the last summary, without what was rolled back', () => {
    const log = codexLog();
    log.prompt('Before');
    log.says('Answer');
    log.add('compacted', { message: 'What was: little.' });
    log.prompt('Kept');
    log.says('Yes');
    log.prompt('Taken back');
    log.add('event_msg', { type: 'thread_rolled_back', num_turns: 1 });
    const texts = messagesFromRecords(continuedRecords(read(log.text()), 'n')).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    );
    assert.deepEqual(texts, ['What was: little.', 'Kept', 'Yes']);
  });

  it('open from any prefix and with any torn tail to a history that the API accepts', function () {
    this.timeout(60_000);
    const step = fc.constantFrom(
      'prompt',
      'says',
      'call',
      'output',
      'reasoning',
      'compacted',
      'rolled',
      'junk',
      'search',
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.double({ min: 0, max: 1, noNaN: true }), (steps, cut) => {
        const log = codexLog();
        let calls = 0;
        for (const [at, kind] of steps.entries()) {
          if (kind === 'prompt') log.prompt(at % 4 === 0 ? '' : `Prompt ${at}`);
          else if (kind === 'says') log.says(`Says ${at}`);
          else if (kind === 'call')
            log.call(`call:${++calls}`, at % 2 === 0 ? 'shell' : 'server.tool', at % 3 === 0 ? '{"a":' : '{"a":1}');
          else if (kind === 'output')
            log.output(
              `call:${calls - (at % 2)}`,
              [at % 3 === 0 ? '' : 'out', { content: [{ type: 'input_text', text: 'x' }] }, null][at % 3],
            );
          else if (kind === 'reasoning')
            log.item({ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 't' }] });
          else if (kind === 'compacted') log.add('compacted', { message: at % 2 === 0 ? '' : 'Sum' });
          else if (kind === 'rolled') log.add('event_msg', { type: 'thread_rolled_back', num_turns: at % 3 });
          else if (kind === 'search')
            log.item({ type: 'web_search_call', status: 'completed', action: { query: 'q' } });
          else log.add('response_item', { type: 'message', role: 'user', content: at % 2 === 0 ? 'text' : [null, 3] });
        }
        const session = read(log.text().slice(0, Math.round(log.text().length * cut)));
        assert.deepEqual(violationsOf(continuedRecords(session, 'n')), []);
        shown(session);
      }),
      { numRuns: 300 },
    );
  });
});
