// A session whose call waited for the user when its window went away: opening it asks them again; a copy of it waits until they want it to.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { forkRecords } from '../../../../src/core/sessions/fork-records';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { askingTool } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

describe('a chat whose call waited when its window went away', () => {
  let chat: Chat;
  let harness: Harness;
  let model: ScriptedModel;
  let notified: string[];
  const begin = (records: SessionRecord[] = []): void => {
    notified = [];
    const openSession: ChatServices['openSession'] = async (_id, { emit, approver, copy }) => {
      const start = copy?.('session-1') ?? records;
      const tools = [askingTool('Act')];
      harness = createHarness({ model, tools, onEvent: emit, records: start, ports: { approver } });
      return { session: harness.session, resumed: start.length > 0 };
    };
    const notify: ChatServices['notify'] = (event) => void notified.push(event);
    chat = new Chat(quietChatServices({ openSession, notify }), () => undefined);
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  const waits = (): boolean => chat.poster.state.approvals.length === 1;
  const notices = () => chat.poster.state.items.flatMap((item) => (item.kind === 'notice' ? [item] : []));

  /** A window that goes away while the user looks at the approval of a call. */
  beforeEach(async () => {
    model = createScriptedModel([reply(toolUse('Act', {}, 't1')), reply('Acted.')]);
    begin();
    await chat.send({ text: 'Go', images: [] });
    await until(waits);
    await chat.dispose();
  });
  afterEach(async () => {
    await chat.dispose();
    assert.deepEqual(model.violations, []);
  });

  it('shows the card again as it opens, and goes on with the answer', async () => {
    begin(harness.stored());
    await chat.open('session-1');
    await until(waits);
    assert.deepEqual([chat.poster.state.status, notices(), notified], ['waiting', [], ['approval']]);
    assert.equal(model.requests.length, 1, 'nothing was sent for it');
    assert.ok(await chat.approvals.decide(chat.approvals.requests[0]?.id ?? '', { behavior: 'accept' }));
    await until(() => !chat.running);
    assert.deepEqual(
      chat.poster.state.items.map((item) => (item.kind === 'tool' ? item.state : item.kind)),
      ['user', 'done', 'text'],
    );
    assert.equal(model.requests.length, 2);
  });

  it('asks in a copy only once the user continues there', async () => {
    const records = harness.stored();
    begin();
    await chat.openCopy({ records: (id) => forkRecords(records, id) });
    assert.deepEqual(
      notices().map(({ title, action }) => [title, action]),
      [['A call waits for you in the original.', { label: 'Continue', command: 'retry' }]],
    );
    assert.deepEqual([chat.running, chat.poster.state.approvals], [false, []]);
    await chat.resume();
    await until(waits);
    assert.equal(notices()[0]?.action, undefined, 'the button was used');
    assert.equal(model.requests.length, 1);
  });
});
