// The Bash tool over a terminal that answers as scripted: what it asks for, where it continues, what it shows.
import assert from 'node:assert/strict';
import {
  type CommandProgress,
  type CommandRequest,
  type CommandResult,
  type Terminal,
} from '../../../../../src/core/ports/terminal';
import { createReadState } from '../../../../../src/core/sessions/read-state';
import { bashTool, createBashTool, type BashInput } from '../../../../../src/core/tools/bash/bash';
import { isFailure, type ToolContext, type ToolProgress } from '../../../../../src/core/tool/tool';
import { createMemoryFiles, type MemoryEntry } from '../../../../support/memory-files';
import { said } from '../../../../../src/core/text/words';

const DIRECTORY: MemoryEntry = { type: 'directory' };

function setUp(answer: Partial<CommandResult> = {}, cwd = '/w', folders = ['/w']) {
  const requests: CommandRequest[] = [];
  const progress: ToolProgress[] = [];
  const report: CommandProgress = { tail: 'half', bytes: 4, durationMs: 1 };
  const terminal: Terminal = {
    run: async (request, onProgress) => {
      requests.push(request);
      onProgress(report);
      return {
        end: { state: 'exited', code: 0 },
        output: 'out\n',
        omittedBytes: 0,
        totalBytes: 4,
        incomplete: false,
        outputPath: '/tmp/d/1.out',
        cwd: request.cwd,
        durationMs: 5,
        survivors: [],
        notes: [],
        ...answer,
      };
    },
    background: () => [],
    output: async () => undefined,
    moveToBackground: () => false,
    stop: async () => false,
    onBackgroundEnd: () => () => undefined,
    dispose: async () => undefined,
  };
  const context = {
    toolUseId: 'toolu_1',
    signal: new AbortController().signal,
    session: {
      id: 's',
      cwd,
      folders,
      allowedFolders: () => [...folders, '/added'],
      home: '/home/p',
      resultsDirectory: '/r',
      readState: createReadState(),
      isHidden: () => false,
    },
    ports: {
      files: createMemoryFiles({
        '/w': DIRECTORY,
        '/w/src': DIRECTORY,
        '/other': DIRECTORY,
        '/added/deep': DIRECTORY,
        '/w/..cache': DIRECTORY,
      }),
      terminal,
    },
    onProgress: (step: ToolProgress) => void progress.push(step),
  } as unknown as ToolContext;
  const call = async (input: BashInput, tool = bashTool) => {
    const done = await tool.call(input, context);
    if (isFailure(done)) throw new Error(said(done.failure.message));
    return done;
  };
  return { requests, progress, report, call };
}

