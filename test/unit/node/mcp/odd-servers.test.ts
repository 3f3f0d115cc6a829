// Servers that hang, flood, die or lie: each failure is a state or an outcome with a sentence, and nothing is left behind.
import assert from 'node:assert/strict';
import { mcpTimes, timesFromVariables } from '../../../../src/core/mcp/limits';
import { processStat } from '../../../../src/node/terminal/process-family';
import { type McpCallOutcome } from '../../../../src/core/ports/mcp';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import {
  closeServers,
  entryOf,
  never,
  oddServer,
  openServers,
  settled,
  statusOf,
  until,
} from '../../../support/mcp/run-servers';

const fast = { ...mcpTimes, retryMs: 5 };

describe('odd MCP servers', () => {
  afterEach(closeServers);
  const opened = async (kind: string, times = fast): Promise<RunningMcpServers> => {
    const servers = openServers({ odd: oddServer(kind) }, { times });
    await settled(servers);
    return servers;
  };
  const call = (servers: RunningMcpServers, tool: string, signal = never): Promise<McpCallOutcome> =>
    servers.callTool('odd', tool, {}, { signal });
  const failure = async (servers: RunningMcpServers, tool: string): Promise<string> => {
    const outcome = await call(servers, tool);
    assert.ok(outcome.outcome === 'failed', JSON.stringify(outcome));
    return outcome.message;
  };
  const why = (servers: RunningMcpServers): string => {
    const { state } = statusOf(servers, 'odd');
    assert.ok(state.kind === 'failed', JSON.stringify(state));
    return state.why;
  };
  const names = (servers: RunningMcpServers): string[] => statusOf(servers, 'odd').tools.map(({ name }) => name);

  it('one that dies at once tells its last words', async () =>
    assert.equal(why(await opened('dies-at-once')), 'It ended with exit code 3. It wrote: This server needs a key.'));

  it('one that never answers is given up', async () =>
    assert.match(
      why(await opened('silent', { ...fast, connectMs: 300 })),
      /^It did not answer within 0\.3 seconds\. MCP_TIMEOUT changes this limit/,
    ));

  it('one that refuses the first message says why, not how its process ended', async () => {
    assert.equal(why(await opened('init-error')), 'It refused the connection: The licence key is missing.');
    const other = await opened('init-version');
    assert.equal(
      why(other),
      "It speaks another version of the protocol: Server's protocol version is not supported: 1999-01-01. Update the server, or Deft.",
    );
    assert.equal(
      other.log('odd').filter((line) => line.startsWith('It speaks')).length,
      1,
      'another try would end the same',
    );
    assert.equal(
      why(await opened('init-shape')),
      'Its answer is not a protocol message: check the "command" and the "args" of its entry.',
    );
  });

  it('one that does not answer for its prompts can be used, and has them once it does', async () => {
    const servers = await opened('late-prompts');
    assert.equal(statusOf(servers, 'odd').state.kind, 'connected');
    assert.deepEqual(statusOf(servers, 'odd').prompts, []);
    await call(servers, 'ping');
    await until(servers, () => statusOf(servers, 'odd').prompts.length === 1);
  });

  it('one that dies during a call fails the call, and the next call starts it anew and waits for it', async () => {
    const servers = await opened('plain');
    assert.match(await failure(servers, 'die'), /^The MCP server odd did not answer: It ended with exit code 7\./);
    assert.deepEqual(await call(servers, 'ping'), {
      outcome: 'answered',
      content: [{ type: 'text', text: 'pong ' }],
      isError: false,
    });
  });

  it('one that dies again and again is left alone after five times, until the next call', async () => {
    const servers = await opened('plain');
    for (let time = 0; time < 5; time++) {
      void call(servers, 'die');
      await until(servers, () => statusOf(servers, 'odd').state.kind !== 'connected');
      await until(servers, () => ['connected', 'failed'].includes(statusOf(servers, 'odd').state.kind));
    }
    assert.match(
      why(servers),
      /It ended with exit code 7\. The connection broke 5 times\. The next call starts it again\./,
    );
    assert.equal((await call(servers, 'ping')).outcome, 'answered');
    assert.equal(statusOf(servers, 'odd').state.kind, 'connected');
  });

  it('one that hangs in a call runs into MCP_TOOL_TIMEOUT', async () => {
    const servers = await opened('plain', { ...timesFromVariables({ MCP_TOOL_TIMEOUT: '200' }), retryMs: 5 });
    assert.match(await failure(servers, 'hang'), /Request timed out/);
  });

  it('one that hangs in a call runs into the time of its entry, or is stopped and told', async () => {
    const servers = openServers([entryOf('odd', oddServer('plain'), { timeoutMs: 200 })], { times: fast });
    await settled(servers);
    assert.match(await failure(servers, 'hang'), /Request timed out/);
    const patient = await opened('plain');
    const controller = new AbortController();
    const hanging = call(patient, 'hang', controller.signal);
    controller.abort();
    await assert.rejects(hanging);
    // The server continues, and says so: a line in its log changes no state that one could wait for.
    do await call(patient, 'ping');
    while (!patient.log('odd').includes('cancelled a call'));
  });

  it('one that sends a message without end is cut off', async () => {
    const servers = await opened('plain');
    assert.match(await failure(servers, 'flood'), /did not answer/);
    assert.ok(servers.log('odd').some((line) => /more than 16 MB/.test(line)));
  });

  it('one that sends nonsense is understood as far as it can be', async () => {
    const servers = await opened('plain');
    const outcome = await call(servers, 'nonsense');
    assert.deepEqual(outcome, {
      outcome: 'answered',
      content: [
        { type: 'image', data: '!!!', mimeType: 'image/png' },
        { type: 'text', text: '{"strange":1}' },
        { type: 'text', text: '5' },
        { type: 'text', text: 'still here' },
      ],
      isError: false,
    });
    assert.match(await failure(servers, 'empty'), /without any content/);
    assert.ok(servers.log('odd').some((line) => line.startsWith('(not a protocol message)')));
  });

  it('an answer in a wrong shape fails its call at once', async () => {
    const servers = await opened('plain');
    for (const tool of ['null', 'words', 'unlike'])
      assert.equal(
        await failure(servers, tool),
        "The MCP server odd did not answer: Its answer does not conform to the protocol: see the server's log.",
      );
    assert.ok(
      servers
        .log('odd')
        .some((line) => line.startsWith('(not a protocol message)') && line.includes('It did not work.')),
    );
  });

  it('a text in the place of the content is taken as it is meant', async () => {
    assert.deepEqual(await call(await opened('plain'), 'bare'), {
      outcome: 'answered',
      content: [{ type: 'text', text: 'plain words' }],
      isError: false,
    });
  });

  it('one that lists strange tools loses those alone', async () => {
    const servers = await opened('shapes');
    const { tools, instructions } = statusOf(servers, 'odd');
    assert.deepEqual(
      tools.map(({ name, description }) => [name, description.length]),
      [
        ['good', 10],
        ['wide', 4_096],
      ],
    );
    assert.equal(instructions?.length, 2_048);
    assert.ok(servers.log('odd').includes('The tool good is listed twice: the first one is used.'));
  });

  it('pages are put together, and end also where they never would', async () => {
    assert.deepEqual(names(await opened('pages')), ['t0', 't1', 't2']);
    assert.equal(names(await opened('endless-pages')).length, 100);
    const none = await opened('no-list');
    assert.deepEqual([statusOf(none, 'odd').state, names(none)], [{ kind: 'connected' }, []]);
  });

  it('a changed list is read again, however often it is said; a failed reading keeps the old one', async () => {
    const servers = await opened('plain');
    await call(servers, 'change');
    await until(servers, () => names(servers).join() === 'new');
    const failing = await opened('changes-then-fails');
    const before = names(failing);
    await call(failing, 'change');
    await until(failing, () => failing.log('odd').some((line) => line.includes('Not now.')));
    assert.deepEqual(names(failing), before);
  });

  it('a list that is slow and changes all the time is asked for once at a time', async () => {
    const servers = await opened('slow-lists');
    await until(servers, () => Number(names(servers).join().split(', ')[1]) >= 3);
    assert.match(names(servers).join(), /^1 of 1, /);
  });

  it('progress and messages for the log arrive', async () => {
    const servers = await opened('plain');
    const heard: string[] = [];
    await servers.callTool('odd', 'progress', {}, { signal: never, onProgress: (text) => heard.push(text) });
    await call(servers, 'log');
    assert.deepEqual(heard, ['half']);
    assert.ok(servers.log('odd').includes('[warning] look out'));
  });

  it('a letter on the error output that comes in two halves is one letter', async () =>
    assert.equal(why(await opened('halves')), 'It ended with exit code 3. It wrote: Schlüssel'));

  it('much on the error output keeps its last lines only', async () => {
    const servers = await opened('chatter');
    assert.ok(servers.log('odd').length <= 501);
    assert.equal(statusOf(servers, 'odd').state.kind, 'connected');
  });

  it('no credential is in its environment, and the project is', async () => {
    const key = 'key-of-a-test-0123456789';
    const servers = openServers(
      { odd: { ...oddServer('plain'), env: { OWN: 'yes' } } as never },
      { environment: async () => ({ PATH: process.env['PATH'], ANTHROPIC_API_KEY: key, COPY: `x${key}`, KEPT: '1' }) },
    );
    await settled(servers);
    const outcome = await call(servers, 'environment');
    assert.ok(outcome.outcome === 'answered' && outcome.content[0]?.type === 'text');
    const { OWN, KEPT, CLAUDE_PROJECT_DIR, ...rest } = JSON.parse(outcome.content[0].text) as Record<string, string>;
    assert.deepEqual([OWN, KEPT, CLAUDE_PROJECT_DIR], ['yes', '1', process.cwd()]);
    assert.ok(!JSON.stringify(rest).includes(key));
  });

  it('nothing of it lives on after the end, also not its children', async () => {
    const servers = await opened('children');
    const pid = Number(statusOf(servers, 'odd').tools[0]?.description);
    assert.equal((await processStat(pid))?.name, 'node');
    await servers.dispose();
    // A zombie only waits to be counted by its parent.
    assert.ok([undefined, 'Z'].includes((await processStat(pid))?.state));
  });
});
