// The private folder of commands, when it goes away while the session lives, and when it cannot be made.
import assert from 'node:assert/strict';
import promises from 'node:fs/promises';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandResult, type Terminal } from '../../../../src/core/ports/terminal';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import { noSpace } from '../../../support/full-disk';

describe('the folder of commands that is lost', () => {
  let root: string;
  let terminal: ReturnType<typeof createNodeTerminal>;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'deft-test-'));
    terminal = createNodeTerminal({
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      environment: process.env,
      root,
    });
  });
  afterEach(async () => {
    await terminal.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  let count = 0;
  const run = (command: string): Promise<CommandResult> => {
    const request: Parameters<Terminal['run']>[0] = {
      id: `toolu_${++count}`,
      command,
      cwd: '/',
      timeoutMs: 30_000,
      background: false,
      onTimeout: 'background',
    };
    return terminal.run(request, () => undefined, new AbortController().signal);
  };
  const refusal = ({ end }: CommandResult): string => (end.state === 'not-started' ? end.message : end.state);

  it('is made anew, once for commands that start together', async () => {
    await run('echo one');
    const [first = ''] = terminal.outputDirectories();
    rmSync(first, { recursive: true });
    const results = await Promise.all([run('echo two'), run('echo three')]);
    assert.deepEqual(
      results.map(({ output }) => output),
      ['two\n', 'three\n'],
    );
    assert.deepEqual(terminal.outputDirectories().map(existsSync), [true]);
    assert.equal((await run('echo four')).output, 'four\n');
    assert.equal(existsSync(first), false);
  });

  it('is not used for a command that was still being prepared when the session ended', async () => {
    const result = run(`touch '${path.join(root, 'ran')}'`);
    await terminal.dispose();
    assert.equal(refusal(await result), 'The session has ended.');
    assert.equal(existsSync(path.join(root, 'ran')), false);
  });

  it('is made anew where only a part of it is gone, and what it holds stays readable', async () => {
    const { outputPath } = await run('seq 2000');
    rmSync(path.join(path.dirname(outputPath), 'ends'), { recursive: true });
    assert.equal((await run('echo two')).output, 'two\n');
    assert.ok(terminal.outputDirectories().includes(path.dirname(outputPath)));
    assert.match(readFileSync(outputPath, 'utf8'), /^1\n2\n.*\n2000\n$/s);
  });

  it('says so where the temporary folder itself is gone, and goes on when it is back', async () => {
    rmSync(root, { recursive: true });
    assert.equal(refusal(await run('true')), `The command could not be started. ${root} does not exist.`);
    await promises.mkdir(root);
    assert.equal((await run('echo back')).output, 'back\n');
  });

  for (const what of ['mkdtemp', 'writeFile'] as const) {
    it(`says so where the disk is full (${what}), and goes on when it has room again`, async () => {
      if (what === 'writeFile') await run('true');
      const whole = promises[what];
      Object.assign(promises, { [what]: async () => Promise.reject(noSpace()) });
      syncBuiltinESMExports();
      let refused: string;
      try {
        refused = refusal(await run('echo never'));
      } finally {
        Object.assign(promises, { [what]: whole });
        syncBuiltinESMExports();
      }
      assert.match(
        refused,
        /^The command could not be started\. No space is left on the disk: \/\S+ was not written\.$/,
      );
      assert.equal((await run('echo room')).output, 'room\n');
    });
  }
});