describe('Bash', () => {
  it('asks the terminal for exactly the command', async () => {
    const { requests, progress, report, call } = setUp();
    await call({ command: " echo 'a  b'\n", description: 'Say it' });
    assert.deepEqual(requests, [
      {
        id: 'toolu_1',
        command: " echo 'a  b'\n",
        cwd: '/w',
        timeoutMs: 120_000,
        shownCharacters: 30_000,
        background: false,
        onTimeout: 'background',
        description: 'Say it',
      },
    ]);
    assert.deepEqual(progress, [{ kind: 'command', progress: report }]);
  });

  it('lets 30,000 characters of output through, unless the user has set another limit', () => {
    assert.deepEqual(
      [createBashTool(), createBashTool({ maxOutputLength: 500 })].map(({ maxResultSizeChars }) => maxResultSizeChars),
      // With room for notes: the output itself is cut before.
      [40_000, 10_500],
    );
  });

  it('keeps timeouts within the limits of the host', async () => {
    const { requests, call } = setUp();
    await call({ command: 'x', timeout: 900_000 });
    await call({ command: 'x', timeout: 5 });
    const tool = createBashTool({ defaultTimeoutMs: 1000, maxTimeoutMs: 2000 });
    await call({ command: 'x' }, tool);
    await call({ command: 'x', timeout: 9000 }, tool);
    assert.deepEqual(
      requests.map(({ timeoutMs }) => timeoutMs),
      [600_000, 5, 1000, 2000],
    );
    const text = await tool.prompt({ toolNames: [], platform: 'linux', shell: 'bash' });
    assert.match(text, /default 1000, maximum 2000/);
  });

  it('runs in the background on request', async () => {
    const { requests, call } = setUp({ end: { state: 'background', taskId: 'bash_1', reason: 'asked' }, output: '' });
    const { data } = await call({ command: 'npm run dev', run_in_background: true });
    assert.equal(requests[0]?.background, true);
    assert.equal(bashTool.detail(data), 'in the background');
    assert.equal((bashTool.view(data, { command: 'npm run dev' }) as { taskId?: string }).taskId, 'bash_1');
  });

  describe('goes on', () => {
    const cases: [string, string, string, string | undefined, RegExp | undefined][] = [
      ['in the same folder', '/w', '/w', undefined, undefined],
      ['in a folder inside the workspace', '/w', '/w/src', '/w/src', undefined],
      ['in another workspace folder', '/w/src', '/other', '/other', undefined],
      ['in a folder whose name begins with two dots', '/w', '/w/..cache', '/w/..cache', undefined],
      ['in a folder that was added', '/w', '/added', '/added', undefined],
      ['inside a folder that was added', '/w', '/added/deep', '/added/deep', undefined],
      ['in the main folder after the one above it', '/w/src', '/', '/w', /reset to \/w\.$/],
      [
        'in the main folder after one outside',
        '/w/src',
        '/etc',
        '/w',
        /^The command ended in \/etc, outside the workspace\. Shell cwd was reset to \/w\.$/,
      ],
      ['in the main folder after a namesake outside', '/w', '/w-other', undefined, /reset to \/w/],
    ];
    for (const [name, cwd, ended, expected, note] of cases) {
      it(name, async () => {
        const { call } = setUp({ cwd: ended }, cwd, ['/w', '/other']);
        const done = await call({ command: 'cd somewhere' });
        assert.deepEqual(done.contextModifier, expected === undefined ? undefined : { cwd: expected });
        const [place, ...notes] = done.data.stderr.split('\n');
        assert.equal(place, `It ran in ${cwd}.`, 'one of several folders');
        if (note) assert.match(notes.join('\n'), note);
        else assert.deepEqual(notes, []);
      });
    }

    it('never elsewhere than in the folder that it was judged in', async () => {
      const { requests, call } = setUp({}, '/w/gone');
      await call({ command: 'ls' });
      assert.equal(requests[0]?.cwd, '/w/gone', 'whether it is there is for the terminal to say');
    });
  });

  it('shows state, code and the last lines', async () => {
    const { call } = setUp({ end: { state: 'exited', code: 3 }, output: 'x'.repeat(9000), totalBytes: 9000 });
    const { data } = await call({ command: 'fail' });
    assert.deepEqual(bashTool.view(data, { command: 'fail' }), {
      kind: 'terminal',
      command: 'fail',
      state: 'exited',
      exitCode: 3,
      tail: 'x'.repeat(4000),
      bytes: 9000,
      outputPath: '/tmp/d/1.out',
    });
    assert.equal(bashTool.detail(data), 'exit 3');
  });

  it('names itself by the first line', () => {
    assert.deepEqual(bashTool.describe({ command: 'npm test' }), { now: 'Running npm test', past: 'Ran npm test' });
    assert.equal(bashTool.describe({ command: 'cat <<E\nx\nE' }).past, 'Ran cat <<E …');
    assert.equal(bashTool.describe({ command: 'npm run dev', run_in_background: true }).past, 'Started npm run dev');
  });

  it('runs beside others only where it reads', () => {
    assert.equal(bashTool.isConcurrencySafe({ command: 'ls -la' }), true);
    assert.equal(bashTool.isConcurrencySafe({ command: 'ls && rm x' }), false);
    assert.equal(bashTool.isConcurrencySafe({ command: 'ls', run_in_background: true }), false);
    assert.deepEqual(bashTool.targets({ command: 'ls' }, '/w'), [{ kind: 'command', command: 'ls' }]);
  });
});
