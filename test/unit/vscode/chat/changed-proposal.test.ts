// What the user makes of an edit that waits: the card of the approval shows it, in the chat that asked, and no credential in it.
import assert from 'node:assert/strict';
import { diffTexts } from '../../../../src/core/edits/diff-hunks';
import { diffView } from '../../../../src/core/edits/diff-view';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { askingTool } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const key = 'sk-of-the-user-0123456789';
const viewOf = (text: string) => diffView('/w/a.txt', false, diffTexts('one\n', text));

describe('a proposal that the user changes', () => {
  it('is shown as it stands now, without credentials, until it is decided', async () => {
    const edit = askingTool('Act', {
      preview: async () => ({ view: viewOf('two\n'), proposal: { path: '/w/a.txt', base: undefined, text: 'two\n' } }),
    });
    const model = createScriptedModel([reply(toolUse('Act', {})), reply('Done.')]);
    const chat = new Chat(
      quietChatServices({
        openSession: async (_id, { emit, approver }) => ({
          session: createHarness({
            model,
            tools: [edit],
            onEvent: emit,
            ports: { approver },
            session: { secrets: () => [key] },
          }).session,
          resumed: false,
        }),
      }),
      () => undefined,
    );
    const sent = chat.send({ text: 'Go', images: [] });
    while (chat.approvals.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const requestId = chat.approvals.requests[0]?.id ?? '';
    const card = () =>
      chat.poster.state.approvals.map(({ view, changed }) => [
        view.kind === 'diff' && view.hunks.flatMap(({ lines }) => lines).at(-1),
        changed,
      ]);
    assert.deepEqual(card(), [['+two', undefined]]);
    await chat.proposalChanged({ requestId: 'of another chat', view: viewOf('three\n'), byUser: true });
    assert.deepEqual(card(), [['+two', undefined]]);
    await chat.proposalChanged({ requestId, view: viewOf(`three ${key}\n`), byUser: true });
    assert.match(String(card()[0]?.[0]), /^\+three /);
    assert.equal(JSON.stringify(chat.poster.state).includes(key), false);
    assert.equal(card()[0]?.[1], true);
    await chat.approvals.decide(requestId, { behavior: 'accept' });
    await sent;
    await chat.dispose();
  });
});
