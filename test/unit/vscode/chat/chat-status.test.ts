// What a chat says it does, where an agent in the background asks while the lead's turn is over, or several wait at once.
import assert from 'node:assert/strict';
import { type SessionEvent } from '../../../../src/core/events/session-event';
import { type ApprovalRequest } from '../../../../src/core/ports/approver';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { quietChatServices } from '../../../support/quiet-chat';
import { gate, reply, text } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('the status of a chat', () => {
  let chat: Chat;
  let emit: (event: SessionEvent) => void;
  let goOn: () => void;
  let asked: number;
  const request = (id: string): ApprovalRequest => ({
    id,
    toolUseId: `t-${id}`,
    toolName: 'Bash',
    title: 'Run it',
    reason: '',
    suggestions: [],
    view: { kind: 'json', text: '{}' },
  });
  const status = (): string => chat.poster.state.status;
  const question = {
    id: 'q',
    toolUseId: 't-q',
    questions: [{ question: 'Which?', header: 'Which', options: [], multiSelect: false }],
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };

  beforeEach(async () => {
    asked = 0;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const model = createScriptedModel([reply(text('Half', gate(held), ' and whole'))]);
    chat = new Chat(
      quietChatServices({
        openSession: async (_id, connection) => {
          emit = connection.emit;
          return {
            session: createHarness({
              model,
              onEvent: (event) => ((asked += event.type === 'block_delta' ? 1 : 0), connection.emit(event)),
            }).session,
            resumed: false,
          };
        },
      }),
      () => undefined,
    );
    await chat.session();
  });
  afterEach(() => {
    goOn();
    return chat.dispose();
  });

  it('is idle again when an agent that asked beside it has its answer', () => {
    emit({ type: 'approval_asked', request: request('a') });
    assert.equal(status(), 'waiting');
    emit({ type: 'approval_settled', requestId: 'a' });
    assert.equal(status(), 'idle');
  });

  it('works on where the turn still runs', async () => {
    await chat.send({ text: 'Go', images: [] });
    await until(() => asked > 0);
    emit({ type: 'approval_asked', request: request('a') });
    emit({ type: 'approval_settled', requestId: 'a' });
    assert.equal(status(), 'working');
  });

  it('waits as long as anything waits, whatever was asked', async () => {
    emit({ type: 'approval_asked', request: request('a') });
    const answers = chat.questions.askQuestions(question, new AbortController().signal);
    emit({ type: 'approval_settled', requestId: 'a' });
    assert.equal(status(), 'waiting');
    emit({ type: 'approval_asked', request: request('b') });
    chat.questions.answer(chat.questions.requests[0]?.id ?? '', { behavior: 'wrote' });
    await answers;
    assert.equal(status(), 'waiting');
    emit({ type: 'approval_settled', requestId: 'b' });
    assert.equal(status(), 'idle');
  });
});
