// Commands of the headless host against plain bash: codes, bytes, ends, leftovers.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BackgroundCommand, type CommandProgress, type CommandRequest } from '../../../../src/core/ports/terminal';
import { type Log } from '../../../../src/core/ports/log';
import { OUTPUT_LIMIT_BYTES } from '../../../../src/node/terminal/command-run';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import { createCapturedTerminal, type CapturedTerminal } from '../../../../src/node/terminal/captured-terminal';
import { launchPlainProcess } from '../../../../src/node/terminal/process-launcher';
import { differences, endOf, plainSpawn, SHAPES } from './battery';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

describe('commands without a terminal', () => {
  let root: string;
  let terminal: CapturedTerminal;
  let serial = 0;

  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    terminal = createNodeTerminal({ log: silent, environment: process.env, root });
  });

  after(async () => {
    await terminal.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  const request = (command: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    id: `call-${++serial}`,
    command,
    cwd: root,
    timeoutMs: 15_000,
    background: false,
    onTimeout: 'kill',
    ...more,
  });
  const run = (command: string, more: Partial<CommandRequest> = {}, signal = new AbortController().signal) =>
    terminal.run(request(command, more), () => undefined, signal);

  it('do what plain bash does', async function () {
    this.timeout(240_000);
    assert.deepEqual(await differences(SHAPES, root, run), []);
  });

  describe('keep git', () => {
    const ask =
      'git config --get alias.x; git config --get user.name; git config core.fsmonitor; git config safe.bareRepository; echo $GIT_CONFIG_COUNT';
    const answer = async (own: NodeJS.ProcessEnv): Promise<string[]> => {
      const other = createNodeTerminal({
        log: silent,
        environment: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_COUNT: undefined, ...own },
        root,
      });
      const result = await other.run(request(ask), () => undefined, new AbortController().signal);
      await other.dispose();
      return result.output.trimEnd().split('\n');
    };

    it("from running what a repository names, behind the user's own settings", async () => {
      const own = {
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: 'alias.x',
        GIT_CONFIG_VALUE_0: 'status',
        GIT_CONFIG_KEY_1: 'core.fsmonitor',
        GIT_CONFIG_VALUE_1: '/bin/own',
      };
      assert.deepEqual(await answer(own), ['status', 'false', 'explicit', '4']);
      assert.deepEqual(await answer({}), ['false', 'explicit', '2']);
    });

    it('where the number of pairs is odd', async () => {
      const own = { GIT_CONFIG_KEY_0: 'alias.x', GIT_CONFIG_VALUE_0: 'status' };
      assert.deepEqual(await answer({ ...own, GIT_CONFIG_COUNT: '01' }), ['status', 'false', 'explicit', '3']);
      for (const count of ['', '-1', 'many', '99999999999'])
        assert.deepEqual(await answer({ ...own, GIT_CONFIG_COUNT: count }), ['false', 'explicit', '2'], count);
    });
  });

  describe('end honestly', () => {
    it('keeps the folder that the command ended in', async () => {
      const result = await run('cd /usr/bin; false');
      assert.equal(result.cwd, '/usr/bin');
      assert.deepEqual(result.end, { state: 'exited', code: 1 });
      assert.equal((await run('pwd')).output, `${root}\n`, 'the next command starts where the request says');
    });

    it('does not start in a folder that does not exist', async () => {
      const result = await run('echo x', { cwd: path.join(root, 'gone') });
      assert.deepEqual(result.end, { state: 'not-started', message: `The folder ${root}/gone does not exist.` });
    });

    it('kills at the timeout, with everything the command started', async () => {
      const result = await run('setsid sleep 31.5 & echo "$!"; sleep 31.5', { timeoutMs: 300 });
      assert.deepEqual(result.end, { state: 'killed', by: 'timeout' });
      assert.deepEqual(result.survivors, []);
      assert.equal(await living('sleep 31.5'), 0);
      assert.match(result.output, /^\d+\n$/);
    });

    it('kills what dropped its environment and its session', async function () {
      if (process.platform !== 'linux') this.skip();
      const controller = new AbortController();
      const result = await terminal.run(
        request('env -i setsid sleep 38.5 & echo up; sleep 38.5'),
        () => controller.abort(),
        controller.signal,
      );
      assert.deepEqual(result.end, { state: 'killed', by: 'abort' });
      assert.equal(await living('sleep 38.5'), 0);
    });

    it('names what did so and lost its parent, where it was seen below the command', async function () {
      if (process.platform !== 'linux') this.skip();
      const go = path.join(root, 'go-orphan');
      const command = `sh -c 'env -i setsid sleep 9.125 >/dev/null 2>&1 & until [ -e ${go} ]; do echo x; sleep 0.02; done'; echo end`;
      let reports = 0;
      // Each report comes behind a look; the one behind the second has the process in it.
      const result = await terminal.run(
        request(command),
        () => void (++reports === 3 && writeFileSync(go, '')),
        new AbortController().signal,
      );
      assert.deepEqual(result.end, { state: 'exited', code: 0 });
      assert.deepEqual(
        result.survivors.map((survivor) => survivor.command),
        ['sleep 9.125'],
      );
    });

    it('names what is left of the command itself without the words of the wrapper', async function () {
      if (process.platform !== 'linux') this.skip();
      const result = await run('(sleep 9.375; echo late) & echo started');
      assert.deepEqual(
        result.survivors.map(({ command }) => command),
        ['a part of the command itself', 'sleep 9.375'],
      );
    });

    it('kills what ignores SIGTERM', async () => {
      const result = await run('trap "" TERM; echo ready; sleep 32.5; sleep 32.5', { timeoutMs: 300 });
      assert.deepEqual(result.end, { state: 'killed', by: 'timeout' });
      assert.equal(result.output, 'ready\n');
      assert.equal(await living('sleep 32.5'), 0);
    });

    it('lets a command clean up when it is killed', async () => {
      const result = await run('trap "echo cleaned; exit 0" TERM; echo ready; sleep 33 & wait', { timeoutMs: 300 });
      assert.deepEqual(result.end, { state: 'killed', by: 'timeout' });
      assert.equal(result.output, 'ready\ncleaned\n');
    });

    it('ends the process tree on abort', async () => {
      const controller = new AbortController();
      const started = terminal.run(
        request('echo up; sleep 34.5 & (sleep 34.5; true)'),
        ({ tail }) => void (tail.includes('up') && controller.abort()),
        controller.signal,
      );
      assert.deepEqual((await started).end, { state: 'killed', by: 'abort' });
      assert.equal(await living('sleep 34.5'), 0);
    });

    it('starts nothing after an abort', async () => {
      const file = path.join(root, 'never');
      const result = await run(`touch ${file}`, {}, AbortSignal.abort());
      assert.deepEqual(result.end, { state: 'killed', by: 'abort' });
      assert.equal(existsSync(file), false);
    });

    it('names the processes that a command leaves behind', async () => {
      const result = await run(
        'setsid sleep 2.25 >/dev/null 2>&1 & sleep 2.75 & until pgrep -fx "sleep 2.75" >/dev/null; do :; done; echo started',
      );
      assert.deepEqual(result.end, { state: 'exited', code: 0 });
      assert.equal(result.output, 'started\n');
      assert.deepEqual(result.survivors.map(({ command }) => command).sort(), ['sleep 2.25', 'sleep 2.75']);
      assert.ok(result.survivors.every(({ pid }) => pid > 1));
    });

    it('knows a shell killed from outside from one that left in order', async () => {
      assert.deepEqual((await run('exit 137')).end, { state: 'exited', code: 137 });
      assert.deepEqual((await run('kill -KILL $$')).end, { state: 'signalled', signal: 'SIGKILL', code: 137 });
    });

    it('says that a command stopped itself', async () => {
      const result = await run('echo before; kill -STOP $$; echo after');
      assert.deepEqual(result.end, { state: 'suspended' });
      assert.equal(result.output, 'before\n');
      assert.match(result.notes.join(), /stopped itself/);
    });

    it('does not guess an exit code when its wrapper was killed', async () => {
      const result = await run('echo seen; kill -9 $PPID; sleep 30');
      assert.equal(result.end.state, 'lost');
      assert.equal(result.incomplete, true);
      assert.equal(result.output, 'seen\n');
    });

    it('says that output is incomplete when its writer was killed', async () => {
      const result = await run('echo seen; sleep 0.2; pkill -9 -P $PPID cat; sleep 0.1; exit 3');
      assert.deepEqual(result.end, { state: 'exited', code: 3 });
      assert.equal(result.incomplete, true);
      assert.equal(result.output, 'seen\n');
    });

    it('kills a command that prints without end', async () => {
      const small = createNodeTerminal({ log: silent, environment: process.env, root, outputLimitBytes: 1_000_000 });
      const result = await small.run(request('yes'), () => undefined, new AbortController().signal);
      assert.deepEqual(result.end, { state: 'killed', by: 'limit' });
      assert.ok(result.totalBytes > 1_000_000);
      assert.equal(OUTPUT_LIMIT_BYTES, 5 * 1024 ** 3, 'what it is where nobody says otherwise');
      await small.dispose();
    });

    it('is not started where its files cannot be written', async () => {
      const nowhere = createNodeTerminal({ log: silent, environment: process.env, root: path.join(root, 'absent') });
      const result = await nowhere.run(request('echo x'), () => undefined, new AbortController().signal);
      assert.equal(result.end.state, 'not-started');
    });

    it('runs several commands at the same time', async () => {
      const results = await Promise.all([3, 1, 2].map((code) => run(`sleep 0.0${code}; echo ${code}; exit ${code}`)));
      assert.deepEqual(
        results.map(({ end }) => endOf(end)),
        ['code 3', 'code 1', 'code 2'],
      );
      assert.deepEqual(
        results.map(({ output }) => output),
        ['3\n', '1\n', '2\n'],
      );
    });
  });

  describe('output', () => {
    it('is whole in its file and without the end mark', async () => {
      const result = await run('seq 1 1500000');
      const whole = readFileSync(result.outputPath, 'utf8');
      assert.equal(whole, Array.from({ length: 1_500_000 }, (_, index) => `${index + 1}\n`).join(''));
      assert.equal(result.totalBytes, whole.length);
      assert.ok(result.omittedBytes > 0);
      assert.ok(result.output.startsWith('1\n2\n') && result.output.endsWith('\n1499999\n1500000\n'));
      assert.ok(
        result.output.includes(
          `[... ${result.omittedBytes} bytes left out here; all of it is in ${result.outputPath} ...]`,
        ),
      );
    });

    it('is reported while it grows, in whole characters', async () => {
      const reports: CommandProgress[] = [];
      const go = path.join(root, 'go');
      const done = terminal.run(
        request(`printf '${'🎉'.repeat(2000)}x'; until [ -e ${go} ]; do sleep 0.02; done; echo end`),
        (progress) => {
          reports.push(progress);
          void plainSpawn(`touch ${go}`, root);
        },
        new AbortController().signal,
      );
      const result = await done;
      assert.equal(result.output, `${'🎉'.repeat(2000)}xend\n`);
      const first = reports[0];
      assert.ok(first);
      assert.equal(first.bytes, 8001);
      assert.match(first.tail, /^(🎉)+x$/u);
    });

    it('of a background process that writes late stays in the file', async () => {
      const result = await run('(sleep 0.3; echo late) & echo now');
      assert.equal(result.output, 'now\n');
      await until(() => readFileSync(result.outputPath, 'utf8').endsWith('late\n'));
    });
  });

  describe('in the background', () => {
    const ended = (taskId: string) =>
      new Promise<BackgroundCommand>((resolve) => {
        const stop = terminal.onBackgroundEnd((command) => {
          if (command.taskId !== taskId) return;
          stop();
          resolve(command);
        });
      });

    it('starts at once, is listed, and tells its end', async () => {
      const result = await run('echo one; sleep 0.3; echo two; exit 7', { background: true, description: 'Count' });
      assert.equal(result.end.state, 'background');
      const taskId = result.end.state === 'background' ? result.end.taskId : '';
      const listed = terminal.background().find((command) => command.taskId === taskId);
      assert.deepEqual([listed?.description, listed?.end], ['Count', undefined]);
      const command = await ended(taskId);
      assert.deepEqual(command.end, { state: 'exited', code: 7 });
      assert.equal(readFileSync(command.outputPath, 'utf8'), 'one\ntwo\n');
    });

    it('goes on after its timeout', async () => {
      const go = path.join(root, 'go-on');
      const result = await run(`echo first; until [ -e ${go} ]; do sleep 0.02; done; echo second`, {
        timeoutMs: 300,
        onTimeout: 'background',
      });
      assert.deepEqual({ ...result.end, taskId: '' }, { state: 'background', taskId: '', reason: 'timeout' });
      assert.equal(result.output, 'first\n');
      const end = ended(result.end.state === 'background' ? result.end.taskId : '');
      await plainSpawn(`touch ${go}`, root);
      assert.deepEqual((await end).end, { state: 'exited', code: 0 });
      assert.equal(readFileSync(result.outputPath, 'utf8'), 'first\nsecond\n');
    });

    it('is moved there by the user, and abort does not reach it any more', async () => {
      const controller = new AbortController();
      const asked = request('echo up; sleep 0.5; echo done');
      const result = await terminal.run(asked, () => void terminal.moveToBackground(asked.id), controller.signal);
      assert.deepEqual({ ...result.end, taskId: '' }, { state: 'background', taskId: '', reason: 'user' });
      const end = ended(result.end.state === 'background' ? result.end.taskId : '');
      controller.abort();
      assert.deepEqual((await end).end, { state: 'exited', code: 0 });
      assert.equal(terminal.moveToBackground(asked.id), false);
    });

    it('is moved there also where it prints nothing, since it is told of once', async () => {
      const asked = request('sleep 36.5');
      const snapshots: CommandProgress[] = [];
      const move = (progress: CommandProgress) => void (snapshots.push(progress), terminal.moveToBackground(asked.id));
      const { end } = await terminal.run(asked, move, new AbortController().signal);
      assert.deepEqual([end.state, snapshots.map(({ tail, bytes }) => [tail, bytes])], ['background', [['', 0]]]);
      assert.equal(await terminal.stop(end.state === 'background' ? end.taskId : '', 'user'), true);
    });

    it('is stopped on request, once', async () => {
      const result = await run('sleep 35.5', { background: true });
      const taskId = result.end.state === 'background' ? result.end.taskId : '';
      assert.equal(await terminal.stop(taskId, 'agent'), true);
      assert.equal(await terminal.stop(taskId, 'agent'), false);
      assert.equal(await living('sleep 35.5'), 0);
      const listed = terminal.background().find((command) => command.taskId === taskId);
      assert.deepEqual(listed?.end, { state: 'killed', by: 'agent' });
    });

    it("goes on in the next session where it lives in the user's own terminal", async () => {
      const own = (workspace: string) =>
        createCapturedTerminal({
          launch: launchPlainProcess,
          log: silent,
          root,
          environment: async () => process.env,
          workspace,
        });
      const before = own('here');
      const go = path.join(root, 'go-after');
      const asked = request(`echo one; until [ -e ${go} ]; do sleep 0.02; done; echo two; exit 6`, {
        background: true,
      });
      const result = await before.run(asked, () => undefined, new AbortController().signal);
      await until(() => readFileSync(result.outputPath, 'utf8') === 'one\n');
      const quick = request('echo quick; exit 5', { background: true });
      const ended = await before.run(quick, () => undefined, new AbortController().signal);
      await until(() => before.background().filter(({ end }) => end).length === 1);
      await before.dispose();
      assert.match(readFileSync(ended.outputPath, 'utf8'), /^quick\n/);

      assert.equal(await own('elsewhere').takeOver(), 0);
      const next = own('here');
      const reported = new Promise<BackgroundCommand>((resolve) => next.onBackgroundEnd(resolve));
      assert.equal(await next.takeOver(), 1, 'the command whose end was told is not told again');
      assert.equal(await own('here').takeOver(), 0, 'one session takes it');
      const [listed] = next.background();
      await next.run(request('true'), () => undefined, new AbortController().signal);
      const [newest, taken] = next.outputDirectories();
      assert.deepEqual(
        [taken, newest !== taken],
        [path.dirname(result.outputPath), true],
        'its output stays readable beside that of new commands',
      );
      assert.deepEqual([listed?.command, listed?.outputPath], [asked.command, result.outputPath]);
      await plainSpawn(`touch ${go}`, root);
      assert.deepEqual((await reported).end, { state: 'exited', code: 6 });
      assert.equal(readFileSync(result.outputPath, 'utf8'), 'one\ntwo\n');
      await next.dispose();
    });

    it('is lost, and said to be, where it died between two sessions', async () => {
      const own = () =>
        createCapturedTerminal({
          launch: launchPlainProcess,
          log: silent,
          root,
          environment: async () => process.env,
          workspace: 'lost',
        });
      const before = own();
      const result = await before.run(
        request('echo $PPID $$; sleep 37.5', { background: true }),
        () => undefined,
        new AbortController().signal,
      );
      await until(() => readFileSync(result.outputPath, 'utf8').endsWith('\n'));
      await before.dispose();
      await plainSpawn(`kill -9 ${readFileSync(result.outputPath, 'utf8')}`, root);
      const next = own();
      const reported = new Promise<BackgroundCommand>((resolve) => next.onBackgroundEnd(resolve));
      await next.takeOver();
      assert.equal((await reported).end?.state, 'lost');
      await next.dispose();
      assert.equal(await living('sleep 37.5'), 0, 'what the dead shell left behind was ended');
    });

    it('ends with the session', async () => {
      const other = createNodeTerminal({ log: silent, environment: process.env, root });
      await other.run(request('sleep 36.5', { background: true }), () => undefined, new AbortController().signal);
      await other.dispose();
      assert.equal(await living('sleep 36.5'), 0);
      const late = await other.run(request('echo x'), () => undefined, new AbortController().signal);
      assert.equal(late.end.state, 'not-started');
    });
  });
});

/** How many processes have exactly this command line. */
async function living(line: string): Promise<number> {
  const { output } = await plainSpawn(`pgrep -fx '${line}' | wc -l`, '/');
  return Number(output);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
