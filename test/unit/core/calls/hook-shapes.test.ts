// What hooks see and replace of the tools that need more than files and a shell, and what becomes of files beside a result.
import assert from 'node:assert/strict';
import { encode as encodePng } from 'fast-png';
import { type ToolHooks } from '../../../../src/core/hooks/tool-hooks';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { agentTool } from '../../../../src/core/tools/agents/agent';
import { taskOutputTool } from '../../../../src/core/tools/background/task-output';
import { taskStopTool } from '../../../../src/core/tools/background/task-stop';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { createMcpTool } from '../../../../src/core/tools/mcp/mcp-tool';
import { listMcpResourcesTool } from '../../../../src/core/tools/mcp/list-mcp-resources';
import { readMcpResourceTool } from '../../../../src/core/tools/mcp/read-mcp-resource';
import { readTool } from '../../../../src/core/tools/read/read';
import { sleepTool } from '../../../../src/core/tools/sleep';
import { taskCreateTool } from '../../../../src/core/tools/tasks/task-create';
import { taskGetTool } from '../../../../src/core/tools/tasks/task-get';
import { taskListTool } from '../../../../src/core/tools/tasks/task-list';
import { taskUpdateTool } from '../../../../src/core/tools/tasks/task-update';
import { createWebFetchTool } from '../../../../src/core/tools/web/web-fetch';
import { webSearchTool } from '../../../../src/core/tools/web/web-search';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import { createSystemClock } from '../../../../src/node/system-clock';
import { isObject } from '../../../../src/shared/plain-object';
import { type BackgroundTasks, createBackgroundTasks, silentLog } from '../../../support/background-tasks';
import { givenServers } from '../../../support/mcp/fake-servers';
import { citedText, rawBlock, reply } from '../../../support/messages-api/script';
import { scriptedSubagents } from '../../../support/scripted-subagents';
import { sessionTasks } from '../../../support/task-rows';
import { type Place, type TableOptions, type ToolRow, withPlace } from '../../../support/tool-table';
import { page, webContext } from '../tools/web/web-context';

const png = (color: number): string =>
  Buffer.from(encodePng({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(color) })).toString('base64');
const pdf = (words: string): string => btoa(`%PDF-1.7 ${words}`);

/** What comes after the call, as a hook's process would get and answer it. */
function answering(answer: (shown: unknown) => unknown, seen: unknown[] = []): ToolHooks['after'] {
  return async (_call, shown) => {
    const response = JSON.parse(JSON.stringify(shown())) as unknown;
    seen.push(response);
    return { updatedToolOutput: answer(response) };
  };
}

/** All that is expected is there; objects may have more. */
function assertHas(actual: unknown, expected: unknown): void {
  assert.deepEqual(partLike(actual, expected), expected);
}

function partLike(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected))
    return actual.map((item: unknown, index) => partLike(item, expected[index]));
  if (!isObject(actual) || !isObject(expected)) return actual;
  return Object.fromEntries(Object.keys(expected).map((name) => [name, partLike(actual[name], expected[name])]));
}

interface Row extends Pick<ToolRow, 'files' | 'ports' | 'session' | 'prepare' | 'input'> {
  name: string;
  tool: AnyTool;
  /** A part of it is enough. */
  shown?: object;
  /** As the format documents it. */
  given: unknown;
  /** What the model then reads, and nothing else; a pattern in it. */
  text: string | RegExp;
  wrong: unknown;
  problem: RegExp;
  options?: TableOptions;
}

const start = 'https://docs.example.test/guide';
const web = webContext({ pages: { [start]: page('<p>x') }, model: Array.from({ length: 5 }, () => reply('SECRET')) });
const link = {
  type: 'web_search_result',
  title: 'One',
  url: 'https://a.test/',
  encrypted_content: 'x',
  page_age: null,
};
const found = reply(
  rawBlock({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }),
  rawBlock({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [link] }),
  citedText('SECRET.', {
    type: 'web_search_result_location',
    url: 'https://a.test/',
    title: 'One',
    encrypted_index: 'x',
    cited_text: 'SECRET words',
  }),
);
const search = webContext({ model: Array.from({ length: 5 }, () => found) });
const mcpTool = createMcpTool({
  server: 's',
  name: 'mcp__s__look',
  tool: { name: 'look', description: '', inputSchema: {}, annotations: {}, meta: {} },
  deferred: false,
  maxOutputTokens: 25_000,
});
const mcp = {
  ...givenServers({
    s: {
      resources: [{ uri: 'x://1', name: 'SECRET' }],
      read: () => ({
        outcome: 'answered',
        content: [{ type: 'resource', uri: 'x://1', text: 'SECRET' }],
        isError: false,
      }),
    },
  }),
  callTool: async () => ({
    outcome: 'answered' as const,
    content: [
      { type: 'text' as const, text: 'SECRET' },
      { type: 'image' as const, data: png(1), mimeType: 'image/png' },
      { type: 'audio' as const, data: btoa('SECRET'), mimeType: 'audio/wav' },
    ],
    isError: false,
  }),
};

