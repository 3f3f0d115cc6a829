// A provider's key is never in a command's environment, whoever exports it.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CREDENTIAL_VARIABLES, isCredentialVariable, withoutCredentials } from '../../../../src/core/text/credentials';
import { type Log } from '../../../../src/core/ports/log';
import { createCapturedTerminal } from '../../../../src/node/terminal/captured-terminal';
import { cleanEnvironment, findBash, mergeEnvironment } from '../../../../src/node/terminal/command-environment';
import { loginEnvironment } from '../../../../src/node/terminal/login-environment';
import { launchPlainProcess } from '../../../../src/node/terminal/process-launcher';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const KEY = 'sk-test-never-shown';

describe('credentials', () => {
  let home: string;
  /** As VS Code may be started: the key in its own environment, in .bashrc, and in the file BASH_ENV names. */
  let environment: NodeJS.ProcessEnv;

  before(() => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    const exports = CREDENTIAL_VARIABLES.map((name) => `export ${name}=${KEY}\n`).join('');
    writeFileSync(path.join(home, '.bashrc'), `${exports}export FROM_BASHRC=yes\n`);
    writeFileSync(path.join(home, '.bash_profile'), '. ~/.bashrc\n');
    writeFileSync(path.join(home, 'bash-env'), exports);
    environment = {
      PATH: process.env['PATH'],
      HOME: home,
      SHELL: findBash(process.env),
      BASH_ENV: path.join(home, 'bash-env'),
    };
    for (const name of CREDENTIAL_VARIABLES) environment[name] = KEY;
  });

  after(() => rmSync(home, { recursive: true, force: true }));

  it('are told by name in any case', () => {
    assert.ok(isCredentialVariable('ANTHROPIC_API_KEY') && isCredentialVariable('anthropic_api_key'));
    assert.deepEqual(withoutCredentials({ ANTHROPIC_API_KEY: KEY, PATH: '/bin' }), { PATH: '/bin' });
  });

  it('are in no environment that is merged together', () => {
    const merged = mergeEnvironment(
      { A: '1', B: '2' },
      { A: null, ANTHROPIC_AUTH_TOKEN: KEY },
      { C: '3', B: undefined },
    );
    assert.deepEqual(merged, { B: '2', C: '3' });
  });

  const commands = {
    printenv: 'printenv',
    'the environment that the kernel shows': "tr '\\0' '\\n' </proc/self/environ; tr '\\0' '\\n' </proc/$$/environ",
    "the wrapper's environment": "tr '\\0' '\\n' </proc/$PPID/environ",
    'shell variables': 'declare -p',
    'a program started later': 'sh -c env; node -e "console.log(process.env)"',
    // Once it is the program, not the shell's copy any more.
    'a background process':
      'sleep 5 & until grep -q sleep /proc/$!/cmdline; do sleep 0.01; done; tr "\\0" "\\n" </proc/$!/environ; kill $!',
  };
  for (const [name, command] of Object.entries(commands)) {
    it(`are not in ${name}`, async () => {
      // The environment as it is, credentials and all: the wrapper alone has to remove them, as in the user's own shell.
      const terminal = createCapturedTerminal({
        launch: launchPlainProcess,
        log: silent,
        root: home,
        environment: async () => environment,
      });
      const { output, end } = await terminal.run(
        { id: '1', command, cwd: home, timeoutMs: 10_000, background: false, onTimeout: 'kill' },
        () => undefined,
        new AbortController().signal,
      );
      await terminal.dispose();
      assert.deepEqual(end, { state: 'exited', code: 0 });
      assert.ok(output.includes(home), 'the environment was printed');
      assert.ok(!output.includes(KEY), output);
    });
  }

  it('are not taken over from the login shell', async () => {
    const asked = await loginEnvironment(environment);
    assert.equal(asked.outcome, 'asked');
    if (asked.outcome !== 'asked') return;
    assert.equal(asked.environment['FROM_BASHRC'], 'yes');
    assert.ok(!JSON.stringify(asked.environment).includes(KEY));
  });
});

describe('the environment of commands', () => {
  it('loses what VS Code, Electron and npm set for themselves', () => {
    const host = {
      PATH: '/bin',
      VSCODE_PID: '1',
      ELECTRON_RUN_AS_NODE: '1',
      npm_execpath: '/npm',
      npm_config_x: '1',
      DEFT_RUN: 'a.1',
    };
    assert.deepEqual(cleanEnvironment(host), { PATH: '/bin' });
    assert.deepEqual(
      cleanEnvironment({ npm_config_registry: 'r' }),
      { npm_config_registry: 'r' },
      'the user set this one',
    );
  });

  const start = async (files: Record<string, string>, limitMs = 5000) => {
    const home = mkdtempSync(path.join(tmpdir(), 'deft-test-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);
    try {
      return await loginEnvironment({ PATH: process.env['PATH'], HOME: home, SHELL: '/bin/bash' }, limitMs);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  };

  it('is what login start-up files export, whatever they print', async () => {
    const profile =
      'echo a greeting; export PATH="$PATH:/my/tools"; export LINES_IN="a\nb=c"; sleep 30 & env() { echo wrong; }\n';
    const asked = await start({ '.bash_profile': profile });
    assert.equal(asked.outcome, 'asked');
    if (asked.outcome !== 'asked') return;
    assert.ok(asked.environment['PATH']?.endsWith(':/my/tools'));
    assert.equal(asked.environment['LINES_IN'], 'a\nb=c');
    assert.equal(asked.environment['SHLVL'], undefined);
  });

  it('is not waited for longer than the limit', async () => {
    const asked = await start({ '.bash_profile': 'sleep 40.5\n' }, 200);
    assert.deepEqual(asked, { outcome: 'failed', message: '/bin/bash did not answer within 0.2 s.' });
  });

  it('is not asked of a shell that Deft does not know', async () => {
    const asked = await loginEnvironment({ SHELL: '/bin/false' });
    assert.deepEqual(asked, { outcome: 'failed', message: 'The login shell /bin/false is not bash, zsh or fish.' });
  });

  it('fails with a sentence where start-up files end the shell', async () => {
    const asked = await start({ '.bash_profile': 'exit 3\n' });
    assert.deepEqual(asked, { outcome: 'failed', message: '/bin/bash did not print its environment.' });
  });
});
