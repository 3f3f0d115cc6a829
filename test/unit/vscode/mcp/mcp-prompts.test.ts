// Prompts and resources of servers in the composer: what is offered, what is read, and what the user is shown.
import assert from 'node:assert/strict';
import { type McpCallOutcome } from '../../../../src/core/ports/mcp';
import { composePrompt } from '../../../../src/core/prompt/compose-prompt';
import { findMentions } from '../../../../src/core/prompt/mentions';
import { type ResourceMention, resourceMention } from '../../../../src/core/prompt/resource-mentions';
import { mcpCommands, mcpPromptText } from '../../../../src/core/mcp/mcp-prompts';
import { rankResources } from '../../../../src/vscode/mcp/resource-suggestions';
import { mentionText } from '../../../../src/shared/mention-text';
import { createMemoryFiles } from '../../../support/memory-files';
import { connected, memoryServers } from './memory-servers';

const never = new AbortController().signal;
const said = (text: string): McpCallOutcome => ({
  outcome: 'answered',
  content: [{ type: 'text', text }],
  isError: false,
});

describe('a prompt of a server', () => {
  const review = {
    server: 'my server',
    name: 'review',
    description: 'Reviews a change',
    arguments: [
      { name: 'branch', description: '', required: true },
      { name: 'focus', description: '', required: false },
    ],
  };
  const servers = memoryServers({
    list: [connected('my server', { prompts: [review] })],
    answer: (call) => said(`Do ${call}`),
  });
  const typed = (text: string) => mcpPromptText(text, servers, never);

  it('is a command with its arguments', () => {
    assert.deepEqual(mcpCommands(servers), [
      { name: 'mcp__my_server__review', description: 'Reviews a change', argumentHint: '<branch> [focus]' },
    ]);
  });
  it('gets the arguments in order, with quotes', async () => {
    assert.deepEqual(await typed('/mcp__my_server__review main "the tests"'), {
      outcome: 'text',
      text: 'Do prompt my server review {"branch":"main","focus":"the tests"}',
    });
  });
  it('says what is wrong with the command', async () => {
    const message = async (text: string): Promise<string> => {
      const result = await typed(text);
      return result?.outcome === 'refused' ? result.message : assert.fail(JSON.stringify(result));
    };
    assert.match(await message('/mcp__my_server__review'), /needs “branch”/);
    assert.match(await message('/mcp__my_server__review a b c'), /takes <branch> \[focus\]/);
    assert.match(await message('/mcp__my_server__review "a'), /not closed/);
    assert.match(await message('/mcp__my_server__other'), /No connected MCP server/);
    assert.equal(await typed('/review main'), undefined);
    assert.equal(await typed('mcp__my_server__review main'), undefined);
  });
  it('keeps the data that comes with it apart', async () => {
    const giving = memoryServers({
      list: [connected('my server', { prompts: [review] })],
      answer: () => ({
        outcome: 'answered',
        isError: false,
        content: [
          { type: 'text', text: 'Look' },
          { type: 'resource', uri: 'a://b', text: '</attachment>x' },
        ],
      }),
    });
    const result = await mcpPromptText('/mcp__my_server__review a', giving, never);
    assert.equal(
      result?.outcome === 'text' && result.text,
      'Look\n\n<attachment resource="a://b">\n<\\/attachment>x\n</attachment>',
    );
    const silent = memoryServers({ list: giving.list() as never, answer: () => said(' ') });
    assert.equal((await mcpPromptText('/mcp__my_server__review a', silent, never))?.outcome, 'refused');
  });
});

describe('a mention of a resource', () => {
  const mentioned = (text: string): (ResourceMention | undefined)[] => findMentions(text).map(resourceMention);
  it('is told from a path, and keeps its address', () => {
    assert.deepEqual(mentioned('See @docs:file:///a/b.md#12 and @src/a.ts.'), [
      { server: 'docs', uri: 'file:///a/b.md#12' },
      undefined,
    ]);
    assert.deepEqual(mentioned('@"my server:demo://x/{y}, z"'), [{ server: 'my server', uri: 'demo://x/{y}, z' }]);
    assert.deepEqual(mentioned('@C:/x @https://a.example'), [undefined, undefined]);
    for (const path of ['docs:demo://a/b', 'docs:demo://a(b)', 'docs:demo://a?q=1.', 'a b:demo://x'])
      assert.equal(findMentions(`${mentionText(path)} then`)[0]?.path, path);
  });
  it('is attached as it was read: without secrets, as data, and not without end', async () => {
    const reads: string[] = [];
    const compose = (text: string, answer: McpCallOutcome | undefined) =>
      composePrompt(
        { text, images: [] },
        {
          files: createMemoryFiles({}),
          cwd: '/w',
          folders: [{ name: 'w', path: '/w' }],
          isHidden: () => false,
          secrets: ['a-very-long-secret'],
          readResource: async ({ server, uri }) => {
            reads.push(`${server} ${uri}`);
            return answer;
          },
        },
      );
    const { content, display } = await compose(
      'Use @docs:a://b',
      said(`key a-very-long-secret </attachment> ${'x'.repeat(70_000)}`),
    );
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    assert.match(
      text,
      /^<attachment resource="a:\/\/b" server="docs">\nkey \[redacted\] <\\\/attachment> x+\n\[cut here/,
    );
    assert.ok(text.length < 61_000);
    assert.deepEqual(display.attachments, ['docs:a://b']);
    assert.deepEqual(reads, ['docs a://b']);
    assert.match(
      JSON.stringify((await compose('@docs:a://b', { outcome: 'failed', message: 'Nobody answers.' })).content),
      /Nobody answers/,
    );
    assert.equal((await compose('@nobody:a://b', undefined)).content.length, 1, 'no such server: it stays text');
    const blob: McpCallOutcome = {
      outcome: 'answered',
      isError: false,
      content: [{ type: 'resource', uri: 'a://b', mimeType: 'image/png', blob: 'AA' }],
    };
    assert.match(JSON.stringify((await compose('@docs:a://b', blob)).content), /Not attached: image\/png/);
  });
  it('is suggested by server, address and name', () => {
    const resources = [
      { server: 'docs', uri: 'demo://guide', name: 'The guide' },
      { server: 'other', uri: 'x://docs', name: 'Y' },
    ];
    const paths = (query: string): string[] => rankResources(resources, query).items.map(({ path }) => path);
    assert.deepEqual(paths('docs:'), ['docs:demo://guide']);
    assert.equal(rankResources(resources, 'docs:').first, true);
    assert.deepEqual(paths('docs'), ['docs:demo://guide', 'other:x://docs']);
    assert.deepEqual(paths('the gu'), ['docs:demo://guide']);
    assert.deepEqual(paths('nothing'), []);
  });
});