const rows: Row[] = [
  {
    name: 'an image',
    tool: readTool,
    files: { '/w/a.png': Buffer.from(png(1), 'base64') },
    input: { file_path: '/w/a.png' },
    shown: {
      type: 'image',
      file: {
        base64: png(1),
        type: 'image/png',
        originalSize: Buffer.from(png(1), 'base64').length,
        dimensions: { originalWidth: 2, originalHeight: 2, displayWidth: 2, displayHeight: 2 },
      },
    },
    given: { type: 'image', file: { base64: png(2), type: 'image/png', originalSize: 1 } },
    text: '[image]',
    wrong: { type: 'image', file: { base64: btoa('no image'), type: 'image/png', originalSize: 1 } },
    problem: /`file\.base64` is not a whole PNG/,
  },
  {
    name: 'text in place of an image',
    tool: readTool,
    files: { '/w/a.png': Buffer.from(png(1), 'base64') },
    input: { file_path: '/w/a.png' },
    shown: { type: 'image' },
    given: { type: 'text', file: { filePath: '/w/a.png', content: 'gone', numLines: 1, startLine: 1, totalLines: 1 } },
    text: /^1\tgone\n\n<system-reminder>/,
    wrong: { type: 'notebook', file: { filePath: '/w/a.png', cells: [] } },
    problem: /`type` can be "notebook" only where the tool read a notebook/,
  },
  {
    name: 'a page of the web',
    tool: createWebFetchTool(),
    ports: web.context.ports,
    session: web.context.session,
    input: { url: start, prompt: 'What?' },
    shown: { bytes: 4, code: 200, codeText: 'OK', result: 'SECRET', url: start },
    given: { bytes: 4, code: 200, codeText: 'OK', result: 'gone', durationMs: 1, url: start },
    text: 'gone',
    wrong: { bytes: 4, code: 200, codeText: 'OK', durationMs: 1, url: start },
    problem: /`result` is missing/,
  },
  {
    name: 'a search of the web',
    tool: webSearchTool,
    ports: search.context.ports,
    session: search.context.session,
    input: { query: 'it' },
    shown: {
      query: 'it',
      results: [
        { tool_use_id: 'toolu_1', content: [{ title: 'One', url: 'https://a.test/' }] },
        'SECRET. [1]',
        { tool_use_id: 'toolu_1', content: [{ title: 'One', url: 'https://a.test/', snippet: 'SECRET words' }] },
      ],
      searchCount: 1,
    },
    given: {
      query: 'it',
      results: [{ tool_use_id: 'x', content: [{ title: 'Two', url: 'https://b.test/' }] }, 'gone'],
      durationSeconds: 1,
    },
    text: 'Links for "it":\n- Two: https://b.test/\n\ngone',
    wrong: { query: 'it', results: [{ tool_use_id: 'x', content: [{ title: 'Two', url: 'nowhere' }] }] },
    problem: /`results`: "nowhere" is not an address/,
  },
  {
    name: 'a tool of a server',
    tool: mcpTool,
    ports: { mcp },
    input: {},
    shown: [
      { type: 'text', text: 'SECRET' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(1) } },
      { type: 'text', text: '[audio/wav, 6B: saved to /results/toolu_1-3.wav]' },
    ],
    given: [
      { type: 'text', text: 'gone' },
      { type: 'image', data: png(2), mimeType: 'image/png' },
    ],
    text: 'gone\n[image]',
    wrong: [
      { type: 'text', text: 'gone' },
      { type: 'image', data: btoa('x'), mimeType: 'image/png' },
    ],
    problem: /`\[1\]\.data` must be base64 of a whole PNG/,
  },
  {
    name: 'a tool of a server, as a string',
    tool: mcpTool,
    ports: { mcp },
    input: {},
    given: 'gone',
    text: 'gone',
    wrong: 7,
    problem: /The output must be a string or a list of content blocks/,
  },
  {
    name: 'a tool of a server, as the server answers',
    tool: mcpTool,
    ports: { mcp },
    input: {},
    given: { content: [{ type: 'text', text: 'gone' }] },
    text: 'gone',
    wrong: { content: [{ type: 'text' }] },
    problem: /`\[0\]\.text` must be a string/,
  },
  {
    name: 'a resource of a server',
    tool: readMcpResourceTool,
    ports: { mcp },
    input: { server: 's', uri: 'x://1' },
    shown: { contents: [{ uri: 'x://1', text: 'SECRET' }] },
    given: { contents: [{ uri: 'x://1', text: 'gone' }] },
    text: '[Resource x://1]\ngone',
    wrong: { contents: [{ uri: 'x://1' }] },
    problem: /`contents\[0\]\.text` is missing/,
  },
  {
    name: 'resources of servers',
    tool: listMcpResourcesTool,
    ports: { mcp },
    input: {},
    shown: [{ server: 's', uri: 'x://1', name: 'SECRET' }],
    given: [{ server: 's', uri: 'x://1', name: 'gone' }],
    text: '{"server":"s","uri":"x://1","name":"gone"}',
    wrong: { resources: [] },
    problem: /must be an array, not an object/,
  },
  {
    name: 'an agent in the background',
    tool: agentTool,
    session: { subagents: scriptedSubagents() },
    input: { description: 'Find it', prompt: 'the thing', run_in_background: true },
    shown: {
      status: 'async_launched',
      isAsync: true,
      agentId: 'a1',
      description: 'Find it',
      prompt: 'the thing',
      outputFile: '/t/agent-a1.jsonl',
    },
    given: { status: 'async_launched', agentId: 'a1', description: 'gone', prompt: '', outputFile: '' },
    text: /^The agent runs in the background\. agentId: a1\./,
    wrong: { status: 'async_launched', content: 7 },
    problem: /`content` cannot be used/,
  },
  {
    name: 'a task that is added',
    tool: taskCreateTool,
    session: sessionTasks(),
    input: { subject: 'SECRET', description: 'all' },
    shown: { task: { id: '4', subject: 'SECRET', description: 'all' } },
    given: { task: { id: '4', subject: 'gone' } },
    text: 'Added task #4: gone',
    wrong: { task: { id: '4' } },
    problem: /`task\.subject` is missing/,
  },
  {
    name: 'a task that is changed',
    tool: taskUpdateTool,
    session: sessionTasks(),
    input: { taskId: '3', subject: 'SECRET' },
    shown: { success: true, taskId: '3', updatedFields: ['subject'] },
    given: { success: true, taskId: '3', updatedFields: ['subject'], task: { subject: 'gone' } },
    text: 'Saved: #3 gone (pending, waits for #2)',
    wrong: { task: { subject: 3 } },
    problem: /`task\.subject` must be a string, not a number/,
  },
  {
    name: 'a task',
    tool: taskGetTool,
    session: sessionTasks(),
    input: { taskId: '1' },
    shown: { task: { id: '1', subject: 'Build', description: 'Build all', status: 'completed' } },
    given: {
      task: { id: '1', subject: 'gone', description: '', status: 'completed', blocks: [], blockedBy: [] },
    },
    text: /"subject": "gone"/,
    wrong: { task: null },
    problem: /`task` must be an object, not null/,
  },
  {
    name: 'all tasks',
    tool: taskListTool,
    session: sessionTasks(),
    input: {},
    shown: {
      tasks: [
        { id: '1', subject: 'Build', status: 'completed', blockedBy: [] },
        { id: '2', subject: 'Test', status: 'in_progress', owner: 'ann', blockedBy: [] },
        { id: '3', subject: 'Ship', status: 'pending', blockedBy: ['2'] },
      ],
    },
    given: {
      tasks: ['1', '2', '3'].map((id) => ({ id, subject: 'gone', status: 'pending', blockedBy: [] })),
    },
    text: '#1 gone (completed)\n#2 gone (in_progress)\n#3 gone (pending, waits for #2)',
    wrong: { tasks: [{ id: '1', subject: 'gone', status: 'pending', blockedBy: [] }] },
    problem: /`tasks` must be the same tasks/,
  },
  {
    name: "a tool of Deft's own",
    tool: sleepTool,
    ports: { clock: createSystemClock() },
    input: { duration_ms: 1 },
    shown: { requestedMs: 1 },
    given: { requestedMs: 7, sleptMs: 7 },
    text: 'Waited 7 ms.',
    wrong: { requestedMs: 7 },
    problem: /`sleptMs` is missing/,
  },
];

