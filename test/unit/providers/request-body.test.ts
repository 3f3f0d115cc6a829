// The body that is put together from pieces: what plain JSON would say, whatever was sent before.
import assert from 'node:assert/strict';
import { withCacheBreakpoints } from '../../../src/core/agent/cache-breakpoints';
import { type Message, type ModelRequest } from '../../../src/core/model/wire';
import { createBodyWriter, messageBody } from '../../../src/providers/request-body';
import { request } from './client-under-test';

const bodies = createBodyWriter();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const written = (sent: ModelRequest): string => {
  const { bytes, release } = bodies.write(sent);
  const result = text(bytes);
  release();
  return result;
};
const plain = (sent: ModelRequest): unknown => JSON.parse(JSON.stringify({ ...messageBody(sent), stream: true }));

describe('createBodyWriter', () => {
  const cases: Record<string, Partial<ModelRequest>> = {
    'a whole request': { thinking: { type: 'adaptive', display: 'summarized' }, metadata: { user_id: 'u' }, betas: ['b'] },
    'no system prompt and no tools': { system: [], tools: [] },
    'no messages': { messages: [] },
    'characters of several bytes and half ones': { messages: [{ role: 'user', content: [{ type: 'text', text: 'ä€😀\ud800"\\\n\u2028' }] }] },
  };
  for (const [name, fields] of Object.entries(cases)) {
    it(`writes ${name}`, () => {
      const sent = { ...request, ...fields };
      assert.deepEqual(JSON.parse(written(sent)), plain(sent));
      assert.equal(written(sent), written(sent), 'the second time too');
    });
  }

  it('keeps marks where they are now, while they move along a growing conversation', () => {
    const messages: Message[] = [];
    for (let turn = 0; turn < 60; turn++) {
      messages.push(
        { role: 'user', content: [{ type: 'text', text: `question ${turn}` }] },
        { role: 'assistant', content: [{ type: 'text', text: `answer ${turn}` }] },
      );
      const sent = withCacheBreakpoints({ ...request, messages: [...messages] });
      assert.deepEqual(JSON.parse(written(sent)), plain(sent));
      assert.ok(!written({ ...request, messages }).includes('cache_control'), 'the same messages without marks');
    }
  });

  it('begins with the bytes of the request before, but for the marks', () => {
    const first = { ...request, messages: [...request.messages, { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] } satisfies Message] };
    assert.ok(written(first).startsWith(written(request).slice(0, -2)));
  });

  it('keeps a body whole while its request is under way, and uses its buffer afterwards', () => {
    const longer = { ...request, model: 'm'.repeat(50) };
    const first = bodies.write(longer);
    const second = bodies.write(request);
    assert.deepEqual(JSON.parse(text(first.bytes)), plain(longer));
    assert.deepEqual(JSON.parse(text(second.bytes)), plain(request));
    first.release();
    assert.equal(bodies.write(request).bytes.buffer, first.bytes.buffer);
  });
});
