// /import: what Codex and Gemini have, as what Deft reads; shown first, and never over what is there.
import assert from 'node:assert/strict';
import { importItem } from '../../../../src/core/imports/import-picked';
import { importedWords } from '../../../../src/core/imports/import-words';
import { codexCommand, geminiCommand } from '../../../../src/core/imports/convert-command';
import { serverEntry } from '../../../../src/core/imports/convert-server';
import { findImportable } from '../../../../src/core/imports/find-importable';
import { createMemoryFiles, type MemoryEntry } from '../../../support/memory-files';

async function find(entries: Record<string, MemoryEntry>, { trusted = true, refuses = [] as string[] } = {}) {
  const files = createMemoryFiles(entries);
  const found = await findImportable({
    files,
    codex: '/h/.codex',
    gemini: '/h/.gemini',
    personal: '/h/.claude',
    servers: '/h/.claude.json',
    project: trusted ? '/w' : undefined,
    check: async (file) => (refuses.includes(file) ? 'It is not read: a deny rule blocks it.' : undefined),
  });
  return { files, ...found };
}

describe('what can be imported', () => {
  const everything = {
    '/h/.codex/AGENTS.md': 'Use tabs.\n',
    '/h/.codex/config.toml':
      '[mcp_servers.docs]\ncommand = "docs"\nargs = ["-x"]\n[mcp_servers.docs.env]\nA = "1"\n[mcp_servers.off]\ncommand = "off"\nenabled = false\n',
    '/h/.codex/prompts/fix.md': 'Fix $1 and $ARGUMENTS with !`rm -rf x`\n',
    '/h/.gemini/GEMINI.md': 'Be kind.\n',
    '/h/.gemini/settings.json':
      '{"mcpServers":{"docs":{"command":"other"},"web":{"httpUrl":"https://e.test/mcp","headers":{"X":"y"}}}}',
    '/h/.gemini/commands/git/commit.toml':
      'description = "Commits"\nprompt = """Commit {{args}}\nNow: !{git status}\nSee @{docs/a.md}"""\n',
    '/w/GEMINI.md': 'Of the project.\n',
    '/w/AGENTS.md': 'Agents.\n',
    '/w/.gemini/settings.json': '{"mcpServers":{"own":{"url":"https://e.test/sse"}}}',
  };

  it('is found with where it would go, and what is left out with why', async () => {
    const { items, left } = await find(everything);
    assert.deepEqual(
      items.map(({ kind, from, to, inside }) => [kind, from, to, inside]),
      [
        ['instructions', '/h/.codex/AGENTS.md', '/h/.claude/CLAUDE.md', undefined],
        ['instructions', '/h/.gemini/GEMINI.md', '/h/.claude/CLAUDE.md', undefined],
        ['server', '/h/.codex/config.toml', '/h/.claude.json', undefined],
        ['server', '/h/.gemini/settings.json', '/h/.claude.json', undefined],
        ['command', '/h/.codex/prompts/fix.md', '/h/.claude/commands/fix.md', undefined],
        ['command', '/h/.gemini/commands/git/commit.toml', '/h/.claude/commands/git/commit.md', undefined],
        ['server', '/w/.gemini/settings.json', '/w/.mcp.json', '/w'],
        ['instructions', '/w/GEMINI.md', '/w/CLAUDE.md', '/w'],
      ],
    );
    assert.match(left.join('\n'), /off.*switched off[^]*docs.*already[^]*AGENTS\.md of this project/);
  });

  it('is written where it was shown to go, and a second look finds nothing more', async () => {
    const { files, items } = await find({
      ...everything,
      '/h/.claude/CLAUDE.md': 'Mine.\n',
      '/h/.claude.json': '{\n  "numStartups": 3\n}\n',
    });
    for (const item of items) assert.equal(await importItem(item, files), undefined);
    assert.equal(files.text('/h/.claude/CLAUDE.md'), 'Mine.\n\nUse tabs.\n\nBe kind.\n');
    assert.deepEqual(JSON.parse(files.text('/h/.claude.json') ?? ''), {
      numStartups: 3,
      mcpServers: {
        docs: { type: 'stdio', command: 'docs', args: ['-x'], env: { A: '1' } },
        web: { type: 'http', url: 'https://e.test/mcp', headers: { X: 'y' } },
      },
    });
    assert.equal(files.text('/w/CLAUDE.md'), '@AGENTS.md\n@GEMINI.md\n', 'AGENTS.md still counts');
    assert.deepEqual(JSON.parse(files.text('/w/.mcp.json') ?? ''), {
      mcpServers: { own: { type: 'sse', url: 'https://e.test/sse' } },
    });
    assert.equal(files.text('/h/.claude/commands/fix.md'), 'Fix $0 and $ARGUMENTS with ! `rm -rf x`\n');
    assert.equal(
      files.text('/h/.claude/commands/git/commit.md'),
      '---\ndescription: "Commits"\n---\nCommit $ARGUMENTS\nNow:  !`git status`\nSee @docs/a.md\n',
    );
    assert.equal(files.text('/h/.codex/AGENTS.md'), 'Use tabs.\n', "the other program's files stay");
    const again = await find(Object.fromEntries(Object.entries(files.all())));
    assert.deepEqual(again.items, []);
  });

  it('shows no value of a server that may be a secret, and writes it as it is', async () => {
    const { files, items } = await find({
      '/h/.codex/config.toml':
        '[mcp_servers.docs]\ncommand = "docs"\n[mcp_servers.docs.env]\nAPI_KEY = "sk-1"\nMODE = "fast"\n',
      '/h/.gemini/settings.json':
        '{"mcpServers":{"web":{"httpUrl":"https://ann:pw@e.test/mcp","headers":{"Authorization":"Bearer sk-2","X":"${NAME}"}}}}',
    });
    const [docs, web] = items.map(({ text }) => JSON.parse(text) as unknown);
    assert.deepEqual(docs, { type: 'stdio', command: 'docs', args: [], env: { API_KEY: '…', MODE: 'fast' } });
    assert.deepEqual(web, {
      type: 'http',
      url: 'https://ann:…@e.test/mcp',
      headers: { Authorization: '…', X: '${NAME}' },
    });
    for (const item of items) assert.equal(await importItem(item, files), undefined);
    assert.match(files.text('/h/.claude.json') ?? '', /sk-1[^]*ann:pw@[^]*Bearer sk-2/);
  });

  it('says that servers wait for approval only where one of the project was taken', async () => {
    const { items } = await find(everything);
    const only = (fits: (item: (typeof items)[number]) => boolean) => importedWords(items.filter(fits));
    assert.equal(
      only(({ kind }) => kind === 'command'),
      'The files of Codex and Gemini are unchanged.',
    );
    assert.equal(
      only(({ kind, inside }) => kind === 'server' && inside === undefined),
      'The files of Codex and Gemini are unchanged.',
    );
    assert.match(
      only(() => true),
      /This project's server is waiting for your approval/,
    );
  });

  it('is never written over what has come meanwhile', async () => {
    const { files, items } = await find(everything);
    const command = items.find(({ kind }) => kind === 'command') ?? assert.fail();
    const server = items.find(({ kind }) => kind === 'server') ?? assert.fail();
    files.put(command.to, 'Mine.');
    files.put(server.to, '{"mcpServers":{"docs":{"command":"mine"}}}');
    assert.match((await importItem(command, files)) ?? '', /it already exists/);
    assert.match((await importItem(server, files)) ?? '', /already has a server “docs”/);
    assert.equal(files.text(command.to), 'Mine.');
    assert.equal(files.text(server.to), '{"mcpServers":{"docs":{"command":"mine"}}}');
  });

  it('holds nothing of a project without trust, nor what a rule hides', async () => {
    const own = { '/w/GEMINI.md': 'x', '/w/.gemini/settings.json': '{"mcpServers":{"own":{"command":"x"}}}' };
    assert.deepEqual((await find(own, { trusted: false })).items, []);
    const hidden = await find(own, { refuses: ['/w/GEMINI.md', '/w/.gemini/settings.json'] });
    assert.deepEqual([hidden.items.length, hidden.left.length], [0, 2]);
  });

  it('says which files cannot be read', async () => {
    const { items, left } = await find({
      '/h/.codex/config.toml': '[mcp',
      '/h/.gemini/settings.json': '{"a":',
      '/h/.gemini/commands/x.toml': 'prompt = 3\n',
      '/h/.gemini/commands/y.toml': '= x',
    });
    assert.deepEqual(items, []);
    assert.equal(left.length, 4, left.join('\n'));
  });
});