const inPlace = (row: Pick<Row, 'files' | 'ports' | 'session' | 'options'>, work: (place: Place) => Promise<void>) =>
  withPlace(row, row.options ?? {}, work);

describe('outputs as hooks see and replace them', () => {
  for (const row of rows)
    it(row.name, async () => {
      await inPlace(row, async (place) => {
        await row.prepare?.(place);
        const seen: unknown[] = [];
        place.after = answering(() => row.given, seen);
        const result = await place.use(row.tool, row.input);
        assertHas(seen[0], row.shown ?? seen[0]);
        if (typeof row.text === 'string') assert.equal(result.text, row.text);
        else assert.match(result.text, row.text);
        assert.doesNotMatch(JSON.stringify(result), /SECRET words|"SECRET/);
        assert.deepEqual(place.told, []);
      });
      await inPlace(row, async (place) => {
        place.after = answering(() => row.wrong);
        const result = await place.use(row.tool, row.input);
        assert.equal(result.code, 'error');
        assert.match(result.text, /has run, but its output is withheld/);
        assert.match(result.text, row.problem);
        assert.match(place.told.join(), row.problem);
        assert.doesNotMatch(JSON.stringify(result), /SECRET/);
      });
    });

  it('a PDF: its document, too', async () => {
    const documents = {
      readPdf: async () => ({ outcome: 'read' as const, total: 1, data: pdf('SECRET') }),
      shrinkImage: async () => undefined,
    };
    const row = { files: { '/w/a.pdf': Buffer.from(pdf('SECRET'), 'base64') }, ports: { documents } };
    const read = async (answer: (shown: unknown) => unknown) => {
      const seen: unknown[] = [];
      const results: { text: string; newMessages: unknown[] }[] = [];
      await inPlace(row, async (place) => {
        place.after = answering(answer, seen);
        results.push(await place.use(readTool, { file_path: '/w/a.pdf' }));
      });
      const [result] = results;
      assert.ok(result);
      return { ...result, seen };
    };
    const source = (data: string) => ({ type: 'base64', media_type: 'application/pdf', data });
    const same = await read((shown) => shown);
    assertHas(same.seen[0], {
      type: 'pdf',
      file: { filePath: '/w/a.pdf', base64: pdf('SECRET'), originalSize: 15 },
    });
    assertHas(same.newMessages, [{ type: 'document', source: source(pdf('SECRET')) }]);
    const file = { filePath: '/w/a.pdf', originalSize: 1 };
    const other = await read(() => ({ type: 'pdf', file: { ...file, base64: pdf('gone') } }));
    assertHas(other.newMessages, [{ type: 'document', source: source(pdf('gone')) }]);
    const words = await read(() => ({ type: 'text', file: { filePath: '/w/a.pdf', content: 'gone' } }));
    assert.deepEqual(words.newMessages, []);
    assert.match(words.text, /^1\tgone/);
    const none = await read(() => ({ type: 'pdf', file: { ...file, base64: btoa('gone') } }));
    assert.deepEqual(none.newMessages, []);
    assert.match(none.text, /`file\.base64` is not a PDF/);
  });

  it('saved files of a server: emptied where their part is gone', async () => {
    await inPlace({ ports: { mcp } }, async (place) => {
      const [image, sound] = ['/results/toolu_1-2.png', '/results/toolu_1-3.wav'];
      place.after = answering((shown) => (shown as unknown[]).slice(0, 2));
      await place.use(mcpTool, {});
      assert.notEqual(place.files.text(image), '');
      assert.equal(place.files.text(sound), '');
      place.after = answering(() => 7);
      await place.use(mcpTool, {});
      assert.deepEqual(
        [place.files.text('/results/toolu_2-2.png'), place.files.text('/results/toolu_2-3.wav')],
        ['', ''],
      );
    });
  });

  it('a refused Read: the file counts as unread', async () => {
    await inPlace({ files: { '/w/a.txt': 'one\n' } }, async (place) => {
      place.after = answering(() => ({}));
      await place.use(readTool, { file_path: '/w/a.txt' });
      place.after = async () => ({});
      const edit = await place.use(editTool, { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' });
      assert.equal(edit.code, 'not-read');
      assert.match((await place.use(readTool, { file_path: '/w/a.txt' })).text, /^1\tone/);
    });
  });

  it('an Edit whose patch a hook left as it was: no lines that may hold what it took out elsewhere', async () => {
    await inPlace({ files: { '/w/a.txt': 'SECRET\none\n' } }, async (place) => {
      await place.use(readTool, { file_path: '/w/a.txt' });
      place.after = answering((shown) => ({ ...(shown as object), originalFile: '[gone]\none\n' }));
      const edit = await place.use(editTool, { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' });
      assert.equal(edit.text, 'The file /w/a.txt has been updated: line 2 (+1 −1).');
    });
  });
});

describe('outputs of commands', () => {
  let tasks: BackgroundTasks;
  before(() => (tasks = createBackgroundTasks()));
  after(() => tasks.dispose());

  it("in the command's file, too: replaced and withheld", async () => {
    const terminal = createNodeTerminal({ log: silentLog, environment: process.env, root: tasks.root });
    const options: TableOptions = { on: 'folder' };
    await inPlace({ ports: { terminal, clock: createSystemClock() }, options }, async (place) => {
      const fileOf = async (path: string): Promise<string> => {
        const read = await place.files.readText(path, 10_000_000);
        return read.outcome === 'read' ? read.file.text : read.message;
      };
      const command = 'echo SECRET; yes line | head -c 4000000; echo SECRET';
      const outputs: string[] = [];
      const shown = async (answer: (response: { stdout: string; stderr: string }) => unknown) => {
        place.after = answering((response) => answer(response as never));
        return place.use(bashTool, { command });
      };
      const gone = (text: string): string => text.replaceAll('SECRET', '[gone]');
      const replaced = await shown((response) => {
        outputs.push(/all of it is in (\S+) /.exec(response.stdout)?.[1] ?? '');
        return { ...response, stdout: gone(response.stdout) };
      });
      const [path = ''] = outputs;
      assert.match(replaced.text, /\[gone\]/);
      // No sentence says that the file has more.
      assert.doesNotMatch(JSON.stringify(replaced.output), /all of it is in|SECRET/);
      assert.match(await fileOf(path), /^\[gone\]\nline\n[^]*bytes left out here \.\.\.\][^]*\n\[gone\]\n$/);
      await shown((response) => {
        outputs.push(/all of it is in (\S+) /.exec(response.stdout)?.[1] ?? '');
        return 'nonsense';
      });
      assert.equal(await fileOf(outputs[1] ?? ''), '');
    });
  });

  it('of background tasks: what TaskOutput and TaskStop say', async () => {
    await inPlace({ ports: tasks.ports }, async (place) => {
      const id = await tasks.start('echo SECRET; exit 3');
      await tasks.ended(id);
      const seen: unknown[] = [];
      place.after = answering(() => ({ retrieval_status: 'success', task: { output: 'gone' } }), seen);
      const output = await place.use(taskOutputTool, { task_id: id });
      assert.match(output.text, /\ngone$/);
      assert.deepEqual(seen[0], {
        retrieval_status: 'success',
        task: {
          task_id: id,
          status: 'completed',
          statusText: 'has ended with exit code 3',
          description: 'echo SECRET; exit 3',
          output: 'SECRET\n',
          exitCode: 3,
        },
      });
      place.after = answering(() => ({ task: {} }));
      assert.match((await place.use(taskOutputTool, { task_id: id })).text, /`task\.output` is missing/);
      const other = await tasks.start('sleep 44.5');
      place.after = answering((shown) => ({ ...(shown as object), message: 'gone' }));
      assert.equal((await place.use(taskStopTool, { task_id: other })).text, 'gone');
    });
  });
});
