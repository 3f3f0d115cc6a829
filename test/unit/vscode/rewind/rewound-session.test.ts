// A rewind's undo comes when the chat may show another session: its turn continues, and its model learns nothing of it.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type AgentSession } from '../../../../src/core/feature/agent-session';
import { fileChanges } from '../../../../src/core/features/file-changes/file-changes-key';
import { type SessionLog } from '../../../../src/core/ports/session-store';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { rewoundSession } from '../../../../src/vscode/rewind/rewound-session';
import { quietChatServices } from '../../../support/quiet-chat';
import { reply, stall } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('the session that a rewind was made in', () => {
  let chat: Chat;
  let model: ScriptedModel;
  let reminded: string[];
  const logOf = (id: string): SessionLog => ({
    id,
    path: `/sessions/${id}.jsonl`,
    append: () => undefined,
    sync: async () => undefined,
    close: async () => undefined,
  });
  const opened = (id: string, emit: Parameters<typeof createHarness>[0]['onEvent']): AgentSession => {
    const { session } = createHarness({
      model,
      ...defined({ onEvent: emit }),
      session: { log: logOf(id) },
    });
    session.remind = (text) => void reminded.push(`${id}: ${text}`);
    const changes = session.feature(fileChanges) ?? assert.fail('files are not followed');
    changes.acted = (act, paths) => void reminded.push(`${id}: ${act} ${paths.join()}`);
    return session;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };

  beforeEach(async () => {
    reminded = [];
    let copies = 0;
    model = createScriptedModel([stall(reply('Here.'), 2, 'forever')]);
    chat = new Chat(
      quietChatServices({
        openSession: async (id, { emit }) => ({ session: opened(id ?? `copy-${++copies}`, emit), resumed: true }),
      }),
      () => undefined,
    );
    await chat.open('first');
  });
  afterEach(() => chat.dispose());

  it('is stopped and told while the chat shows it', async () => {
    const rewound = rewoundSession(chat, 'first');
    assert.equal(rewound.runs(), false);
    await chat.send({ text: 'Go', images: [] });
    await until(() => model.requests.length === 1);
    assert.equal(rewound.runs(), true);
    rewound.remind('The code went back.');
    rewound.rewound(['/w/a.ts']);
    chat.acted('undone', ['/w/b.ts']);
    await until(() => reminded.length > 2);
    assert.deepEqual(reminded, ['first: The code went back.', 'first: rewound /w/a.ts', 'first: undone /w/b.ts']);
  });

  it('leaves another alone that the chat shows since', async () => {
    const rewound = rewoundSession(chat, 'first');
    await chat.open('second');
    await chat.send({ text: 'Go', images: [] });
    await until(() => model.requests.length === 1);
    assert.equal(rewound.runs(), false);
    rewound.remind('The code went back.');
    rewound.rewound(['/w/a.ts']);
    // Reported in the same order.
    chat.remind('A later word.');
    await until(() => reminded.length > 0);
    assert.deepEqual(reminded, ['second: A later word.']);
  });

  it('is the copy where the conversation went back too', async () => {
    const rewound = rewoundSession(chat, 'first');
    await chat.fork();
    await rewound.forked();
    rewound.remind('The code came back.');
    await until(() => reminded.length > 0);
    assert.deepEqual(reminded, ['copy-1: The code came back.']);
  });
});
