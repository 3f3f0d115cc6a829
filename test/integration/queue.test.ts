// What the host answers when a queued message is taken back: it, or that it has been delivered.
import assert from 'node:assert/strict';
import { createSteeringQueue, type Prompt } from '../../src/core/events/steering-queue';
import { type Chat } from '../../src/vscode/chat/conversation/chat';
import { type HandlerServices } from '../../src/vscode/chat/panel/handler';
import { handleMessage } from '../../src/vscode/chat/messages/message-handlers';
import { type HostMessage } from '../../src/shared/host-messages';

const prompt: Prompt = {
  content: [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'text', text: 'And this' },
  ],
  display: { text: 'And this', attachments: [], images: 1 },
};

describe('a queued message that is taken back', () => {
  async function answer(delivered: boolean): Promise<{ posted: HostMessage[]; answer: unknown }> {
    const queue = createSteeringQueue();
    queue.add({ ...prompt, id: 'q1' });
    if (delivered) queue.waiting.map(({ id }) => queue.takeBack(id));
    const posted: HostMessage[] = [];
    const chat: Pick<Chat, 'unqueue'> = { unqueue: async (id) => queue.takeBack(id) };
    const services: Pick<HandlerServices, 'post'> = { post: (message) => void posted.push(message) };
    const message = { type: 'unqueue', id: 'q1', edit: true } as const;
    return { answer: await handleMessage(message, chat as Chat, services as HandlerServices), posted };
  }

  it('comes back with its text and its images', async () => {
    const images = [{ name: 'Image', mediaType: 'image/png', data: 'AAAA' }];
    assert.deepEqual(await answer(false), {
      answer: true,
      posted: [{ type: 'givenBack', text: 'And this', images }],
    });
  });

  it('does not come back once it was delivered', async () => {
    assert.deepEqual(await answer(true), { answer: false, posted: [] });
  });
});

describe('a command that cannot be carried out', () => {
  it('comes back as it was typed', async () => {
    const posted: HostMessage[] = [];
    const chat: Pick<Chat, 'setMode'> = { setMode: () => Promise.reject(new Error('No space is left on the disk.')) };
    const services: Pick<HandlerServices, 'post'> = { post: (message) => void posted.push(message) };
    await assert.rejects(
      handleMessage(
        { type: 'send', text: '/plan the schema', images: [], withSelection: false },
        chat as Chat,
        services as HandlerServices,
      ),
      /No space is left/,
    );
    assert.deepEqual(posted, [{ type: 'givenBack', text: '/plan the schema', images: [] }]);
  });
});
