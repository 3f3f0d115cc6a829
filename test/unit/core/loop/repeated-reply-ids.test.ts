// A gateway that gives every reply the same message id, or none: each reply keeps its own place in the chat and in the history.
import assert from 'node:assert/strict';
import { type ChatState } from '../../../../src/shared/chat';
import { violationsOf } from '../../../support/accepted-history';
import { reply, text, toolUse, withFields, type Reply } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const constant = (made: Reply): Reply => withFields(made, { id: 'chatcmpl' });
const shown = ({ items }: ChatState): string[] =>
  items.flatMap((item) =>
    item.kind === 'text' || item.kind === 'user' ? [item.text] : item.kind === 'tool' ? [item.id] : [],
  );
const idsOf = (harness: Harness): string[] => [
  ...new Set(harness.stored().flatMap((record) => (record.type === 'assistant' ? [record.message.id] : []))),
];

describe('replies with one id', () => {
  it('stand one below the other in the chat, live and opened anew', async () => {
    const harness = createHarness({
      model: createScriptedModel([constant(reply('One.')), constant(reply('Two.')), constant(reply('Three.'))]),
    });
    for (const said of ['a', 'b', 'c']) await harness.run(said);
    assert.deepEqual(shown(harness.chat()), ['a', 'One.', 'b', 'Two.', 'c', 'Three.']);
    assert.deepEqual(shown(harness.replayed()), ['a', 'One.', 'b', 'Two.', 'c', 'Three.']);
    assert.equal(idsOf(harness)[0], 'chatcmpl', 'the first one keeps it');
    assert.equal(idsOf(harness).length, 3);
  });

  it('are sent as they were: each with its own results behind it', async () => {
    const model = createScriptedModel([
      constant(reply(text('First.'), toolUse('Look', { text: 'one' }, 't1'))),
      constant(reply(text('Second.'), toolUse('Act', { text: 'two' }, 't2'))),
      constant(reply('Done.')),
    ]);
    const harness = createHarness({ model });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const sent = model.requests[2]?.messages ?? [];
    assert.deepEqual(
      sent.map(({ role, content }) => [role, ...content.map(({ type }) => type)]),
      [
        ['user', 'text', 'text'],
        ['assistant', 'text', 'tool_use'],
        ['user', 'tool_result'],
        ['assistant', 'text', 'tool_use'],
        ['user', 'tool_result'],
      ],
    );
    assert.deepEqual(violationsOf(harness.stored()), []);
    assert.deepEqual(shown(harness.chat()), ['Go', 'First.', 't1', 'Second.', 't2', 'Done.']);
  });

  it('lose no answer to a refusal before it', async () => {
    const refused = withFields(constant(reply('No, ')), { stopReason: 'refusal' });
    const model = createScriptedModel([refused, constant(reply('Here you are.')), constant(reply('Fine.'))]);
    const harness = createHarness({
      model,
      session: { fallback: () => ({ models: ['claude-opus-4-8'], refusals: true }) },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    await harness.run('On');
    assert.deepEqual(
      model.requests[2]?.messages
        .flatMap(({ role, content }) => (role === 'assistant' ? content : []))
        .map((block) => (block.type === 'text' ? block.text : block.type)),
      ['Here you are.'],
    );
  });

  it('keep apart from those of the log that was opened', async () => {
    const before = createHarness({ model: createScriptedModel([constant(reply('One.'))]) });
    await before.run('a');
    const harness = createHarness({
      model: createScriptedModel([constant(reply('Two.'))], { acceptUnknownThinking: true }),
      records: before.stored(),
    });
    await harness.run('b');
    assert.deepEqual(shown(harness.chat()), ['a', 'One.', 'b', 'Two.']);
  });

  it('are told apart where a server says none, in one and the same millisecond', async () => {
    const unsaid = (made: Reply): Reply => withFields(made, { id: '' });
    const refused = withFields(unsaid(reply('No, ')), { stopReason: 'refusal' });
    const harness = createHarness({
      model: createScriptedModel([refused, unsaid(reply('Here you are.'))]),
      session: { fallback: () => ({ models: ['claude-opus-4-8'], refusals: true }) },
    });
    await harness.run('Go');
    assert.equal(idsOf(harness).length, 2);
  });
});
