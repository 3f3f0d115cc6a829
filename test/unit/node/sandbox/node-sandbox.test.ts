// Commands in the real sandbox, run by the real terminal: what they may not do, and that everything else stays as it was.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandResult } from '../../../../src/core/ports/terminal';
import { type CommandSandbox, type SandboxPolicy } from '../../../../src/core/ports/command-sandbox';
import { createNodeSandbox } from '../../../../src/node/sandbox/node-sandbox';
import { withSandboxPlace, type SandboxPlace } from '../../../support/sandbox-place';
import { testSandbox } from '../../../support/sandbox-worker';

const never = new AbortController().signal;

describe('the sandbox', function () {
  this.timeout(60_000);
  let sandbox: CommandSandbox;
  let base: string;
  let workspace: string;
  let outside: string;
  let terminal: SandboxPlace['terminal'];
  let server: Server;
  let port: number;
  let calls = 0;

  withSandboxPlace(
    { ...process.env, ANTHROPIC_API_KEY: 'sk-ant-not-for-commands', MY_TOKEN: 'declared' },
    async (place) => {
      ({ sandbox, base, workspace, terminal } = place);
      outside = path.join(base, 'outside');
      mkdirSync(outside);
      server = createServer((_request, response) => response.end('hello from the server'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
  );
  after(() => void server?.close());

  const policy = (changes: Partial<SandboxPolicy> = {}): SandboxPolicy => ({
    root: workspace,
    allowWrite: [workspace],
    denyWrite: [],
    denyRead: [],
    allowRead: [],
    allowedDomains: [],
    deniedDomains: [],
    ...changes,
  });

  async function run(
    command: string,
    changes: Partial<SandboxPolicy> = {},
    signal = never,
    inside = sandbox,
  ): Promise<CommandResult & { refused: string[] }> {
    const wrapped = await inside.wrap(command, policy(changes), signal);
    try {
      const request = {
        id: `call-${++calls}`,
        command,
        runs: wrapped.text,
        cwd: workspace,
        timeoutMs: 30_000,
        background: false,
        onTimeout: 'kill',
      } as const;
      const result = await terminal.run(request, () => undefined, signal);
      return { ...result, refused: await wrapped.refused() };
    } finally {
      await wrapped.ended();
    }
  }

  it('writes in the workspace and in $TMPDIR', async () => {
    const { end, output } = await run('echo inside >a.txt && echo temp >"$TMPDIR/b" && cat a.txt "$TMPDIR/b"');
    assert.deepEqual([end, output], [{ state: 'exited', code: 0 }, 'inside\ntemp\n']);
    assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'inside\n');
  });

  it('refuses to write outside', async () => {
    const file = path.join(outside, 'x');
    const { end, output } = await run(`echo x >'${file}'`);
    assert.notDeepEqual(end, { state: 'exited', code: 0 });
    assert.match(output, /Read-only file system/);
    assert.equal(existsSync(file), false);
  });

  it('refuses to write elsewhere in the temporary folder', async () => {
    const file = path.join(tmpdir(), `deft-not-written-${process.pid}`);
    const { end } = await run(`echo x >'${file}'`);
    assert.notDeepEqual(end, { state: 'exited', code: 0 });
    assert.equal(existsSync(file), false);
  });

  it('hides what may not be read, by name and by pattern', async () => {
    writeFileSync(path.join(outside, 'secret'), 'hidden\n');
    writeFileSync(path.join(workspace, '.env'), 'hidden too\n');
    const { output } = await run(`cat '${path.join(outside, 'secret')}'; cat .env; echo over`, {
      denyRead: [path.join(outside, 'secret'), `${workspace}/**/.env`, `${workspace}/.env`],
    });
    assert.match(output, /over\n$/);
    assert.doesNotMatch(output, /hidden/);
  });

  it('keeps files of the workspace that steer tools, and leaves nothing of its own there', async () => {
    mkdirSync(path.join(workspace, '.vscode'));
    writeFileSync(path.join(workspace, '.vscode', 'tasks.json'), '{}');
    const { output } = await run(
      'echo evil >.vscode/tasks.json; echo evil >.husky/pre-commit; mkdir .claude && echo evil >.claude/settings.json; echo kept >kept.txt',
      {
        denyWrite: [path.join(workspace, '.husky'), path.join(workspace, 'kept.txt')],
      },
    );
    assert.match(output, /tasks\.json/);
    assert.equal(readFileSync(path.join(workspace, '.vscode', 'tasks.json'), 'utf8'), '{}');
    assert.deepEqual(
      ['.husky', '.claude', '.gitconfig', 'kept.txt'].filter((name) => existsSync(path.join(workspace, name))),
      [],
    );
  });

  it('keeps such files of subfolders too, where they exist when it starts', async () => {
    const folder = path.join(workspace, 'packages');
    const kept = ['a/.claude/settings.json', 'a/.envrc', 'deep/b/c/d/.git/hooks/pre-commit'];
    const free = ['a/notes.txt', 'a/node_modules/x/.envrc'];
    for (const file of [...kept, ...free]) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), 'before\n');
    }
    const names = ['.claude', '.envrc', '.git/hooks'];
    const { output } = await run(
      [...kept, ...free].map((file) => `{ echo after >packages/${file}; } 2>/dev/null`).join('; ') +
        '; { echo x >packages/a/.claude/new; } 2>/dev/null; echo done',
      { nested: { folders: [workspace], names } },
    );
    assert.equal(output, 'done\n');
    for (const file of kept) assert.equal(readFileSync(path.join(folder, file), 'utf8'), 'before\n', file);
    for (const file of free) assert.equal(readFileSync(path.join(folder, file), 'utf8'), 'after\n', file);
    assert.ok(!existsSync(path.join(folder, 'a/.claude/new')));
  });

  it('reaches no host that is not allowed, and says which', async () => {
    const { end, output, refused } = await run(`curl -sS --noproxy '' http://127.0.0.1:${port}/`);
    assert.doesNotMatch(output, /hello/);
    assert.ok(
      refused.some((line) => line.includes('127.0.0.1')),
      JSON.stringify({ end, output, refused }),
    );
  });

  it('reaches no host past the proxy', async () => {
    const { end, output } = await run(`curl -sS --noproxy '*' http://127.0.0.1:${port}/`, {
      allowedDomains: ['127.0.0.1'],
    });
    assert.notDeepEqual(end, { state: 'exited', code: 0 });
    assert.doesNotMatch(output, /hello/);
  });

  it('reaches an allowed host through the proxy', async () => {
    const { end, output } = await run(`curl -sS --noproxy '' http://127.0.0.1:${port}/`, {
      allowedDomains: ['127.0.0.1'],
    });
    assert.deepEqual([end, output], [{ state: 'exited', code: 0 }, 'hello from the server']);
  });

  it('lets a denied host win over an allowed one', async () => {
    const { output } = await run(`curl -sS --noproxy '' http://127.0.0.1:${port}/`, {
      allowedDomains: ['127.0.0.1'],
      deniedDomains: ['127.0.0.1'],
    });
    assert.doesNotMatch(output, /hello/);
  });

  it('opens no socket of other programs', async () => {
    const file = path.join(outside, 'socket');
    const other = createServer((_request, response) => response.end('not for you'));
    await new Promise<void>((resolve) => other.listen(file, resolve));
    try {
      const { end, output } = await run(`curl -sS --unix-socket '${file}' http://x/`);
      assert.notDeepEqual(end, { state: 'exited', code: 0 });
      assert.doesNotMatch(output, /not for you/);
    } finally {
      other.close();
    }
  });

  it('keeps output, exit code and folder as they are', async () => {
    mkdirSync(path.join(workspace, 'sub dir'), { recursive: true });
    const { end, output, cwd } = await run(
      `cd 'sub dir'; printf 'a\\nb "c" $HOME '"'"'d'"'"'\\n'; echo err >&2; exit 7`,
    );
    assert.deepEqual(
      [end, output, cwd],
      [{ state: 'exited', code: 7 }, `a\nb "c" $HOME 'd'\nerr\n`, path.join(workspace, 'sub dir')],
    );
  });

  it('runs a command longer than an argument may be', async () => {
    const text = 'it\'s \\ "x" $y\n'.repeat(20_000);
    const { end, output } = await run(`wc -c <<'EOF'\n${text}EOF`);
    assert.deepEqual([end, output.trim()], [{ state: 'exited', code: 0 }, String(text.length)]);
  });

  it('hides declared credentials', async () => {
    writeFileSync(path.join(outside, 'token'), 'tok-123\n');
    const credentials = {
      files: [{ path: path.join(outside, 'token'), mode: 'deny' }],
      envVars: [{ name: 'MY_TOKEN', mode: 'deny' }],
    };
    const { output } = await run(`cat '${path.join(outside, 'token')}'; echo "[$MY_TOKEN]"`, { credentials });
    assert.match(output, /\[\]\n$/);
    assert.doesNotMatch(output, /tok-123/);
  });

  it('shows a mask in place of declared credentials, and puts the value in on the way to hosts that may have it', async () => {
    const file = path.join(outside, 'masked');
    writeFileSync(file, 'file-secret-4711');
    const got: string[] = [];
    const listening = createServer((request, response) =>
      response.end(got.push(String(request.headers['authorization'])) > 0 ? 'got it' : ''),
    );
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const ask = `curl -sS --noproxy '' -H "Authorization: $MY_TOKEN $(cat '${file}')" http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
    const masked = {
      files: [{ path: file, mode: 'mask' }],
      envVars: [{ name: 'MY_TOKEN', mode: 'mask' }],
      allowPlaintextInject: true,
    };
    const knowing = await testSandbox({ ...process.env, MY_TOKEN: 'declared' });
    const masking = (command: string, changes: Partial<SandboxPolicy>) => run(command, changes, never, knowing);
    try {
      const look = await masking(
        `echo "[$MY_TOKEN] [$(cat '${file}')]"; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"`,
        { credentials: masked },
      );
      assert.match(look.output, /^\[.{8,}\] \[.{8,}\]\n/);
      assert.doesNotMatch(look.output, /declared|file-secret/);
      assert.match((await masking(ask, { credentials: masked, allowedDomains: ['127.0.0.1'] })).output, /got it/);
      assert.deepEqual(got, ['declared file-secret-4711']);
      // Another host is allowed to be reached, and not to have the value.
      const elsewhere = {
        ...masked,
        files: [{ path: file, mode: 'mask', injectHosts: ['example.org'] }],
        envVars: [{ name: 'MY_TOKEN', mode: 'mask', injectHosts: ['example.org'] }],
      };
      assert.match(
        (await masking(ask, { credentials: elsewhere, allowedDomains: ['127.0.0.1', 'example.org'] })).output,
        /got it/,
      );
      assert.equal(got.length, 2);
      assert.doesNotMatch(got[1] ?? '', /declared|file-secret/);
      // Unless settings say otherwise, a value is sent out over TLS only.
      const { allowPlaintextInject: _plain, ...strict } = masked;
      await masking(ask, { credentials: strict, allowedDomains: ['127.0.0.1'] });
      assert.doesNotMatch(got.slice(2).join(), /declared|file-secret/);
    } finally {
      listening.close();
      await knowing.close();
    }
  });

  it("withholds a variable that is to be masked and that only the command's own environment has", async () => {
    const { output } = await run('echo "[$MY_TOKEN]"; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"', {
      credentials: { envVars: [{ name: 'MY_TOKEN', mode: 'mask' }] },
    });
    assert.match(output, /^\[\]\n/);
    assert.doesNotMatch(output, /declared/);
  });

  it('takes no credential inside', async () => {
    const { output } = await run('env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"');
    assert.match(output, /TMPDIR=/);
    assert.doesNotMatch(output, /sk-ant-not-for-commands/);
  });

  it('ends the whole tree at an abort', async () => {
    const stop = new AbortController();
    const mark = path.join(workspace, 'alive');
    const running = run(`(setsid sh -c 'while :; do date +%s%N >"$0"; done' '${mark}' &) ; sleep 600`, {}, stop.signal);
    await until(() => existsSync(mark));
    stop.abort();
    const { end } = await running;
    assert.deepEqual(end, { state: 'killed', by: 'abort' });
    const last = readFileSync(mark, 'utf8');
    // One more command takes far longer than a round of the loop.
    await run('true');
    assert.equal(readFileSync(mark, 'utf8'), last);
  });

  it('runs several commands of different leaves side by side', async () => {
    const [a, b] = await Promise.all([
      run('echo 1 >one && sleep 0.3 && cat one'),
      run('echo 2 >two', { allowWrite: [] }),
    ]);
    assert.deepEqual([a.output, b.end.state === 'exited' && b.end.code], ['1\n', 1]);
  });

  it('names a policy that it cannot read, and runs nothing', async () => {
    await assert.rejects(sandbox.wrap('true', policy({ allowedDomains: ['*.com'] }), never), /allowedDomains/);
  });
});

describe('a sandbox that is not there', () => {
  const none = { environment: async () => ({}), ripgrep: async () => undefined };

  it('says so where the system has none', async () => {
    assert.deepEqual(await createNodeSandbox({ ...none, file: '/none', platform: 'win32' }).available(), {
      ok: false,
      reason: 'There is no sandbox for this operating system.',
    });
  });

  it('says so where its programs are missing', async function () {
    this.timeout(20_000);
    if (process.platform !== 'linux') this.skip();
    const found = await (await testSandbox({ PATH: '/nowhere' })).available();
    assert.ok(!found.ok);
    assert.match(found.reason, /^The sandbox cannot start here: .*bwrap.* It needs bubblewrap, socat/);
  });

  it('rejects where its process cannot start', async function () {
    this.timeout(20_000);
    const found = await createNodeSandbox({ ...none, file: '/none.js', platform: 'linux' }).available();
    assert.ok(!found.ok);
    assert.match(found.reason, /^The sandbox cannot start here: The process of the sandbox has ended/);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
