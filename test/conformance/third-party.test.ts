// Packages of others that spawn the public tool, with Deft in its place: one whole flow each, with a call, streamed text and a permission.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type AcpEditor, startAcpEditor } from '../support/acp-editor';
import { headlessBundle, type HeadlessPlace } from '../support/headless-run';
import { withHeadlessPlace } from '../support/headless-suite';
import { reply, toolUse } from '../support/messages-api/script';
import { type MessagesApi } from '../support/messages-api/server';
import { installPrograms, programFile } from './programs';

describe('programs of others', function () {
  this.timeout(240_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  before(() => void installPrograms());
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const answer = 'It is written. '.repeat(20).trim();
  const file = (name: string): string => path.join(place.workspace, name);
  const script = () =>
    server.setScript([
      reply(toolUse('Bash', { command: 'touch by-command.txt' })),
      reply(toolUse('Write', { file_path: file('by-tool.txt'), content: 'x\n' })),
      reply(answer),
    ]);
  const written = (): boolean[] => ['by-command.txt', 'by-tool.txt'].map((name) => existsSync(file(name)));

  it("the Vercel AI SDK's provider streams, and decides on calls", async () => {
    script();
    const end = await place.run([await headlessBundle()], {
      url: server.url,
      script: programFile('vercel-provider.mjs'),
    });
    assert.equal(end.code, 0, end.stderr);
    const { asked, parts } = JSON.parse(end.stdout) as { asked: string[]; parts: Part[] };
    assert.deepEqual(asked, ['Bash', 'Write']);
    assert.deepEqual(written(), [false, true]);
    const texts = parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : []));
    assert.equal(texts.join(''), answer);
    assert.ok(texts.length > 1, 'the text is streamed');
    const results = parts.filter(({ type }) => type === 'tool-result');
    assert.deepEqual(
      results.map(({ toolName, isError = false }) => [toolName, isError]),
      [
        ['Bash', true],
        ['Write', false],
      ],
    );
    assert.equal(parts.at(-1)?.type, 'finish');
    assert.deepEqual(
      parts.filter(({ type }) => type === 'error'),
      [],
    );
  });

  it('the SDK reads the session that /share has written, as one of its own', async () => {
    await mkdir(path.join(place.home, '.claude'));
    server.setScript([
      reply(toolUse('Bash', { command: 'echo found' }), toolUse('Read', { file_path: file('none.txt') })),
      reply(answer),
    ]);
    const run = (...args: string[]) => place.run(['--output-format', 'json', ...args], { url: server.url });
    const first = await run('-p', 'Where is it?', '--allowedTools', 'Bash', '--name', 'The search');
    const { session_id: own } = JSON.parse(first.stdout) as { session_id: string };
    const shared = await run('-p', '/share', '--resume', own);
    const [, id = ''] = /--resume ([0-9a-f-]{36})/.exec(shared.stdout) ?? assert.fail(shared.stdout);
    const end = await place.run([id], { script: programFile('read-session.mjs') });
    assert.equal(end.code, 0, end.stderr);
    const { info, messages, listed } = JSON.parse(end.stdout) as Seen;
    assert.deepEqual(listed, [id]);
    assert.deepEqual([info.customTitle, info.firstPrompt, info.cwd], ['The search', 'Where is it?', place.workspace]);
    assert.deepEqual(
      messages.map(({ type, message: { content } }) =>
        typeof content === 'string' ? `${type}: ${content}` : `${type}: ${content.map((block) => block.type).join()}`,
      ),
      [
        'user: Where is it?',
        'assistant: tool_use',
        'assistant: tool_use',
        'user: tool_result',
        'user: tool_result',
        'assistant: text',
      ],
    );
  });

  it("Zed's adapter for the Agent Client Protocol streams, asks its editor, and goes on in the same session", async () => {
    script();
    const editor: AcpEditor = await startAcpEditor(place, {
      url: server.url,
      script: programFile('node_modules/@zed-industries/claude-agent-acp/dist/index.js'),
      env: { CLAUDE_CODE_EXECUTABLE: await headlessBundle() },
      choose: ({ toolCall, options }) =>
        options.find(({ kind }) => kind === (/touch/.test(toolCall.title ?? '') ? 'reject_once' : 'allow_once'))
          ?.optionId,
    });
    try {
      const { sessionId, modes } = await editor.agent.request('session/new', { cwd: place.workspace, mcpServers: [] });
      assert.equal(modes?.currentModeId, 'default');
      const ask = (text: string) =>
        editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      assert.equal((await ask('Write it')).stopReason, 'end_turn');
      assert.equal(editor.asked.length, 2);
      assert.deepEqual(written(), [false, true]);
      assert.equal(editor.said(), answer);
      assert.ok(editor.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk').length > 1);
      server.setScript([reply('Still here.')]);
      assert.equal((await ask('And now?')).stopReason, 'end_turn');
      assert.equal(editor.said(), 'Still here.');
      assert.match(JSON.stringify(server.requests.at(-1)?.body['messages']), /Write it[\s\S]*And now\?/);
    } finally {
      // It stays when its input ends.
      editor.run.child.kill();
      await editor.run.ended;
      editor.connection.close();
    }
  });
});

interface Seen {
  info: { customTitle?: string; firstPrompt?: string; cwd?: string };
  messages: { type: string; message: { content: string | { type: string }[] } }[];
  listed: string[];
}

interface Part {
  type: string;
  delta: string;
  toolName?: string;
  isError?: boolean;
}
