// A chat whose workspace gets other folders: an empty session starts anew, another continues, and cards name files like the changes list.
import assert from 'node:assert/strict';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { delayed, reply, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { askingTool, safeTool } from '../../../support/fake-tools';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

describe('a chat whose workspace gets other folders', () => {
  const describe = ({ text = '' }: { text?: string | undefined }) => ({ now: `Reading ${text}`, past: `Read ${text}` });
  const tools = [safeTool('Look', { describe, detail: () => 'in /w/a.ts' }), askingTool('Act', { describe })];
  let folders: { name: string; path: string }[];
  let opened: { id: string | undefined; startSource: string; harness: Harness }[];
  let model: ScriptedModel;
  let chat: Chat;
  const begin = (script: ScriptedReply[]): void => {
    model = createScriptedModel(script);
    const openSession: ChatServices['openSession'] = async (id, { emit, approver, startSource }) => {
      const environment = {
        cwd: '/w',
        folders: folders.map(({ path }) => path),
        platform: 'linux',
        shell: 'bash',
        date: '2026-11-21',
      };
      const harness = createHarness({ model, tools, onEvent: emit, ports: { approver }, session: { environment } });
      opened.push({ id, startSource, harness });
      return { session: harness.session, resumed: false };
    };
    const registry = createToolRegistry(tools);
    const projection = (): ReturnType<ChatServices['projection']> => ({
      registry,
      get folders() {
        return folders;
      },
    });
    chat = new Chat(
      quietChatServices({
        openSession,
        projection,
        folders: () => folders,
        changes: () => [{ path: folders.length > 1 ? 'web/a.ts' : 'a.ts', added: 1, removed: 0 }],
      }),
      () => undefined,
    );
  };
  const change = async (...names: string[]): Promise<void> => {
    folders = [{ name: 'web', path: '/w' }, ...names.map((name) => ({ name, path: `/${name}` }))];
    await chat.foldersChanged();
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  const say = async (text: string): Promise<void> => {
    const { length } = model.requests;
    await chat.send({ text, images: [] });
    await until(() => model.requests.length > length && !chat.running);
  };
  const cards = (): string[] =>
    chat.poster.state.items.flatMap((item) =>
      item.kind === 'tool' ? [`${item.sentence.past} ${item.detail}`.trim()] : [],
    );

  beforeEach(() => {
    folders = [{ name: 'web', path: '/w' }];
    opened = [];
  });
  afterEach(() => chat.dispose());

  it('begins anew where nothing was said or chosen, for hooks as the window began', async () => {
    begin([reply('Here.')]);
    await chat.session();
    await change('lib');
    assert.deepEqual(
      opened.map(({ id, startSource }) => [id, startSource]),
      [
        [undefined, 'startup'],
        [undefined, 'startup'],
      ],
    );
    assert.equal(await chat.session(), opened[1]?.harness.session);
    await say('a');
    assert.match(JSON.stringify(model.requests[0]?.messages), /Workspace folders: \/w, \/lib/);
  });

  it('keeps what was chosen before anything was said', async () => {
    begin([reply('Here.')]);
    (await chat.session()).choices.setModel('claude-haiku-4-5');
    await change('lib');
    await say('a');
    assert.deepEqual([opened.length, model.requests[0]?.model], [1, 'claude-haiku-4-5']);
    assert.match(JSON.stringify(model.requests[0]?.messages), /Workspace folders: \/w, \/lib/);
  });

  it('opens none where none is open', async () => {
    begin([]);
    await change('lib');
    assert.deepEqual(opened, []);
  });

  it('goes on in a session in which something was said, whose cards name files as they are called now', async () => {
    begin([
      reply(toolUse('Look', { text: '/w/a.ts' })),
      reply('One.'),
      reply(toolUse('Look', { text: '/lib/b.ts' })),
      reply('Two.'),
    ]);
    await chat.open(undefined);
    await say('a');
    assert.deepEqual(cards(), ['Read a.ts in /w/a.ts']);
    const { items } = chat.poster.state;
    await change('lib');
    assert.deepEqual(
      [cards(), chat.poster.state.changes.map(({ path }) => path)],
      [['Read web/a.ts in /w/a.ts'], ['web/a.ts']],
    );
    await say('b');
    assert.deepEqual(cards(), ['Read web/a.ts in /w/a.ts', 'Read lib/b.ts in /w/a.ts']);
    assert.match(JSON.stringify(model.requests[2]?.messages), /added to the workspace: \/lib/);
    await change();
    assert.deepEqual([cards()[0], opened.length], ['Read a.ts in /w/a.ts', 1]);
    assert.deepEqual(chat.poster.state.items.slice(0, items.length), items, 'nothing else of them is another');
  });

  it('lets a turn that runs go on, with its card and its question', async () => {
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    begin([reply(toolUse('Act', { text: '/w/a.ts' })), delayed(reply('One.'), held)]);
    await chat.open(undefined);
    await chat.send({ text: 'a', images: [] });
    await until(() => chat.approvals.requests.length === 1);
    await change('lib');
    assert.deepEqual(
      [cards(), chat.approvals.requests.length, chat.running, opened.length],
      [['Read web/a.ts'], 1, true, 1],
    );
    const [card] = chat.poster.state.items.flatMap((item) => (item.kind === 'tool' ? [item] : []));
    assert.notEqual(card?.state, 'stopped');
    await chat.approvals.decide(chat.approvals.requests[0]?.id ?? '', { behavior: 'accept' });
    end();
    await until(() => !chat.running);
    assert.match(JSON.stringify(model.requests[1]?.messages), /Workspace folders now: \/w, \/lib/);
  });
});
