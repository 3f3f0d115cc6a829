// Aliases and functions of start-up files, from a real login shell to a real command: new words only, no secret, nothing that was not looked at.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Log } from '../../../../src/core/ports/log';
import { type ShellNames } from '../../../../src/core/permissions/bash/shell-names';
import { createCapturedTerminal, type CapturedTerminal } from '../../../../src/node/terminal/captured-terminal';
import { findBash } from '../../../../src/node/terminal/command-environment';
import { loginEnvironment } from '../../../../src/node/terminal/login-environment';
import { launchPlainProcess } from '../../../../src/node/terminal/process-launcher';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const KEY = 'sk-test-never-shown';
const startUp = `
export ANTHROPIC_API_KEY=${KEY} PATH="$HOME/bin:$PATH"
alias greet='echo hello'
mkcd() { mkdir -p "$1" && cd "$1" && greet; }
alias twice='greet; greet'
alias quoted="echo 'it'\\''s'"
alias ls='rm -rf' cd='echo no' git='rm -rf' tool='rm -rf' sudo='sudo '
alias deploy='TOKEN=abc123 greet' ask='curl https://ann:pw@example.org' show='echo ${KEY}'
_hidden() { :; }
command_not_found_handle() { echo "what is $1"; }
`;

describe('aliases and functions of start-up files', () => {
  let home: string;
  let names: ShellNames;
  let terminal: CapturedTerminal;

  before(async () => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    mkdirSync(path.join(home, 'bin'));
    writeFileSync(path.join(home, 'bin/tool'), '#!/bin/sh\necho the tool\n', { mode: 0o755 });
    writeFileSync(path.join(home, '.bashrc'), startUp);
    writeFileSync(path.join(home, '.bash_profile'), '. ~/.bashrc\n');
    const environment = {
      PATH: `${path.join(home, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      SHELL: findBash(process.env),
    };
    const asked = await loginEnvironment(environment);
    assert.ok(asked.outcome === 'asked');
    names = asked.names;
    terminal = createCapturedTerminal({
      launch: launchPlainProcess,
      log: silent,
      root: home,
      environment: async () => asked.environment,
      names: async () => names,
    });
  });
  after(async () => {
    await terminal.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const run = async (command: string, runs?: string): Promise<string> => {
    const { output, end } = await terminal.run(
      {
        id: '1',
        command,
        ...defined({ runs }),
        cwd: home,
        timeoutMs: 10_000,
        background: false,
        onTimeout: 'kill',
      },
      () => undefined,
      new AbortController().signal,
    );
    return `${output.trimEnd()} ${end.state === 'exited' ? end.code : end.state}`;
  };

  it('are taken over where they are new words; what a program or the shell is called keeps its meaning, and no text with a secret is among them', () => {
    const ours = [...names]
      .filter(([, { text }]) => startUp.includes(text) || text.startsWith('mkcd '))
      .map(([name]) => name);
    assert.deepEqual(ours.sort(), ['greet', 'mkcd', 'quoted', 'twice']);
    for (const name of ['ls', 'cd', 'git', 'tool', 'sudo', 'deploy', 'ask', 'show', '_hidden'])
      assert.ok(!names.has(name), name);
    assert.doesNotMatch(JSON.stringify([...names]), new RegExp(`${KEY}|abc123|ann:pw`));
  });

  it("work in commands as in the user's shell, those that they use among them", async () => {
    assert.equal(await run('greet you'), 'hello you 0');
    assert.equal(await run('twice'), 'hello\nhello 0');
    assert.equal(await run('quoted'), "it's 0");
    assert.equal(await run('mkcd made/deep; pwd'), `hello\n${home}/made/deep 0`);
    assert.match(await run('true && greet | tr a-z A-Z'), /^HELLO 0$/);
  });

  it('change nothing for a command that names none: not what is listed, nor what a shell knows', async () => {
    assert.equal(await run('tool'), 'the tool 0');
    assert.match(await run('echo greet; type mkcd; alias'), /^greet\n.*mkcd: not found 0$/);
    assert.equal(await run('eval "gre""et"'), 'hello 0');
    assert.match(await run('a=gre; ${a}et'), /not found 127$/, 'what nobody has judged is not there');
    assert.match(await run('env; declare -p'), /^(?![\s\S]*sk-test-never-shown)/);
  });

  it('are none in the sandbox, whose shell is another', async () =>
    assert.match(await run('greet', 'type greet'), /not found 1$/));
});
