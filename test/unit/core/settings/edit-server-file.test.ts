// MCP servers written into files: what changes in the text, what is refused, and what a form makes of typed words.
import assert from 'node:assert/strict';
import { quotedWord, splitWords } from '../../../../src/core/text/split-words';
import { type SettingsEdit } from '../../../../src/core/settings/edit-settings';
import { addServer, removeServer, takeName } from '../../../../src/core/settings/edit-server-file';
import { newServerEntry } from '../../../../src/core/mcp/new-server';
import { saveEdit } from '../../../../src/core/settings/save-update';
import { createMemoryFiles } from '../../../support/memory-files';

const entry = { command: 'npx', args: ['-y', 'x'] };
const textOf = (edit: SettingsEdit): string =>
  edit.outcome === 'changed' ? edit.text : assert.fail(JSON.stringify(edit));
const refusal = (edit: SettingsEdit): string =>
  edit.outcome === 'refused' ? edit.message : assert.fail(JSON.stringify(edit));

describe('a file that names MCP servers', () => {
  it('is made where there is none', () => {
    assert.deepEqual(JSON.parse(textOf(addServer('', [], 'a', entry))), { mcpServers: { a: entry } });
  });

  it('keeps comments, order and everything beside the server', () => {
    const before =
      '{\n  // ours\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    } // first\n  },\n  "z": 1\n}\n';
    const after = textOf(addServer(before, [], 'a', { command: 'a' }));
    assert.equal(
      after,
      '{\n  // ours\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    },\n    "a": {\n      "command": "a"\n    } // first\n  },\n  "z": 1\n}\n',
    );
    assert.match(textOf(removeServer(after, [], 'b')), /^\{\n {2}\/\/ ours\n {2}"mcpServers": \{\n {4}"a"/);
  });

  it('of another program is changed at one path only', () => {
    const others = {
      numStartups: 12,
      projects: { '/w': { allowedTools: ['x'], history: ['a'] }, '/v': { mcpServers: { q: entry } } },
    };
    const after = textOf(addServer(JSON.stringify(others, undefined, 2), ['projects', '/w'], 'a', entry));
    assert.deepEqual(JSON.parse(after), {
      ...others,
      projects: { ...others.projects, '/w': { ...others.projects['/w'], mcpServers: { a: entry } } },
    });
    assert.deepEqual(
      JSON.parse(textOf(removeServer(after, ['projects', '/w'], 'a'))).projects['/v'],
      others.projects['/v'],
    );
  });

  it('is left alone where it does not parse, has the name already, or has a thing twice', () => {
    assert.equal(refusal(addServer('{ "mcpServers": ', [], 'a', entry)), 'it is not valid JSON');
    assert.equal(refusal(addServer('{ "mcpServers": { "a": {} } }', [], 'a', entry)), 'it already has a server “a”');
    assert.equal(
      refusal(addServer('{ "mcpServers": {}, "mcpServers": {} }', [], 'a', entry)),
      'it has `mcpServers` twice',
    );
    assert.equal(
      refusal(addServer('{ "projects": [] }', ['projects', '/w'], 'a', entry)),
      'its `projects` is not an object',
    );
    assert.equal(removeServer('{}', [], 'a').outcome, 'same');
  });

  it('takes a name out of a list', () => {
    const before = '{ "disabledMcpjsonServers": ["a", "b"], "model": "x" }';
    assert.deepEqual(JSON.parse(textOf(takeName(before, 'disabledMcpjsonServers', 'a'))), {
      disabledMcpjsonServers: ['b'],
      model: 'x',
    });
    assert.equal(takeName(before, 'disabledMcpjsonServers', 'c').outcome, 'same');
    assert.equal(
      refusal(takeName('{ "disabledMcpjsonServers": {} }', 'disabledMcpjsonServers', 'a')),
      'its `disabledMcpjsonServers` is not a list',
    );
  });

  it('keeps what another program writes into it at the same moment', async () => {
    const files = createMemoryFiles({ '/h/.claude.json': '{ "n": 1 }' });
    let first = true;
    const writeText: typeof files.writeText = async (change) => {
      if (first) await files.writeText({ path: change.path, base: change.base, text: '{ "n": 2 }', approved: true });
      first = false;
      return files.writeText(change);
    };
    const saved = await saveEdit(
      (text) => addServer(text, [], 'a', entry),
      { file: '/h/.claude.json' },
      { ...files, writeText },
    );
    assert.deepEqual(saved, { saved: true });
    const read = await files.readText('/h/.claude.json', 1_000);
    assert.deepEqual(JSON.parse(read.outcome === 'read' ? read.file.text : ''), { n: 2, mcpServers: { a: entry } });
  });
});

describe('the form for a new MCP server', () => {
  const made = (kind: 'command' | 'url', target: string, name = 'a') =>
    newServerEntry({ name, kind, target, scope: 'local' });

  it('takes a command line apart as it was meant', () => {
    assert.deepEqual(made('command', String.raw`npx -y "a b" 'c "d"' C:\x\y --e=""`), {
      ok: true,
      name: 'a',
      entry: { type: 'stdio', command: 'npx', args: ['-y', 'a b', 'c "d"', String.raw`C:\x\y`, '--e='] },
    });
    for (const words of [['a b', "it's", '', '"', String.raw`a\"b`, String.raw`\\' x`], ['x']])
      assert.deepEqual(splitWords(words.map(quotedWord).join(' ')), words);
  });

  it('says what is missing', () => {
    const problems: [ReturnType<typeof made>, RegExp][] = [
      [made('command', ''), /Enter the command/],
      [made('command', 'npx "a'), /quote/],
      [made('command', 'https://a.example/mcp'), /kind “URL”/],
      [made('url', 'a.example'), /complete URL/],
      [made('url', 'file:///etc'), /https:\/\//],
      [made('url', 'https://me:secret@a.example/'), /password/],
      [made('command', 'x', ''), /a name/],
      [made('command', 'x', 'a b'), /only letters/],
      [made('command', 'x', 'ide'), /reserved/],
    ];
    for (const [result, words] of problems) assert.match(result.ok ? '' : result.problem, words);
  });
});
