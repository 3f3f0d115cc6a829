// Commands behind a terminal of util-linux `script`: the same codes and bytes, and somebody can type.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandResult } from '../../../../src/core/ports/terminal';
import { type Log } from '../../../../src/core/ports/log';
import { createCapturedTerminal, type CapturedTerminal } from '../../../../src/node/terminal/captured-terminal';
import { cleanEnvironment } from '../../../../src/node/terminal/command-environment';
import { type ProcessLaunch } from '../../../../src/node/terminal/launcher';
import { hasScript, launchTerminalProcess } from '../../../../src/node/terminal/process-launcher';
import { waitsForInput } from '../../../../src/node/terminal/process-input';
import { differences, plainSpawn, SHAPES } from './battery';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

describe('commands behind a terminal', function () {
  let root: string;
  let terminal: CapturedTerminal;
  /** The running command, and what its terminal shows. */
  let launched: ProcessLaunch | undefined;
  let shown = '';
  let interrupt: () => void = () => undefined;
  let serial = 0;

  before(async function () {
    if (!(await hasScript())) {
      console.log('Skipped: there is no `script` of util-linux here.');
      this.skip();
    }
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    const environment = cleanEnvironment({ ...process.env, SHELL: '/bin/sh' });
    terminal = createCapturedTerminal({
      log: silent,
      root,
      environment: async () => environment,
      launch: async (request) => {
        shown = '';
        interrupt = request.onInterrupt;
        launched = await launchTerminalProcess(request, { columns: 97, rows: 31 });
        launched.output?.on('data', (chunk: Buffer) => (shown += chunk.toString('latin1')));
        return launched;
      },
    });
  });

  after(async () => {
    await terminal?.dispose();
    if (root) rmSync(root, { recursive: true, force: true });
  });

  const run = (command: string, timeoutMs = 15_000) =>
    terminal.run(
      { id: `call-${++serial}`, command, cwd: root, timeoutMs, background: false, onTimeout: 'kill' },
      () => undefined,
      new AbortController().signal,
    );
  /** Runs a command that makes the file `$up` when it is ready, then types, each text when the terminal shows `when`. */
  async function typeInto(command: string, ...steps: { when?: string; type: string }[]): Promise<CommandResult> {
    const up = path.join(root, `up-${++serial}`);
    const done = run(command.replaceAll('$up', up));
    await until(() => existsSync(up));
    for (const { when, type } of steps) {
      if (when !== undefined) await until(() => shown.includes(when));
      launched?.type(type);
    }
    return done;
  }

  it('do what plain bash does', async function () {
    this.timeout(240_000);
    assert.deepEqual(
      await differences(
        SHAPES.filter(({ readsInput }) => !readsInput),
        root,
        run,
      ),
      [],
    );
  });

  it('know the size of the terminal, and have the shell of the user', async () => {
    assert.equal((await run('stty size; echo $SHELL')).output, '31 97\n/bin/sh\n');
  });

  it('read what is typed', async () => {
    const result = await typeInto(
      'touch $up; read -r -p "Name? " x; echo "got $x"; cat',
      { when: 'Name? ', type: 'Ada\r' },
      { when: 'got', type: 'more\r' },
      { when: 'more\r\nmore', type: '\u0004' },
    );
    assert.deepEqual(result.end, { state: 'exited', code: 0 });
    assert.equal(result.output, 'Name? got Ada\nmore\n');
    assert.match(shown, /Name\? Ada\r\ngot Ada\r\nmore\r\nmore\r\n/);
  });

  it('do not show a password', async () => {
    const result = await typeInto('stty -echo; touch $up; read -r p; stty echo; echo "${#p}"', { type: 's3cret\r' });
    assert.equal(result.output, '6\n');
    assert.ok(!shown.includes('s3cret'));
  });

  it('can be interrupted', async () => {
    const done = typeInto("trap 'kill $!; echo cleaned; exit 42' INT; sleep 64.5 & touch $up; wait", {
      type: '\u0003',
    });
    await until(() => shown.includes('^C'));
    interrupt();
    const result = await done;
    assert.equal(result.output, 'cleaned\n');
    assert.ok(['interrupted', 'exited'].includes(result.end.state) && 'code' in result.end && result.end.code === 42);
  });

  it('end by Ctrl+C where they do nothing about it', async () => {
    const done = run('sleep 65.5; echo not reached');
    // A shell that is between two commands would swallow the signal, as plain bash does.
    await until(async () => (await plainSpawn("pgrep -fx 'sleep 65.5'", '/')).output !== '');
    launched?.type('\u0003');
    const result = await done;
    assert.equal(result.output, '');
    assert.deepEqual(result.end, { state: 'signalled', signal: 'SIGINT', code: 130 });
  });

  it('leave background processes alive when the terminal is gone', async () => {
    const result = await run('sleep 1.75 >/dev/null 2>&1 & echo started');
    await launched?.over;
    assert.deepEqual(
      result.survivors.map(({ command }) => command),
      ['sleep 1.75'],
    );
    assert.equal(Number((await plainSpawn("pgrep -fx 'sleep 1.75' | wc -l", '/')).output), 1);
  });

  it('are seen to wait for input, or not', async () => {
    if (process.platform !== 'linux') return void console.log('Skipped: Linux only.');
    const group = path.join(root, 'group');
    const done = run(`echo $$ >${group}.part; mv ${group}.part ${group}; read -r x; sleep 0.5`);
    await until(() => existsSync(group));
    const pid = Number((await plainSpawn(`cat ${group}`, '/')).output);
    while (!(await waitsForInput(pid)));
    launched?.type('x\r');
    while (await waitsForInput(pid));
    assert.deepEqual((await done).end, { state: 'exited', code: 0 });
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
