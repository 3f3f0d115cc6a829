// Commands in PowerShell: the wrapper's text, where the program is found, the capture around it, and, where one is installed, real runs.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CREDENTIAL_VARIABLES } from '../../../../src/core/text/credentials';
import { type CommandRequest } from '../../../../src/core/ports/terminal';
import { type Log } from '../../../../src/core/ports/log';
import { type CapturedTerminal } from '../../../../src/node/terminal/captured-terminal';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import {
  findPowerShell,
  powerShellRunFiles,
  powerShellScript,
  powerShellWrapper,
  quote,
} from '../../../../src/node/terminal/power-shell';
import { runFiles } from '../../../../src/node/terminal/run-files';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const installed = findPowerShell(process.env) !== undefined;

/** Keeps what the wrapper promises, for commands of bash: for the capture around it, not for PowerShell itself. */
const STAND_IN = `#!/bin/bash
printf '%s\\n' "$@" >"\${0%/*}/arguments"
run=\${!#}; run=\${run%.w.ps1}
cd "$(sed -n "s/^try { Set-Location -LiteralPath '\\(.*\\)' -ErrorAction.*/\\1/p" "$run.w.ps1")"
echo $$ >"$run.pid"
bash <(sed '1s/^\\xef\\xbb\\xbf//; $d' "$run.ps1")
code=$?
printf '%s\\n%s\\n' $code "$PWD" >"$run.bye"
echo $code >"\${run%/*}/ends/\${run##*/}.rc"
exit $code
`;

