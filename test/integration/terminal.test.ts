// Commands in VS Code's terminals, both strategies, against plain bash.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type BackgroundCommand, type CommandRequest } from '../../src/core/ports/terminal';
import { type Log } from '../../src/core/ports/log';
import {
  createVscodeTerminal,
  type TerminalStrategy,
  type VscodeTerminal,
} from '../../src/vscode/terminal/vscode-terminal';
import { difference, endOf, plainSpawn, SHAPES } from '../unit/node/terminal/battery';
import { closeTerminals, ourTerminals } from './workspace-file';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
/** The soak sets how many commands each strategy runs, and the file for its figures. */
const SOAK = Number(process.env['SOAK_COMMANDS'] ?? 0);
const SOAK_REPORT = process.env['SOAK_REPORT'];

for (const strategy of ['managed', 'shell'] as const) {
  describe(`commands in terminals: ${strategy}`, () => {
    let root: string;
    let terminal: VscodeTerminal;
    let serial = 0;
    const waiting: { command: string; show: () => void }[] = [];

    before(() => {
      root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
      terminal = create(strategy, root, waiting);
    });

    after(async () => {
      await terminal.dispose();
      await closeTerminals();
      rmSync(root, { recursive: true, force: true });
    });

    const request = (command: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
      id: `call-${++serial}`,
      command,
      cwd: root,
      timeoutMs: 30_000,
      background: false,
      onTimeout: 'kill',
      ...more,
    });
    const run = (command: string, more: Partial<CommandRequest> = {}, signal = new AbortController().signal) =>
      terminal.run(request(command, more), () => undefined, signal);

    it('do what plain bash does', async function () {
      this.timeout(240_000 + SOAK * 2000);
      const shapes = SHAPES.filter(({ readsInput }) => !readsInput);
      const count = SOAK || shapes.length;
      const wrong: string[] = [];
      const times: number[] = [];
      for (let index = 0; index < count; index++) {
        const shape = shapes[index % shapes.length];
        assert.ok(shape);
        const truth = await plainSpawn(shape.command, root);
        const result = await run(shape.command);
        times.push(result.durationMs);
        const different = difference(shape, truth, result);
        if (different !== '') wrong.push(different);
      }
      times.sort((a, b) => a - b);
      const figures = {
        strategy,
        commands: count,
        wrong: wrong.length,
        medianMs: times[count >> 1],
        slowestMs: times[count - 1],
      };
      if (SOAK_REPORT) appendFileSync(SOAK_REPORT, `${JSON.stringify(figures)}\n`);
      assert.deepEqual(wrong, []);
      assert.equal(ourTerminals().length, 1, 'one terminal is used again and again');
    });

    it('keep 10 MB whole', async () => {
      const result = await run('seq 1 1400000');
      assert.deepEqual(result.end, { state: 'exited', code: 0 });
      const whole = readFileSync(result.outputPath);
      assert.equal(whole.length, result.totalBytes);
      assert.equal(whole.length, 10_088_896);
      assert.ok(whole.subarray(-16).equals(Buffer.from('1399999\n1400000\n')));
    });

    it('have a terminal for their input', async () => {
      const result = await run(
        '[ -t 0 ] && echo "$(stty size)"; [ -t 1 ] || echo no colours; echo to the user >/dev/tty',
      );
      assert.match(result.output, /^\d+ \d+\nno colours\n$/);
      assert.doesNotMatch(result.output, /^0 0/);
    });

    it('run side by side in terminals of their own', async () => {
      const [first, second] = await Promise.all([run('sleep 0.5; echo first'), run('sleep 0.5; echo second; exit 3')]);
      assert.deepEqual([first.output, second.output, endOf(second.end)], ['first\n', 'second\n', 'code 3']);
      assert.deepEqual(
        ourTerminals()
          .map(({ name }) => name)
          .sort(),
        ['Deft', 'Deft 2'],
      );
    });

    it('are each shown in the terminal where they ran', async () => {
      const [started, go] = [path.join(root, `shown-${strategy}`), path.join(root, `shown-go-${strategy}`)];
      const first = run(`touch ${started}; until [ -e ${go} ]; do sleep 0.05; done`, { id: `first-${strategy}` });
      await until(() => existsSync(started));
      await run('true', { id: `second-${strategy}` });
      writeFileSync(go, '');
      await first;
      assert.ok(terminal.show(`second-${strategy}`));
      await until(() => vscode.window.activeTerminal?.name === 'Deft 2');
      assert.ok(terminal.show(`first-${strategy}`));
      await until(() => vscode.window.activeTerminal?.name === 'Deft');
      assert.ok(terminal.show('of another window'), 'whichever there is');
    });

    it('end with their process tree on abort', async () => {
      const controller = new AbortController();
      const done = terminal.run(
        request('echo up; sleep 61.5 & setsid sleep 61.5; true'),
        ({ tail }) => void (tail.includes('up') && controller.abort()),
        controller.signal,
      );
      assert.deepEqual((await done).end, { state: 'killed', by: 'abort' });
      assert.equal(await living('sleep 61.5'), 0);
      assert.equal((await run('echo next')).output, 'next\n');
    });

    it('go on in the background after a timeout, and tell their end', async () => {
      const go = path.join(root, `go-${strategy}`);
      const ended = new Promise<BackgroundCommand>((resolve) => terminal.onBackgroundEnd(resolve));
      const result = await run(`echo one; until [ -e ${go} ]; do sleep 0.05; done; echo two; exit 4`, {
        timeoutMs: 2500,
        onTimeout: 'background',
      });
      assert.equal(result.end.state, 'background');
      assert.equal(result.output, 'one\n');
      assert.equal((await run('echo meanwhile')).output, 'meanwhile\n');
      await plainSpawn(`touch ${go}`, root);
      assert.deepEqual((await ended).end, { state: 'exited', code: 4 });
      assert.equal(readFileSync(result.outputPath, 'utf8'), 'one\ntwo\n');
    });

    it('end honestly when the user closes the terminal', async () => {
      const started = path.join(root, `started-${strategy}`);
      const done = run(`echo open; touch ${started}; sleep 62.5`);
      await until(() => existsSync(started));
      for (const each of ourTerminals()) each.dispose();
      const result = await done;
      assert.equal(result.end.state, 'closed');
      assert.equal(result.output, 'open\n');
      assert.equal(await living('sleep 62.5'), 0);
      assert.equal((await run('echo again')).output, 'again\n');
    });

    it('are typed into by the user', async () => {
      const started = path.join(root, `typed-${strategy}`);
      const done = run(
        `touch ${started}; read -r -p 'Name? ' name; read -r -s secret; echo "hello $name"; [ "$secret" = s3cret ]`,
      );
      await until(() => existsSync(started));
      await type('Ada\r');
      await type('s3cret\r');
      const result = await done;
      assert.deepEqual(result.end, { state: 'exited', code: 0 });
      assert.equal(result.output, 'Name? hello Ada\n');
    });

    it('are interrupted by Ctrl+C', async () => {
      const started = path.join(root, `interrupted-${strategy}`);
      const done = run(`trap 'kill $!; echo cleaned; exit 42' INT; sleep 63 & touch ${started}; wait`);
      await until(() => existsSync(started));
      await type('\u0003');
      const result = await done;
      assert.equal(result.output, 'cleaned\n');
      assert.deepEqual(
        result.end,
        strategy === 'managed' ? { state: 'interrupted', code: 42 } : { state: 'exited', code: 42 },
      );
    });

    it('have the variables of the settings', async () => {
      const settings = vscode.workspace.getConfiguration();
      const { Global } = vscode.ConfigurationTarget;
      await settings.update('terminal.integrated.env.linux', { FROM_VSCODE: 'one', BOTH: 'one' }, Global);
      await settings.update('deft.terminal.env', { BOTH: 'two ${userHome}', PAGER: 'mine', HOME_GONE: null }, Global);
      try {
        await closeTerminals();
        const { output } = await run('echo "$FROM_VSCODE, $BOTH, $PAGER, $GIT_PAGER"');
        assert.equal(output, `one, two ${process.env['HOME']}, mine, cat\n`);
      } finally {
        await settings.update('terminal.integrated.env.linux', undefined, Global);
        await settings.update('deft.terminal.env', undefined, Global);
      }
    });

    it('see no key, whatever the shell exports', async () => {
      const home = realpathSync(process.env['HOME'] ?? '');
      const files = ['.bashrc', '.profile'].map((name) => path.join(home, name));
      assert.ok(!files.some((file) => existsSync(file)), "this home folder is not the rig's own");
      for (const file of files) writeFileSync(file, 'export ANTHROPIC_API_KEY=sk-never-shown FROM_BASHRC=yes\n');
      const fresh = create(strategy, root, []);
      await closeTerminals();
      try {
        const seen = await fresh.run(
          request(
            "printenv FROM_BASHRC; printenv; tr '\\0' '\\n' </proc/self/environ; tr '\\0' '\\n' </proc/$PPID/environ",
          ),
          () => undefined,
          new AbortController().signal,
        );
        assert.match(seen.output, /^yes\n/);
        assert.ok(!seen.output.includes('sk-never-shown'));
      } finally {
        for (const file of files) rmSync(file);
        await fresh.dispose();
      }
    });

    if (strategy === 'shell') {
      it('are said to be suspended, and left to the user', async () => {
        const result = await run('echo before; kill -STOP $$; echo after');
        assert.deepEqual(result.end, { state: 'suspended' });
        assert.equal(result.output, 'before\n');
        assert.equal((await run('echo next')).output, 'next\n');
      });

      it('start although the user left something half-typed, and keep out of what the user runs', async () => {
        await closeTerminals();
        await run('true');
        const [first] = ourTerminals();
        await breath();
        first?.sendText("echo 'half", false);
        await breath();
        assert.equal((await run('echo clean')).output, 'clean\n');
        assert.equal(ourTerminals().length, 1);
        await breath();
        const seen = new Promise<void>((resolve) => {
          const listener = vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
            if (!execution.commandLine.value.includes('66.5')) return;
            listener.dispose();
            resolve();
          });
        });
        first?.sendText('sleep 66.5');
        await seen;
        assert.equal((await run('echo beside')).output, 'beside\n');
        assert.deepEqual(
          ourTerminals()
            .map(({ name }) => name)
            .sort(),
          ['Deft', 'Deft 2'],
        );
        await plainSpawn('pkill -fx "sleep 66.5"', root);
      });

      it('run once in a shell without integration, even where another program swallows the line first', async () => {
        await closeTerminals();
        const settings = vscode.workspace.getConfiguration('terminal.integrated');
        await settings.update('profiles.linux', { plain: { path: '/bin/sh' } }, vscode.ConfigurationTarget.Global);
        await settings.update('defaultProfile.linux', 'plain', vscode.ConfigurationTarget.Global);
        try {
          await until(() => vscode.env.shell === '/bin/sh');
          assert.equal((await run('echo plain')).output, 'plain\n');
          const [first] = ourTerminals();
          assert.equal(first?.shellIntegration, undefined);
          const taken = path.join(root, 'taken');
          first?.sendText(`touch ${taken}; read -r swallowed; read -r again; eval "$swallowed"; touch ${taken}.done`);
          await until(() => existsSync(taken));
          const once = path.join(root, 'once');
          assert.equal((await run(`echo ran >>${once}; cat ${once}`)).output, 'ran\n');
          assert.equal(ourTerminals().length, 2);
          first?.sendText('go on');
          await until(() => existsSync(`${taken}.done`));
          assert.equal(readFileSync(once, 'utf8'), 'ran\n', 'the line that came late ran nothing');
        } finally {
          await settings.update('profiles.linux', undefined, vscode.ConfigurationTarget.Global);
          await settings.update('defaultProfile.linux', undefined, vscode.ConfigurationTarget.Global);
        }
      });

      it("run in a terminal of Deft's own where start-up files read what is typed", async () => {
        await closeTerminals();
        const rc = path.join(root, 'reading.rc');
        writeFileSync(rc, 'while read -r line; do :; done\n');
        const settings = vscode.workspace.getConfiguration('terminal.integrated');
        // Under a name of its own: the setting has arrived once VS Code names it.
        const bash = path.join(root, 'reading-bash');
        symlinkSync('/bin/bash', bash);
        const profile = { path: bash, args: ['--rcfile', rc] };
        await settings.update('profiles.linux', { reading: profile }, vscode.ConfigurationTarget.Global);
        await settings.update('defaultProfile.linux', 'reading', vscode.ConfigurationTarget.Global);
        let told = 0;
        const terminals: number[] = [];
        const other = createVscodeTerminal({
          log: silent,
          strategy: () => 'shell',
          root,
          onUnreached: () => void told++,
        });
        try {
          await until(() => vscode.env.shell === bash);
          const once = path.join(root, 'once-managed');
          for (const expected of ['ran\n', 'ran\nran\n']) {
            const asked = request(`echo ran >>${once}; cat ${once}; exit 3`);
            const result = await other.run(asked, () => undefined, new AbortController().signal);
            assert.deepEqual([result.end, result.output], [{ state: 'exited', code: 3 }, expected]);
            terminals.push(ourTerminals().length);
          }
          assert.equal(told, 1);
          assert.equal(new Set(terminals).size, 1, 'the second command did not try the shell again');
        } finally {
          await other.dispose();
          await settings.update('profiles.linux', undefined, vscode.ConfigurationTarget.Global);
          await settings.update('defaultProfile.linux', undefined, vscode.ConfigurationTarget.Global);
          await closeTerminals();
        }
      });
    } else {
      it('ask for the user when they wait for input', async () => {
        waiting.length = 0;
        const done = run('read -r answer; echo "$answer"');
        await until(() => waiting.length > 0);
        assert.equal(waiting[0]?.command, 'read -r answer; echo "$answer"');
        waiting[0].show();
        await type('here\r');
        assert.equal((await done).output, 'here\n');
      });
    }
  });
}

function create(
  strategy: TerminalStrategy,
  root: string,
  waiting: { command: string; show: () => void }[],
): VscodeTerminal {
  return createVscodeTerminal({
    log: silent,
    strategy: () => strategy,
    root,
    onWaiting: (command, show) => void waiting.push({ command, show }),
  });
}

/** What keys in the terminal do. */
async function type(text: string): Promise<void> {
  const terminal = ourTerminals()[0];
  assert.ok(terminal);
  terminal.show();
  await until(() => vscode.window.activeTerminal === terminal);
  await vscode.commands.executeCommand('workbench.action.terminal.sendSequence', { text });
}

async function living(line: string): Promise<number> {
  return Number((await plainSpawn(`pgrep -fx '${line}' | wc -l`, '/')).output);
}

/** What a user types comes seconds after the last prompt; no API reports when the shell shows it. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 1000));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