describe('a server of another program', () => {
  for (const [given, expected] of [
    [
      { url: 'https://e.test/mcp', bearer_token_env_var: 'TOKEN' },
      { type: 'http', url: 'https://e.test/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
    ],
    [
      { url: 'https://e.test/mcp', env_http_headers: { 'X-Key': 'KEY' } },
      { type: 'http', url: 'https://e.test/mcp', headers: { 'X-Key': '${KEY}' } },
    ],
    [
      { command: 'a', args: ['b', 3], env: { C: 'd', E: 4 } },
      { type: 'stdio', command: 'a', args: ['b'], env: { C: 'd' } },
    ],
    [{}, 'it has neither a command nor a URL'],
    ['text', 'it is not an object'],
  ] as const) {
    it(JSON.stringify(given), () => assert.deepEqual(serverEntry(given), expected));
  }
});

describe('a command of another program', () => {
  it('runs nothing that did not run there', () => {
    assert.equal(codexCommand('a !`x`\n```!\nrm\n```\n\\$1 $2 $10'), 'a ! `x`\n``` !\nrm\n```\n\\$1 $1 $10');
    assert.deepEqual(geminiCommand('prompt = "!`x` !{cat {{args}}}"'), { text: '! `x` !{cat $ARGUMENTS}\n' });
  });
});
