// PostToolUse hooks as real processes in the built runner: for each tool what they are shown, and what becomes of what they give back.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { oddServer } from '../../support/mcp/run-servers';
import { reply, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

type Fields = Record<string, unknown>;

/** `given` and `wrong` are written as the format documents it, without any field of Deft's. */
interface Row {
  name: string;
  tool: string;
  /** For each way of answering a call of its own. */
  input: (id: string, place: HeadlessPlace) => Fields;
  /** Files to read first. */
  reads?: boolean;
  shown: (response: never, id: string, place: HeadlessPlace) => unknown;
  given: (id: string, place: HeadlessPlace) => unknown;
  wrong: unknown;
  problem: RegExp;
}

const answers = ['plain', 'echo', 'redact', 'given', 'wrong'] as const;

/** What all hooks do: the id of the call names the answer. */
const hookScript = `
const { readFileSync, appendFileSync } = require('node:fs');
const input = JSON.parse(readFileSync(0, 'utf8'));
const home = process.env.HOME;
appendFileSync(home + '/seen', JSON.stringify(input) + '\\n');
const answer = input.tool_use_id.split('_').at(-1);
const given = JSON.parse(readFileSync(home + '/given.json', 'utf8'))[input.tool_use_id];
const redacted = () => JSON.parse(JSON.stringify(input.tool_response).replaceAll('SECRET', '[gone]'));
const value = { echo: () => input.tool_response, redact: redacted, given: () => given, wrong: () => given }[answer]?.();
if (value !== undefined)
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: value } }));
`;

const file = (place: HeadlessPlace, id: string): string => path.join(place.workspace, `${id}.txt`);
const text = 'one\nSECRET two\nthree\n';

const rows: Row[] = [
  {
    name: 'Read',
    tool: 'Read',
    input: (id, place) => ({ file_path: file(place, id) }),
    shown: (response, id, place) =>
      assert.deepEqual(response, {
        type: 'text',
        file: { filePath: file(place, id), content: text, numLines: 3, startLine: 1, totalLines: 3 },
      }),
    given: (id, place) => ({
      type: 'text',
      file: { filePath: file(place, id), content: 'one\n[given]\n', numLines: 2, startLine: 1, totalLines: 3 },
    }),
    wrong: { type: 'text', file: { filePath: '/x' } },
    problem: /`file\.content` is missing/,
  },
  {
    name: 'Read of a notebook',
    tool: 'Read',
    input: (id, place) => ({ file_path: file(place, id).replace('.txt', '.ipynb') }),
    shown: ({ type, file: { cells } }: { type: string; file: { cells: Fields[] } }) => {
      assert.equal(type, 'notebook');
      assert.deepEqual(cells, [
        {
          cell_id: 'c1',
          cellType: 'code',
          source: 'print("SECRET")',
          execution_count: 1,
          language: 'python',
          outputs: [{ output_type: 'stream', text: 'SECRET' }],
        },
      ]);
    },
    given: (id, place) => ({
      type: 'notebook',
      file: {
        filePath: file(place, id).replace('.txt', '.ipynb'),
        cells: [{ cellType: 'code', source: '[given]', cell_id: 'c1', outputs: [] }],
      },
    }),
    wrong: { type: 'notebook', file: { filePath: '/x', cells: [{ source: 1 }] } },
    problem: /`file\.cells\[0\]\.source` must be a string, not a number/,
  },
  {
    name: 'Write',
    tool: 'Write',
    input: (id, place) => ({ file_path: path.join(place.workspace, `new-${id}-SECRET.txt`), content: 'new\n' }),
    shown: ({ structuredPatch, ...response }: Fields, id, place) => {
      assert.deepEqual(response, {
        type: 'create',
        filePath: path.join(place.workspace, `new-${id}-SECRET.txt`),
        content: 'new\n',
        originalFile: null,
        userModified: false,
      });
      assert.ok(Array.isArray(structuredPatch));
    },
    given: (id) => ({
      type: 'create',
      filePath: `/[given]/${id}.txt`,
      content: 'new\n',
      structuredPatch: [],
      originalFile: null,
    }),
    wrong: { type: 'create', filePath: '/x', structuredPatch: [], originalFile: null },
    problem: /`content` is missing/,
  },
  {
    name: 'Write over a file',
    tool: 'Write',
    reads: true,
    input: (id, place) => ({ file_path: file(place, id), content: 'one\ntwo of SEC\n'.replace('SEC', 'SECRET') }),
    shown: ({ type, originalFile, content, structuredPatch }: Fields) => {
      assert.deepEqual([type, originalFile, content], ['update', text, 'one\ntwo of SECRET\n']);
      assert.deepEqual(structuredPatch, [
        {
          oldStart: 1,
          oldLines: 3,
          newStart: 1,
          newLines: 2,
          lines: [' one', '-SECRET two', '-three', '+two of SECRET'],
        },
      ]);
    },
    given: (id, place) => ({
      type: 'update',
      filePath: file(place, id),
      content: '[given]\n',
      structuredPatch: [],
      originalFile: null,
      newDiagnostics: ['[given]'],
    }),
    wrong: { type: 'update', filePath: '/x', content: 'x', structuredPatch: [{ lines: 'no' }] },
    problem: /`structuredPatch\[0\]\.oldStart` is missing/,
  },
  {
    name: 'Edit',
    tool: 'Edit',
    reads: true,
    input: (id, place) => ({ file_path: file(place, id), old_string: 'three', new_string: 'four' }),
    shown: ({ structuredPatch, ...response }: Fields, id, place) => {
      assert.deepEqual(response, {
        filePath: file(place, id),
        oldString: 'three',
        newString: 'four',
        originalFile: text,
        userModified: false,
        replaceAll: false,
      });
      assert.match(JSON.stringify(structuredPatch), /" SECRET two","-three","\+four"/);
    },
    given: (id, place) => ({
      filePath: file(place, id),
      oldString: 'three',
      newString: 'four',
      originalFile: null,
      structuredPatch: [{ oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, lines: [' [given]', '-three', '+four'] }],
      userModified: false,
      replaceAll: false,
      newDiagnostics: ['[given]'],
    }),
    wrong: { filePath: '/x', oldString: 'three', newString: 4 },
    problem: /`newString` must be a string, not a number/,
  },
  {
    name: 'NotebookEdit',
    tool: 'NotebookEdit',
    reads: true,
    input: (id, place) => ({
      notebook_path: file(place, id).replace('.txt', '.ipynb'),
      cell_id: 'c1',
      new_source: 'print(2)',
    }),
    shown: ({ original_file, updated_file, ...response }: Fields, id, place) => {
      assert.deepEqual(response, {
        new_source: 'print(2)',
        old_source: 'print("SECRET")',
        cell_id: 'c1',
        cell_type: 'code',
        language: 'python',
        edit_mode: 'replace',
        notebook_path: file(place, id).replace('.txt', '.ipynb'),
      });
      assert.match(String(original_file), /SECRET/);
      assert.match(String(updated_file), /print\(2\)/);
    },
    given: () => ({ new_source: 'print(2)', notebook_path: '/[given].ipynb', cell_id: 'c1', cell_type: 'code' }),
    wrong: { new_source: 'print(2)' },
    problem: /`notebook_path` is missing/,
  },
  {
    name: 'Bash',
    tool: 'Bash',
    input: () => ({ command: 'echo "customer 4711 SECRET"' }),
    shown: (response) =>
      assert.deepEqual(response, {
        stdout: 'customer 4711 SECRET\n',
        stderr: '',
        interrupted: false,
        isImage: false,
      }),
    given: () => ({ stdout: '[given]', stderr: 'noted', interrupted: false, isImage: false }),
    wrong: { output: 'x' },
    problem: /`stdout` is missing/,
  },
  {
    name: 'Bash with a long output',
    tool: 'Bash',
    input: () => ({ command: 'echo SECRET; seq 9000; echo SECRET' }),
    shown: ({ stdout }: { stdout: string }) => assert.equal(stdout.split('\n').length, 9_003),
    given: () => ({ stdout: '[given]\n'.repeat(8_000), stderr: '', interrupted: false }),
    wrong: 'no object',
    problem: /must be an object, not a string/,
  },
  {
    name: 'Glob',
    tool: 'Glob',
    input: () => ({ pattern: 'named/*' }),
    shown: ({ durationMs, ...response }: Fields, _id, place) => {
      assert.deepEqual(response, {
        filenames: [path.join(place.workspace, 'named/SECRET.txt')],
        numFiles: 1,
        truncated: false,
        totalMatches: 1,
        countIsComplete: true,
      });
      assert.equal(typeof durationMs, 'number');
    },
    given: (_id, place) => ({
      filenames: [path.join(place.workspace, 'named/[given].txt')],
      numFiles: 1,
      truncated: false,
      durationMs: 3,
    }),
    wrong: { filenames: [1], numFiles: 1, truncated: false, durationMs: 3 },
    problem: /`filenames\[0\]` must be a string, not a number/,
  },
  {
    name: 'Grep for files',
    tool: 'Grep',
    input: () => ({ pattern: 'needle', path: 'named' }),
    shown: (response, _id, place) =>
      assert.deepEqual(response, {
        mode: 'files_with_matches',
        numFiles: 1,
        filenames: [path.join(place.workspace, 'named/SECRET.txt')],
      }),
    given: (_id, place) => ({
      mode: 'files_with_matches',
      numFiles: 1,
      filenames: [path.join(place.workspace, '[given].txt')],
    }),
    wrong: { mode: 'files_with_matches', numFiles: 1 },
    problem: /`filenames` is missing/,
  },
  {
    name: 'Grep for lines',
    tool: 'Grep',
    input: () => ({ pattern: 'needle', path: 'named', output_mode: 'content' }),
    shown: (response, _id, place) =>
      assert.deepEqual(response, {
        mode: 'content',
        numFiles: 1,
        filenames: [path.join(place.workspace, 'named/SECRET.txt')],
        content: 'named/SECRET.txt:1:needle SECRET',
        numLines: 1,
        numMatches: 1,
      }),
    given: () => ({ mode: 'content', numFiles: 0, filenames: [], content: 'a.txt:1:[given]', numLines: 1 }),
    wrong: { mode: 'content', numFiles: 0, filenames: [], content: ['x'] },
    problem: /`content` must be a string, not an array/,
  },
  {
    name: 'Grep for counts',
    tool: 'Grep',
    input: () => ({ pattern: 'needle', path: 'named', output_mode: 'count' }),
    shown: ({ mode, content, numFiles, numMatches }: Fields) =>
      assert.deepEqual([mode, content, numFiles, numMatches], ['count', 'named/SECRET.txt:1', 1, 1]),
    given: () => ({ mode: 'count', numFiles: 1, filenames: [], content: '[given]:7', numMatches: 7 }),
    wrong: { mode: 'counts', filenames: [], content: '' },
    problem: /`mode` cannot be used/,
  },
  {
    name: 'TodoWrite',
    tool: 'TodoWrite',
    input: () => ({ todos: [{ content: 'Find SECRET', status: 'in_progress', activeForm: 'Finding SECRET' }] }),
    shown: ({ newTodos, oldTodos }: Fields) => {
      assert.deepEqual(newTodos, [{ content: 'Find SECRET', status: 'in_progress', activeForm: 'Finding SECRET' }]);
      assert.ok(Array.isArray(oldTodos));
    },
    given: () => ({
      oldTodos: [],
      newTodos: [{ content: '[given]', status: 'in_progress', activeForm: '[given]' }],
    }),
    wrong: { newTodos: [] },
    problem: /`oldTodos` is missing/,
  },
  {
    name: 'Agent',
    tool: 'Agent',
    input: () => ({ description: 'Look', prompt: 'Look around.' }),
    shown: ({ status, content, prompt, totalToolUseCount, agentId, agentType }: Fields) => {
      assert.deepEqual(
        [status, content, prompt, totalToolUseCount],
        ['completed', [{ type: 'text', text: 'It is SECRET.' }], 'Look around.', 0],
      );
      assert.deepEqual([typeof agentId, typeof agentType], ['string', 'string']);
    },
    given: () => ({
      status: 'completed',
      agentId: 'x',
      content: [{ type: 'text', text: '[given]' }],
      prompt: 'Look around.',
      totalToolUseCount: 0,
      totalDurationMs: 1,
      totalTokens: 1,
    }),
    wrong: { status: 'completed', content: [{ type: 'image' }] },
    problem: /`content` cannot be used/,
  },
  {
    name: 'a tool of an MCP server',
    tool: 'mcp__odd__echo',
    input: () => ({ text: 'It is SECRET.', path: 'as/it/is' }),
    shown: (response) => assert.deepEqual(response, [{ type: 'text', text: 'It is SECRET.' }]),
    given: () => [{ type: 'text', text: '[given]' }],
    wrong: [{ type: 'video' }],
    problem: /`\[0\]\.type` must be "text" or "image"/,
  },
];

const firstRead = 'toolu_first_redact';
const idOf = (row: number, answer: string): string => `toolu_${row}_${answer}`;

interface Seen {
  tool_use_id: string;
  tool_name: string;
  tool_input: Fields;
  tool_response: unknown;
}

describe('what PostToolUse hooks are shown and give back', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  let seen: Map<string, Seen>;
  let results: Map<string, { content: unknown; is_error?: boolean }>;
  let log: Record<string, unknown>[];
  let stderr: string;

  before(async () => {
    [place, server] = [await createHeadlessPlace(), await startMessagesApi([])];
    const { home, workspace } = place;
    await mkdir(path.join(home, '.claude'));
    await writeFile(path.join(home, 'hook.cjs'), hookScript);
    const hook = { type: 'command', command: `'${process.execPath}' "$HOME/hook.cjs"` };
    await writeFile(
      path.join(home, '.claude/settings.json'),
      JSON.stringify({
        hooks: {
          PostToolUse: [{ matcher: '*', hooks: [hook] }],
          // The files of commands go with the run.
          Stop: [{ hooks: [{ type: 'command', command: 'cp "$TMPDIR"/deft-commands-*/*.out "$HOME"' }] }],
        },
      }),
    );
    await mkdir(path.join(workspace, 'named'));
    await writeFile(path.join(workspace, 'named/SECRET.txt'), 'needle SECRET\n');
    const given: Fields = {};
    // The first Read says once that files are data.
    await writeFile(file(place, firstRead), text);
    const replies = [reply(toolUse('Read', { file_path: file(place, firstRead) }, firstRead))];
    for (const [at, row] of rows.entries()) {
      const ids = answers.map((answer) => idOf(at, answer));
      for (const id of ids) {
        await writeFile(file(place, id), text);
        await writeFile(file(place, id).replace('.txt', '.ipynb'), notebook);
      }
      given[idOf(at, 'given')] = row.given(idOf(at, 'given'), place);
      given[idOf(at, 'wrong')] = row.wrong;
      if (row.reads === true)
        replies.push(
          reply(
            ...ids.map((id) =>
              toolUse('Read', { file_path: inputPath(row.input(id, place)) }, `toolu_read_${id}_plain`),
            ),
          ),
        );
      if (row.tool.startsWith('mcp__'))
        replies.push(reply(toolUse('ToolSearch', { query: `select:${row.tool}` }, 'toolu_search_plain')));
      replies.push(reply(...ids.map((id) => toolUse(row.tool, row.input(id, place) as never, id))));
      if (row.tool === 'Agent') replies.push(...ids.map(() => reply('It is SECRET.')));
    }
    await writeFile(path.join(home, 'given.json'), JSON.stringify(given));
    server.setScript([...replies, reply('Done.')]);
    const end = await place.run(
      [
        '-p',
        'Go',
        '--permission-mode',
        'bypassPermissions',
        '--mcp-config',
        JSON.stringify({ mcpServers: { odd: oddServer('echo') } }),
      ],
      { url: server.url, env: { CLAUDE_CODE_ENABLE_TASKS: '0' } },
    );
    assert.equal(end.code, 0, end.stderr);
    ({ stderr } = end);
    log = await place.transcript();
    seen = new Map(
      (await readFile(path.join(home, 'seen'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Seen)
        .map((one) => [one.tool_use_id, one]),
    );
    const messages = (server.requests.at(-1)?.body as { messages: { content: unknown }[] }).messages;
    results = new Map(
      messages
        .flatMap(({ content }) => (Array.isArray(content) ? (content as Record<string, unknown>[]) : []))
        .filter(({ type }) => type === 'tool_result')
        .map((block) => [String(block['tool_use_id']), block as never]),
    );
  });

  after(async () => {
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });

  /** What a file of a command's output held when the turn ended. */
  const keptFile = (file: string): string => path.join(place.home, path.basename(file));
  const resultOf = (id: string): string => {
    const result = results.get(id);
    assert.ok(result, `${id} has a result`);
    const { content } = result;
    return typeof content === 'string' ? content : JSON.stringify(content);
  };
  const recordOf = (id: string): string => {
    const record = log.find((one) => one['type'] === 'user' && JSON.stringify(one).includes(`"tool_use_id":"${id}"`));
    assert.ok(record, `${id} is in the log`);
    return JSON.stringify(record);
  };

  for (const [at, row] of rows.entries())
    describe(row.name, () => {
      const plain = idOf(at, 'plain');
      /** Apart from what differs from call to call. */
      const as = (id: string, other: string): string =>
        resultOf(id)
          .replaceAll(id, other)
          .replaceAll(/agentId: \w+|duration_ms: \d+|(?<=\/)\d+(?=\.out\b)/g, '');

      it('is shown in the public shape', () => {
        const one = seen.get(plain);
        assert.equal(one?.tool_name, row.tool);
        assert.deepEqual(one?.tool_input, absolute(row.input(plain, place), row.tool, place));
        row.shown(one?.tool_response as never, plain, place);
      });

      it('stays as it is where a hook gives back what it was shown', () => {
        assert.match(as(plain, plain), /SECRET|The list is saved|Updated code cell|has been updated/);
        assert.equal(as(idOf(at, 'echo'), plain), as(plain, plain));
      });

      it('has nothing of what a hook took out: for the model, and in the log', () => {
        const id = idOf(at, 'redact');
        assert.equal(as(id, plain), as(plain, plain).replaceAll('SECRET', '[gone]'));
        assert.doesNotMatch(recordOf(id), /SECRET/);
      });

      it('is what a hook gives in the documented shape', () => {
        const id = idOf(at, 'given');
        assert.match(resultOf(id), row.tool === 'TodoWrite' ? /The list is saved/ : /\[given\]/);
        assert.match(recordOf(id), /\[given\]/);
        assert.doesNotMatch(recordOf(id), /SECRET/);
        assert.equal(results.get(id)?.is_error, undefined);
      });

      it('is withheld where a hook gives something else: the error names the field, and the user is told', () => {
        const id = idOf(at, 'wrong');
        assert.equal(results.get(id)?.is_error, true);
        assert.match(resultOf(id), /has run, but its output is withheld/);
        assert.match(resultOf(id), row.problem);
        assert.doesNotMatch(recordOf(id), /SECRET/);
        assert.match(
          stderr,
          new RegExp(
            `PostToolUse:${row.tool} had a problem: It replaced the output of ${row.tool}.*${row.problem.source}`,
          ),
        );
      });
    });

  it('leaves what Deft itself says beside a text of which a hook took something out', () => {
    assert.match(resultOf(firstRead), /^1\tone\n2\t\[gone\] two\n3\tthree\n\n<system-reminder>What Read shows/);
    const said = [...results.keys()].filter((id) => resultOf(id).includes('What Read shows'));
    assert.deepEqual(said, [firstRead]);
  });

  it('leaves nothing of it in files of results', async () => {
    const long = rows.findIndex(({ name }) => name === 'Bash with a long output');
    const named = (id: string): string | undefined =>
      /of it are in ([^\]]+): use Read or Grep\]/.exec(resultOf(id))?.[1];
    const stored = [...results.keys()].filter((id) => named(id) !== undefined);
    assert.deepEqual(
      stored.sort(),
      ['echo', 'given', 'plain', 'redact'].map((answer) => idOf(long, answer)),
    );
    const holdSecret: string[] = [];
    for (const id of stored) {
      const kept = await readFile(keptFile(named(id) ?? ''), 'utf8');
      const pattern = { plain: 'SECRET', echo: 'SECRET', redact: '[gone]', given: '[given]' }[
        id.split('_').at(-1) ?? ''
      ];
      assert.equal(kept.includes('SECRET'), pattern === 'SECRET', id);
      assert.ok(kept.includes(pattern ?? ''), id);
      if (pattern === 'SECRET') holdSecret.push(path.basename(named(id) ?? ''));
    }
    // The withheld one too, which names no file.
    const outputs = (await readdir(place.home)).filter((name) => name.endsWith('.out'));
    const holding = [];
    for (const name of outputs)
      if ((await readFile(keptFile(name), 'utf8')).includes('SECRET\n1\n')) holding.push(name);
    assert.deepEqual(holding.sort(), holdSecret.sort());
    assert.doesNotMatch(stderr, /still has the original output/);
  });
});

const notebook = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    {
      id: 'c1',
      cell_type: 'code',
      metadata: {},
      execution_count: 1,
      source: 'print("SECRET")',
      outputs: [{ output_type: 'stream', name: 'stdout', text: 'SECRET' }],
    },
  ],
});

function inputPath(input: Fields): string {
  return String(input['notebook_path'] ?? input['file_path']);
}

/** Paths of built-in tools are absolute for hooks; those of servers are as they are. */
function absolute(input: Fields, tool: string, place: HeadlessPlace): Fields {
  return typeof input['path'] === 'string' && !tool.startsWith('mcp__')
    ? { ...input, path: path.join(place.workspace, input['path']) }
    : input;
}