describe('commands in PowerShell', () => {
  let root: string;
  let serial = 0;
  before(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')))));
  after(() => rmSync(root, { recursive: true, force: true }));

  const request = (command: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    id: `call-${++serial}`,
    command,
    shell: 'powershell',
    cwd: root,
    timeoutMs: 15_000,
    background: false,
    onTimeout: 'kill',
    ...more,
  });
  const runIn = (
    terminal: CapturedTerminal,
    command: string,
    more: Partial<CommandRequest> = {},
    signal = new AbortController().signal,
  ) => terminal.run(request(command, more), () => undefined, signal);

  it('quote every kind of quote', () => {
    assert.equal(quote("it's ‘so’ $x"), "'it''s ‘‘so’’ $x'");
  });

  it('find PowerShell 7 first, then the one of Windows', () => {
    const folder = path.join(root, 'bin');
    mkdirSync(folder);
    assert.equal(findPowerShell({ PATH: folder }, 'linux'), undefined);
    writeFileSync(path.join(folder, 'pwsh'), '');
    assert.equal(findPowerShell({ PATH: `relative:${folder}` }, 'linux'), path.join(folder, 'pwsh'));
    assert.equal(findPowerShell({}, 'linux'), undefined);
  });

  it('unset credentials before anything else, and set no variable that is no name', () => {
    const files = powerShellRunFiles(runFiles({ path: "/d/it's", ends: '/d/ends', name: 'd' }, 3));
    const text = powerShellWrapper({
      files,
      flag: 'deft_1',
      mark: 'd.3',
      cwd: '/w',
      variables: { GOOD: "a'b", 'BAD;NAME': 'x', ANTHROPIC_API_KEY: 'x', GONE: null },
    });
    const lines = text.split('\n');
    assert.equal(text.charCodeAt(0), 0xfeff);
    CREDENTIAL_VARIABLES.forEach((name, index) =>
      assert.equal(lines[index + 1], `Remove-Item -LiteralPath 'Env:${name}' -ErrorAction Ignore`),
    );
    assert.ok(
      lines.includes("$env:GOOD = 'a''b'") &&
        lines.includes("Remove-Item -LiteralPath 'Env:GONE' -ErrorAction Ignore") &&
        lines.includes("  & '/d/it''s/3.ps1'"),
    );
    assert.doesNotMatch(text, /BAD|= 'x'/);
    assert.equal(powerShellScript('exit 3', 'deft_1'), '\ufeffexit 3\n$global:deft_1 = $?\n');
  });

  it('say so where there is none', async () => {
    const terminal = createNodeTerminal({ log: silent, environment: { PATH: '/usr/bin:/bin' }, root });
    const result = await runIn(terminal, 'Get-Location');
    assert.deepEqual(result.end, { state: 'not-started', message: 'There is no PowerShell on this machine.' });
    await terminal.dispose();
  });

  describe('are captured', () => {
    let terminal: CapturedTerminal;
    before(() => {
      const folder = path.join(root, 'stand-in');
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'pwsh'), STAND_IN);
      chmodSync(path.join(folder, 'pwsh'), 0o755);
      terminal = createNodeTerminal({
        log: silent,
        environment: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
        root,
      });
    });
    after(() => terminal.dispose());

    it('with their exit code, both streams in order, and no byte more', async () => {
      const result = await runIn(terminal, 'echo one; echo two >&2; printf three; exit 7');
      assert.deepEqual(
        [result.end, result.output, result.totalBytes, result.incomplete, result.cwd],
        [{ state: 'exited', code: 7 }, 'one\ntwo\nthree', 13, false, root],
      );
    });

    it('with the policy of its own process alone, no profile and nobody to ask', async () => {
      await runIn(terminal, 'true');
      const given = readFileSync(path.join(root, 'stand-in', 'arguments'), 'utf8')
        .trim()
        .split('\n');
      assert.deepEqual(given.slice(0, -1), [
        '-NoLogo',
        '-NoProfile',
        '-NonInteractive',
        '-ExecutionPolicy',
        'Bypass',
        '-File',
      ]);
    });

    it('whole, of much output', async () => {
      const result = await runIn(terminal, 'seq 1 300000');
      assert.deepEqual([result.totalBytes, result.incomplete], [1_988_895, false]);
    });

    it('to their end at a timeout, and on abort', async () => {
      const slow = await runIn(terminal, 'echo up; sleep 49.5', { timeoutMs: 400 });
      assert.deepEqual([slow.end, slow.output, slow.survivors], [{ state: 'killed', by: 'timeout' }, 'up\n', []]);
      const controller = new AbortController();
      const running = terminal.run(request('echo up; sleep 49.5'), () => controller.abort(), controller.signal);
      assert.deepEqual((await running).end, { state: 'killed', by: 'abort' });
    });

    it('in the background, too', async () => {
      const ended = new Promise((resolve) => terminal.onBackgroundEnd(({ end }) => resolve(end)));
      assert.equal((await runIn(terminal, 'echo later; exit 2', { background: true })).end.state, 'background');
      assert.deepEqual(await ended, { state: 'exited', code: 2 });
    });

    it('honestly where PowerShell dies', async () => {
      const result = await runIn(terminal, 'kill -KILL $PPID; sleep 0.2');
      assert.equal(result.end.state, 'lost');
    });
  });

  describe('really', () => {
    let terminal: CapturedTerminal | undefined;
    before(function () {
      if (!installed) {
        console.log('Skipped: there is no PowerShell here.');
        this.skip();
      }
      terminal = createNodeTerminal({
        log: silent,
        environment: { ...process.env, ANTHROPIC_API_KEY: 'sk-not-a-real-key' },
        root,
      });
    });
    after(() => terminal?.dispose());
    const table: [command: string, code: number, output: RegExp][] = [
      ['Write-Output one', 0, /^one\r?\n$/],
      ['Write-Output "ü€😀"', 0, /^ü€😀\r?\n$/],
      ['exit 3', 3, /^$/],
      ['Write-Output a; exit 0', 0, /^a/],
      ['throw "bad"', 1, /bad/],
      ['Get-Item ./none', 1, /none/],
      ['Get-Item ./none -ErrorAction SilentlyContinue; Write-Output on', 0, /^on/],
      ['& node -e "process.exit(5)"', 5, /^$/],
      ['& node -e "process.exit(5)"; Write-Output on', 0, /^on/],
      ['if (', 1, /\S/],
      ['$env:ANTHROPIC_API_KEY', 0, /^$/],
      ['[pscustomobject]@{ a = 1 }', 0, /a\s+-\s+1/],
      ['1..5 | ForEach-Object { $_ }', 0, /^1\r?\n2\r?\n3\r?\n4\r?\n5\r?\n$/],
    ];
    for (const [command, code, output] of table) {
      it(command, async () => {
        assert.ok(terminal);
        const result = await runIn(terminal, command);
        assert.deepEqual(result.end, { state: 'exited', code });
        assert.match(result.output, output);
      });
    }
  });
});
