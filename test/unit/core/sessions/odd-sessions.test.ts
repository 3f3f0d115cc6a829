// Whole sessions against the strict API: repeated ids of calls, and an image or PDF that the API refuses.
import assert from 'node:assert/strict';
import { type Message, type UserBlock } from '../../../../src/core/wire/wire';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { type Documents } from '../../../../src/core/ports/documents';
import { decodeRecord } from '../../../../src/core/sessions/session-codec';
import { readTool } from '../../../../src/core/tools/read/read';
import { createMemoryFiles } from '../../../support/memory-files';
import { httpError, reply, thinking, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const idsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
const image: UserBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const withImage = {
  content: [{ type: 'text' as const, text: 'See' }, image],
  display: { text: 'See', attachments: [], images: 1 },
};

describe('odd sessions', () => {
  it('runs calls whose ids repeat in one reply and across replies and turns', async () => {
    const model = createScriptedModel([
      reply(toolUse('Look', {}, 'call_0'), toolUse('Act', {}, 'call_0')),
      reply(toolUse('Look', {}, 'call_0')),
      reply('Done.'),
      reply(toolUse('Look', {}, 'call_0')),
      reply('Done again.'),
    ]);
    const harness = createHarness({ model });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(await harness.run('Again'), { reason: 'completed' });
    assert.deepEqual(model.violations, []);
    const ids = ['call_0', 'call_0_2', 'call_0_3', 'call_0_4'];
    assert.deepEqual(idsIn(model.requests.at(-1)?.messages ?? []), ids);
    assert.deepEqual(idsIn(messagesFromRecords(harness.stored())), ids, 'the log itself has them');
    for (const { items } of [harness.chat(), harness.replayed()]) {
      assert.deepEqual(
        items.flatMap((item) => (item.kind === 'tool' ? [[item.id, item.state]] : [])),
        ids.map((id) => [id, 'done']),
      );
    }
  });

  it('goes on with a log of repeated ids and blocks that cannot be read', async () => {
    const lines: unknown[] = [
      {
        type: 'assistant',
        message: {
          id: 'm1',
          content: [
            { type: 'text', text: null },
            { type: 'tool_use', id: 'a', name: 'Look', input: null },
          ],
        },
      },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: null }] } },
      {
        type: 'assistant',
        message: {
          id: 'm2',
          content: [
            { type: 'tool_use', id: 'a', name: 'Look', input: {} },
            { type: 'tool_use', id: 'b b', name: 'Look', input: {} },
          ],
        },
      },
      {
        type: 'user',
        message: {
          content: [{ type: 'tool_result', tool_use_id: 'a', content: [null, { type: 'image', source: 3 }] }],
        },
      },
      { type: 'user', message: { content: [{ type: 'image', source: null }, null] } },
    ];
    const records = lines.flatMap((line) => decodeRecord(JSON.stringify(line)) ?? []);
    const model = createScriptedModel([reply(toolUse('Look', {}, 'a')), reply('Done.')]);
    const harness = createHarness({ model, records });
    assert.deepEqual(await harness.run('Go on'), { reason: 'completed' });
    assert.deepEqual(model.violations, []);
    assert.deepEqual(idsIn(model.requests.at(-1)?.messages ?? []), ['a', 'a_2', 'a_3']);
  });

  it('leaves out an image that the API refuses, and asks again once', async () => {
    const model = createScriptedModel([
      httpError(400, 'invalid_request_error', 'messages.0.content.1.image.source.base64.data: Could not process image'),
      reply('I cannot see it.'),
      reply('Yes?'),
    ]);
    const harness = createHarness({ model });
    assert.deepEqual(await harness.session.run(withImage, new AbortController().signal), { reason: 'completed' });
    assert.deepEqual(await harness.run('And now?'), { reason: 'completed' });
    assert.deepEqual(model.violations, []);
    const held = model.requests.map(({ messages }) => JSON.stringify(messages).includes('"image"'));
    assert.deepEqual(held, [true, false, false]);
    assert.ok(harness.chat().items.some((item) => item.kind === 'notice' && item.title.includes('was removed')));
  });

  const refusals: [name: string, refusal: ReturnType<typeof httpError>][] = [
    [
      'the API refuses',
      httpError(
        400,
        'invalid_request_error',
        'messages.2.content.2.document.source.base64: The PDF specified was not valid.',
      ),
    ],
    ['makes the request too large', httpError(413, 'request_too_large', 'Request exceeds the maximum size')],
  ];
  for (const [name, refusal] of refusals) {
    it(`shows a PDF behind all results, and leaves out one that ${name}`, async () => {
      const model = createScriptedModel([
        reply(toolUse('Read', { file_path: '/w/a.pdf' }, 'p'), toolUse('Read', { file_path: '/w/a.txt' }, 't')),
        refusal,
        reply('I cannot see it.'),
      ]);
      const documents: Documents = {
        readPdf: async () => ({ outcome: 'read', total: 2, data: 'AAAA' }),
        shrinkImage: async () => undefined,
      };
      const harness = createHarness({
        model,
        tools: [readTool],
        ports: { documents },
        files: createMemoryFiles({ '/w/a.pdf': '%PDF-1.7', '/w/a.txt': 'one\n' }),
      });
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.deepEqual(model.violations, []);
      const shown = model.requests[1]?.messages.at(-1)?.content ?? [];
      assert.deepEqual(
        shown.map(({ type }) => type),
        ['tool_result', 'tool_result', 'document'],
      );
      assert.equal(shown[0]?.type === 'tool_result' && shown[0].content, 'PDF file read: /w/a.pdf (8B)');
      assert.deepEqual(shown[2], {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
        title: 'a.pdf',
        cache_control: { type: 'ephemeral' },
      });
      const later = JSON.stringify(model.requests[2]?.messages);
      assert.ok(!later.includes('"document"') && later.includes('[PDF omitted: '));
    });
  }

  it('ends the turn where the refusal names an image and none was sent', async () => {
    const model = createScriptedModel([httpError(400, 'invalid_request_error', 'Could not process image')]);
    const end = await createHarness({ model }).run('Go');
    assert.equal(end.reason, 'error');
    assert.equal(model.requests.length, 1);
  });

  it('keeps thinking with a call whose id was replaced', async () => {
    const model = createScriptedModel([
      reply(toolUse('Look', {}, 'c')),
      reply(thinking('Hm.', 'sig'), toolUse('Look', {}, 'c')),
      reply('Done.'),
    ]);
    const harness = createHarness({ model });
    assert.equal((await harness.run('Go')).reason, 'completed');
    assert.deepEqual(
      model.requests
        .at(-1)
        ?.messages.at(-2)
        ?.content.map(({ type }) => type),
      ['thinking', 'tool_use'],
    );
  });
});
