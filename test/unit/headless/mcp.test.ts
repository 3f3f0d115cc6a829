// MCP servers in the built runner: those of --mcp-config are there for the first request, those of the project only where settings enable them.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { oddServer, referenceServer, sdkServer } from '../../support/mcp/run-servers';

describe('headless MCP servers', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const config = (servers: Record<string, unknown>): string => JSON.stringify({ mcpServers: servers });
  const json = ['--output-format', 'stream-json'];

  it('of the command line connect in front of the first request; a call runs where it is allowed', async () => {
    server.setScript([
      reply(toolUse('ToolSearch', { query: 'select:mcp__all__echo' }, 's1')),
      reply(toolUse('mcp__all__echo', { message: 'hello' }, 'e1')),
      reply('Done.'),
    ]);
    await writeFile(
      path.join(place.workspace, 'servers.json'),
      config({ bad: { command: 'no-such-program-anywhere' } }),
    );
    const end = await place.run(
      [
        '-p',
        'Go',
        ...json,
        '--mcp-config',
        config({ all: referenceServer('everything') }),
        '--mcp-config',
        'servers.json',
        '--allowedTools',
        'mcp__all',
      ],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    const [init] = jsonLines(end.stdout);
    assert.deepEqual(init?.['mcp_servers'], [
      { name: 'all', status: 'connected' },
      { name: 'bad', status: 'failed' },
    ]);
    assert.ok((init?.['tools'] as string[]).includes('mcp__all__echo'));
    assert.match(end.stderr, /The MCP server bad cannot be used: `no-such-program-anywhere` was not found/);
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /Echo: hello/);
    const [first, second] = server.requests.map(({ body }) =>
      (body['tools'] as { name: string }[]).map(({ name }) => name),
    );
    // Another address than the vendor's: nothing is deferred there, what is loaded comes behind the others.
    assert.ok(first?.includes('ToolSearch') && !first.some((name) => name.startsWith('mcp__')));
    assert.deepEqual(second, [...(first ?? []), 'mcp__all__echo']);
  });

  it('are deferred by reference where ENABLE_TOOL_SEARCH says that the address takes it', async () => {
    server.setScript([reply(toolUse('ToolSearch', { query: '+ping' }, 's1')), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--mcp-config', config({ odd: oddServer('plain') })], {
      url: server.url,
      env: { ENABLE_TOOL_SEARCH: 'true' },
    });
    assert.equal(end.code, 0, end.stderr);
    assert.match(JSON.stringify(server.requests[0]?.body), /"name":"mcp__odd__ping".*"defer_loading":true/);
    assert.match(JSON.stringify(server.requests[1]?.body), /\{"type":"tool_reference","tool_name":"mcp__odd__ping"\}/);
  });

  it('that call a tool destructive have the question say so', async () => {
    const file = path.join(place.workspace, 'a.txt');
    server.setScript([
      reply(
        toolUse('mcp__fs__write_file', { path: file, content: 'x' }, 'w1'),
        toolUse('mcp__fs__list_directory', { path: place.workspace }, 'l1'),
      ),
      reply('Done.'),
    ]);
    const servers = config({ fs: referenceServer('filesystem', place.workspace) });
    const end = await place.run(['-p', 'Go', '--mcp-config', servers], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    const results = JSON.stringify(server.requests.at(-1)?.body['messages']).split('"tool_use_id"');
    const [written = '', listed = ''] = ['w1', 'l1'].map((id) => results.find((text) => text.startsWith(`:"${id}"`)));
    assert.match(written, /Permission denied: .*The tool says that it may delete or overwrite something\./);
    assert.match(listed, /Permission denied/);
    assert.doesNotMatch(listed, /may delete/);
  });

  it('of the project stay away until settings enable them', async () => {
    await writeFile(path.join(place.workspace, '.mcp.json'), config({ odd: oddServer('plain') }));
    const warned: boolean[] = [];
    const status = async (...more: string[]): Promise<unknown> => {
      server.setScript([reply('Hi.')]);
      const end = await place.run(['-p', 'Go', ...json, ...more], { url: server.url });
      assert.equal(end.code, 0, end.stderr);
      warned.push(
        /^deft: The project's MCP servers \(odd\) are not started: .*enabledMcpjsonServers/m.test(end.stderr),
      );
      return jsonLines(end.stdout)[0]?.['mcp_servers'];
    };
    assert.deepEqual(await status(), [{ name: 'odd', status: 'pending' }]);
    assert.deepEqual(await status('--settings', JSON.stringify({ enabledMcpjsonServers: ['odd'] })), [
      { name: 'odd', status: 'connected' },
    ]);
    assert.deepEqual(
      await status('--settings', JSON.stringify({ enableAllProjectMcpServers: true, disabledMcpjsonServers: ['odd'] })),
      [{ name: 'odd', status: 'disabled' }],
    );
    assert.deepEqual(warned, [true, false, false]);
  });

  it('that come late hold nothing up: they join, and the user and the model are told so once', async () => {
    const gate = path.join(place.home, 'gate');
    const plugin = path.join(place.workspace, 'slow-plugin');
    await mkdir(path.join(plugin, '.claude-plugin'), { recursive: true });
    await writeFile(path.join(plugin, '.claude-plugin/plugin.json'), '{"name":"slow"}');
    await writeFile(path.join(plugin, '.mcp.json'), config({ silent: oddServer('silent') }));
    server.setScript([
      reply(toolUse('Bash', { command: `touch '${gate}'` }, 'b1')),
      reply(toolUse('ToolSearch', { query: 'select:mcp__late__grow' }, 's1')),
      reply(toolUse('mcp__late__grow', {}, 'g1')),
      reply('Done.'),
    ]);
    const end = await place.run(
      [
        ...['-p', 'Go', ...json, '--plugin-dir', plugin, '--mcp-config', config({ late: sdkServer({ GATE: gate }) })],
        ...['--allowedTools', 'mcp__late', 'Bash'],
      ],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    assert.deepEqual(jsonLines(end.stdout)[0]?.['mcp_servers'], [
      { name: 'late', status: 'pending' },
      { name: 'plugin:slow:silent', status: 'pending' },
    ]);
    const said = (sentence: string): number => end.stderr.split(sentence).length - 1;
    assert.equal(said('The MCP server late is still connecting.'), 1, end.stderr);
    assert.equal(said('The MCP server plugin:slow:silent is still connecting.'), 1, end.stderr);
    assert.equal(said('The MCP server late has joined.'), 1, end.stderr);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    assert.match(last, /It has grown/);
    assert.equal(last.split('It is still connecting.').length, 3);
  });

  it('say what is wrong in a file and go on', async () => {
    server.setScript([reply('Hi.')]);
    const end = await place.run(
      ['-p', 'Go', '--mcp-config', config({ a: { url: 'https://example.org' } }), '--mcp-config', 'none.json'],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    assert.match(end.stderr, /server "a": it has a "url" but no "type"/);
    assert.match(end.stderr, /none\.json does not exist: --mcp-config takes a file or JSON/);
  });
});
