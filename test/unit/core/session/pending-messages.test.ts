import assert from 'node:assert/strict';
import { createPendingMessages, type PendingMessageServices } from '../../../../src/core/session/pending-messages';
import { createSteeringQueue } from '../../../../src/core/events/steering-queue';

function setUp(refuses: PendingMessageServices['refuses']) {
  const written: string[] = [];
  const queue = createSteeringQueue();
  for (const id of ['a', 'b'])
    queue.add({ id, content: [{ type: 'text', text: id }], display: { text: id, attachments: [], images: 0 } });
  const write = (record: object): void => void written.push(JSON.stringify(record));
  const services = { records: [], writer: { write }, queue, mode: () => 'default', refuses };
  const messages = createPendingMessages(services as unknown as PendingMessageServices);
  return { messages, queue, written };
}

describe('messages that wait while a hook judges them', () => {
  it('can be taken back meanwhile', async () => {
    const { messages, queue, written } = setUp(async () => Promise.resolve(queue.takeBack('a')).then(() => undefined));
    assert.equal(await messages.deliver(new AbortController().signal), true);
    assert.deepEqual(queue.waiting, []);
    assert.ok(!written.some((record) => record.includes('"a"')));
    assert.ok(written.some((record) => record.includes('"steering":true') && record.includes('"b"')));
  });

  it('stay where the turn is stopped meanwhile', async () => {
    const stop = new AbortController();
    const { messages, queue, written } = setUp(async () => Promise.resolve(stop.abort()).then(() => undefined));
    assert.equal(await messages.deliver(stop.signal), false);
    assert.deepEqual(
      queue.waiting.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(written, []);
  });
});
