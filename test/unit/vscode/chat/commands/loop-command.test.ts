// What "/loop" answers: with and without a loop, and where a new one takes the place of another.
import assert from 'node:assert/strict';
import { type HostMessage } from '../../../../../src/shared/host-messages';
import { Chat } from '../../../../../src/vscode/chat/conversation/chat';
import { loopCommand } from '../../../../../src/vscode/chat/commands/side-work-commands';
import { reply } from '../../../../support/messages-api/script';
import { quietChatServices } from '../../../../support/quiet-chat';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';

describe('the words of /loop', () => {
  let chat: Chat;
  const says = (rest: string): (readonly [string, string])[] => {
    const before = chat.poster.state.items.length;
    loopCommand(chat, rest);
    return chat.poster.state.items
      .slice(before)
      .flatMap((item) => (item.kind === 'notice' ? [[item.title, item.detail] as const] : []));
  };
  beforeEach(async () => {
    const posts: HostMessage[] = [];
    chat = new Chat(
      quietChatServices({
        openSession: async (_id, { emit }) => ({
          session: createHarness({ model: createScriptedModel([reply('Green.'), reply('Green.')]), onEvent: emit })
            .session,
          resumed: false,
        }),
      }),
      (message) => void posts.push(message),
    );
    await chat.session();
  });
  afterEach(() => chat.dispose());

  it('without a loop says how one begins, and that there is nothing to stop', () => {
    assert.equal(says('')[0]?.[0], 'There is no loop yet.');
    assert.deepEqual(says('stop'), [['There is no loop.', 'Nothing was changed.']]);
  });

  it('with one tells of it, keeps it where the new line cannot be read, and says that a new one takes its place', () => {
    assert.deepEqual(says('5m Is it green?'), []);
    const [shownNotice] = says('');
    assert.deepEqual([shownNotice?.[0], shownNotice?.[1].split('\n')[0]], ['A loop runs, every 5m.', 'Is it green?']);
    assert.equal(says('1s Is it green?')[0]?.[0], 'The loop continues unchanged.');
    assert.deepEqual(says('10m Is it red?'), [['A new loop replaces the previous one.', 'Until now: Is it green?']]);
    assert.equal(chat.poster.state.lines[0]?.text, 'Is it red?');
    assert.deepEqual(says('stop'), [['Loop stopped.', 'The current turn continues.']]);
    assert.deepEqual(chat.poster.state.lines, []);
  });
});
