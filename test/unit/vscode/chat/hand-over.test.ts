// One session and two windows: one that nobody sees any more lets go of it, and any other where the user takes it over.
import assert from 'node:assert/strict';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { createSystemClock } from '../../../../src/node/system-clock';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { openWhenFree } from '../../../../src/vscode/session/open-when-free';
import { askingTool } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { makeTree, type Tree } from '../../node/search-tree';

describe('a session in two windows', function () {
  // The holder looks twice a second, and a lock is waited for.
  this.timeout(60_000);
  let place: Tree;
  let model: ScriptedModel;
  let first: Chat;
  let second: Chat;
  let firstAnswers: boolean;
  const windowOf = (windowAnswers: () => Promise<boolean>): Chat => {
    const store = createJsonlSessionStore(place.root);
    const openSession: ChatServices['openSession'] = async (id, { emit, approver, takesOver }) => {
      const wish = takesOver === true ? 'taken-over' : 'unless-seen';
      const opened =
        id === undefined
          ? { log: await store.create('s'), records: [] }
          : await openWhenFree(id, store, createSystemClock(), wish);
      if (opened === undefined) return undefined;
      const { log, records } = opened;
      const tools = [askingTool('Act')];
      const harness = createHarness({ model, tools, onEvent: emit, records, ports: { approver }, session: { log } });
      return { session: harness.session, resumed: records.length > 0 };
    };
    const followOwn: ChatServices['followOwn'] = (id, follower) => store.follow?.(id, follower) ?? assert.fail();
    return new Chat(quietChatServices({ openSession, followOwn, windowAnswers }), () => undefined);
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const waits = (chat: Chat): boolean => chat.poster.state.approvals.length === 1;

  /** The first window asks its user about a call. */
  beforeEach(async () => {
    place = await makeTree({});
    model = createScriptedModel([reply(toolUse('Act', {}, 't1')), reply('Acted.')]);
    firstAnswers = true;
    first = windowOf(async () => firstAnswers);
    second = windowOf(async () => true);
    await first.send({ text: 'Go', images: [] });
    await until(() => waits(first));
  });
  afterEach(async () => {
    await first.dispose();
    await second.dispose();
    await place.remove();
    assert.deepEqual(model.violations, []);
  });

  const accepted = async (): Promise<void> => {
    await until(() => waits(second));
    await second.approvals.decide(second.approvals.requests[0]?.id ?? '', { behavior: 'accept' });
    await until(() => !second.running);
    assert.deepEqual(
      second.poster.state.items.map((item) => (item.kind === 'tool' ? item.state : item.kind)),
      ['user', 'done', 'text'],
    );
    assert.equal(model.requests.length, 2, 'the second window pays for nothing twice');
    await until(() => first.readOnly);
  };

  it('stays with the one that is seen, and is taken over where the user says so: what waited there waits here', async () => {
    await second.open('s');
    assert.deepEqual([second.poster.state.external?.takeOver, first.readOnly, waits(first)], [true, false, true]);
    await second.takeOver();
    assert.equal(second.readOnly, false);
    await accepted();
    assert.equal(first.poster.state.external?.name, 'another window');
    assert.deepEqual(first.poster.state.approvals, []);
  });

  it('passes on by itself where its window does not answer: the host of a window that is gone', async () => {
    firstAnswers = false;
    await second.open('s');
    assert.equal(second.readOnly, false);
    await accepted();
  });
});
