// Commands of hooks as real processes: what they get, what comes back, and that nothing of them is left.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HookResult, type HookCommand } from '../../../../src/core/ports/hook-handlers';
import { maxHookOutput } from '../../../../src/node/hooks/hook-command';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import { isAlive } from '../../../../src/node/process-owner';

describe('a command of a hook', () => {
  let folder: string;
  const key = 'sk-ant-a-key-that-nobody-may-see';
  const handlers = createNodeHookHandlers({
    environment: async () => ({ ...process.env, ANTHROPIC_API_KEY: key, COPIED: `x${key}`, MINE: 'mine' }),
  });
  const run = (
    command: string,
    more: Partial<HookCommand> = {},
    signal = new AbortController().signal,
    onLine: (line: string) => void = () => undefined,
  ): Promise<HookResult> =>
    handlers.command(
      { command, cwd: folder, input: '{"tool_name":"Bash"}', variables: { CLAUDE_PROJECT_DIR: folder }, ...more },
      onLine,
      signal,
    );

  /** Of a command of the agent, whose shell reads the exports first. */
  const commandOutput = async (command: string, environmentFile: string): Promise<string> => {
    const terminal = createNodeTerminal({
      log: { debug() {}, info() {}, warn() {}, error() {} },
      environment: process.env,
    });
    const request = {
      id: 'c',
      command,
      cwd: folder,
      timeoutMs: 15_000,
      background: false,
      onTimeout: 'kill',
      environmentFile,
    } as const;
    const { output } = await terminal.run(request, () => undefined, new AbortController().signal);
    await terminal.dispose();
    return output;
  };

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-hooks-')));
  });
  after(() => rm(folder, { recursive: true }));

  it('gets its event, its folder and its variables, and no credential', async () => {
    const result = await run('cat; echo; pwd; echo "$CLAUDE_PROJECT_DIR $MINE"; env');
    assert.equal(result.kind, 'ended');
    const { exitCode, stdout } = result as Extract<HookResult, { kind: 'ended' }>;
    assert.equal(exitCode, 0);
    assert.ok(stdout.startsWith(`{"tool_name":"Bash"}\n${folder}\n${folder} mine\n`), stdout.slice(0, 300));
    assert.ok(!stdout.includes(key));
  });

  for (const code of [0, 1, 2, 127]) {
    it(`ends with ${code}, both outputs apart`, async () => {
      assert.deepEqual(await run(`echo out; echo err >&2; exit ${code}`), {
        kind: 'ended',
        exitCode: code,
        stdout: 'out\n',
        stderr: 'err\n',
      });
    });
  }

  it('with arguments is a program: no shell reads them', async () => {
    const result = await run(process.execPath, {
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '$(date)', 'a b; exit 3'],
    });
    assert.deepEqual(result, { kind: 'ended', exitCode: 0, stdout: '["$(date)","a b; exit 3"]\n', stderr: '' });
  });

  it('that reads nothing of a large input is fine', async () => {
    assert.equal((await run('exit 0', { input: JSON.stringify({ text: 'x'.repeat(2_000_000) }) })).kind, 'ended');
  });

  it('that does not exist is told', async () => {
    const result = await run('/no/such/program', { args: [] });
    assert.equal(result.kind, 'failed');
    assert.match(result.kind === 'failed' ? result.message : '', /could not be started: .*ENOENT/);
    assert.equal((await run('true', { cwd: path.join(folder, 'gone') })).kind, 'failed');
  });

  it('keeps the first part of a large output', async () => {
    const result = await run(`head -c ${5 * maxHookOutput} /dev/zero | tr '\\0' x; echo problem >&2`);
    const kept = result.kind === 'ended' ? result.stdout.length : 0;
    assert.ok(kept >= maxHookOutput && kept < 1.1 * maxHookOutput, String(kept));
    assert.equal(result.kind === 'ended' && result.stderr, 'problem\n');
  });

  it('keeps what it printed before a signal ended it, and all of an answer as large as its input', async () => {
    const killed = await run('echo no; kill -9 $$');
    assert.deepEqual(killed, { kind: 'ended', exitCode: 137, signal: 'SIGKILL', stdout: 'no\n', stderr: '' });
    const input = JSON.stringify({ text: 'x'.repeat(2 * maxHookOutput) });
    const same = await run('cat', { input });
    assert.equal(same.kind === 'ended' && same.stdout.length, input.length);
  });

  it('tells its first line while it runs', async () => {
    const lines: string[] = [];
    const heard = path.join(folder, 'heard');
    const result = run(
      `echo '{"async":true}'; until [ -e ${heard} ]; do sleep 0.01; done; echo second`,
      {},
      undefined,
      (line) => {
        lines.push(line);
        void writeFile(heard, '');
      },
    );
    assert.equal((await result).kind, 'ended');
    assert.deepEqual(lines, ['{"async":true}']);
  });

  it('is not waited for where only a child of it lives on', async () => {
    const stop = path.join(folder, 'stop');
    const result = await run(`( until [ -e ${stop} ]; do sleep 0.05; done ) & echo done`);
    await writeFile(stop, '');
    assert.deepEqual(result, { kind: 'ended', exitCode: 0, stdout: 'done\n', stderr: '' });
  });

  it('is ended with all its children when it is stopped', async () => {
    const pids = path.join(folder, 'pids');
    const controller = new AbortController();
    const result = run(
      `sleep 600 & echo $! >${pids}; (trap '' TERM; sleep 601) & echo $! >>${pids}; echo ready; wait`,
      {},
      controller.signal,
      () => controller.abort(),
    );
    assert.deepEqual(await result, { kind: 'cancelled' });
    const numbers = (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
    assert.equal(numbers.length, 2);
    const until = Date.now() + 8_000;
    while (numbers.some(isAlive) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(numbers.filter(isAlive), []);
  });

  it('does not begin when it is stopped before', async () => {
    const file = path.join(folder, 'began');
    assert.deepEqual(await run(`touch ${file}`, {}, AbortSignal.abort()), { kind: 'cancelled' });
    assert.equal(existsSync(file), false);
  });

  it('runs no git that a repository commands', async () => {
    const ask = 'git config core.fsmonitor; git config safe.bareRepository';
    assert.deepEqual(await run(ask), { kind: 'ended', exitCode: 0, stdout: 'false\nexplicit\n', stderr: '' });
  });

  it('may write exports into a file whose folder is made', async () => {
    const file = path.join(folder, 'results/of/session/env.sh');
    await run('echo export A=1 >>"$CLAUDE_ENV_FILE"', { environmentFile: file });
    assert.equal(await readFile(file, 'utf8'), 'export A=1\n');
    assert.equal(await commandOutput('echo "[$A]"', file), '[1]\n');
    assert.equal(await commandOutput('echo "[$A]"', `${file}.none`), '[]\n');
    assert.deepEqual(await run('echo "[$CLAUDE_ENV_FILE]"'), {
      kind: 'ended',
      exitCode: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });
});

describe('files that hooks watch', () => {
  it('tell when they are made, changed and removed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'deft-watched-'));
    const file = path.join(folder, '.env');
    const seen: string[] = [];
    const waiting: (() => void)[] = [];
    const end = createNodeHookHandlers({ environment: async () => process.env }).watch([file], ({ event }) => {
      seen.push(event);
      waiting.shift()?.();
    });
    const next = (change: () => Promise<void>): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push(resolve);
        change().catch(reject);
      });
    try {
      await next(() => writeFile(file, 'A=1'));
      await next(() => writeFile(file, 'A=12'));
      await next(() => rm(file));
      assert.deepEqual(seen, ['add', 'change', 'unlink']);
    } finally {
      end();
      await rm(folder, { recursive: true });
    }
  });
});
