// A message that cannot be sent is never lost: a full disk, a server that reports nothing, a session that is only shown.
import assert from 'node:assert/strict';
import fs, { mkdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Prompt } from '../../../../src/core/events/steering-queue';
import { readClaudeCode } from '../../../../src/core/external-sessions/claude-code';
import { type McpServers, type McpServerStatus } from '../../../../src/core/ports/mcp';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { claudeCodeLog } from '../../../support/external-logs';
import { createManualClock } from '../../../support/manual-clock';
import { reply } from '../../../support/messages-api/script';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const image = { name: 'a', mediaType: 'image/png', data: 'aGk=' };
const docs = (own: Partial<McpServers>): McpServers =>
  ({ list: () => [{ entry: { name: 'docs' } }] as unknown as McpServerStatus[], ...own }) as McpServers;

describe('a message that cannot be sent', () => {
  let chat: Chat;
  let back: Prompt[];
  let model: ScriptedModel;
  const begin = (own: Partial<ChatServices> = {}): void => {
    back = [];
    model = createScriptedModel([reply('Here.')]);
    const openSession: ChatServices['openSession'] = async (_id, { emit }) => ({
      session: createHarness({ model, onEvent: emit }).session,
      resumed: false,
    });
    chat = new Chat(
      quietChatServices({ openSession, unsent: (prompt) => void back.push(prompt), ...own }),
      () => undefined,
    );
  };
  const notices = (): { title: string; detail: string }[] =>
    chat.poster.state.items.flatMap((item) => (item.kind === 'notice' ? [item] : []));
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  afterEach(() => chat.dispose());

  describe('for the disk is full', () => {
    const root = path.join(tmpdir(), 'deft-full-disk', 'sessions');
    const replaceMkdir = (own: typeof mkdir): void => {
      fs.mkdir = own;
      syncBuiltinESMExports();
    };
    const original = mkdir;
    before(() => {
      const refusing = async (...asked: Parameters<typeof mkdir>): Promise<string | undefined> => {
        if (asked[0] === root)
          throw Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' });
        return original(...asked);
      };
      replaceMkdir(refusing as typeof mkdir);
    });
    after(() => replaceMkdir(original));
    beforeEach(() =>
      begin({
        openSession: async () =>
          createJsonlSessionStore(root)
            .create('one')
            .then(() => assert.fail('the disk is full')),
      }),
    );

    it('is back in the composer with its images, and the user reads why', async () => {
      await chat.send({ text: 'A long thought', images: [image] });
      assert.deepEqual(
        back.map(({ display }) => [display.text, display.images]),
        [['A long thought', 1]],
      );
      assert.equal(notices()[0]?.title, 'Your message was not sent.');
      assert.match(
        notices()[0]?.detail ?? '',
        /^The session cannot be opened\. No space is left on the disk: .* was not written\. It is back in the composer: send it again/,
      );
    });

    it('comes back as it was typed, not as what a server made of it', async () => {
      await chat.send({ text: 'The words of the server', typed: '/mcp__docs__ask', mentionsIn: '', images: [] });
      await chat.send({ text: 'Long words of Deft', shownAs: '/init', images: [] });
      assert.deepEqual(
        back.map(({ display }) => display.text),
        ['/mcp__docs__ask', '/init'],
      );
    });
  });

  it('goes without what a server does not tell in half a minute, and the model is told so', async () => {
    const clock = createManualClock('manual');
    const readResource: McpServers['readResource'] = (_server, _uri, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError'))),
      );
    begin({ clock, servers: () => docs({ readResource }) });
    const sent = chat.send({ text: 'What does @docs:res://slow say?', images: [] });
    await clock.sleeping(1);
    clock.advance(30_000);
    await sent;
    await until(() => model.requests.length === 1 && !chat.running);
    assert.match(
      JSON.stringify(model.requests[0]?.messages),
      /The MCP server docs was asked for res:\/\/slow, and did not answer within 30 seconds\..*What does @docs:res:\/\/slow say\?/,
    );
    assert.deepEqual([back, notices()], [[], []]);
  });

  it('goes without what a server fails to tell, and leaves nothing that waits', async () => {
    const clock = createManualClock('manual');
    let during: AbortSignal | undefined;
    begin({
      clock,
      servers: () =>
        docs({
          readResource: async (_server, _uri, signal) => ((during = signal), Promise.reject(new Error('It hung up.'))),
        }),
    });
    await chat.send({ text: 'Read @docs:res://gone', images: [] });
    await until(() => model.requests.length === 1 && !chat.running);
    assert.match(JSON.stringify(model.requests[0]?.messages), /did not answer: It hung up\./);
    assert.equal(during?.aborted, true);
  });

  it('is back where a session is only shown, and the user reads what to do', async () => {
    begin();
    const log = claudeCodeLog();
    log.prompt('Look');
    await chat.view(readClaudeCode(log.text().split('\n')));
    await chat.send({ text: 'And now?', images: [image] });
    assert.deepEqual(
      back.map(({ display }) => [display.text, display.images]),
      [['And now?', 1]],
    );
    assert.deepEqual(
      notices().map(({ title }) => title),
      ['This session is shown read-only.'],
    );
    assert.equal(model.requests.length, 0);
  });
});
