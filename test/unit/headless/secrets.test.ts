// Credentials of the environment in the built runner: real shells print them, and neither the model nor the log gets them.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const secrets = {
  ACME_TOKEN: `x7-Qp'v "9$\\w`,
  DEPLOY_KEY: 'Zb81-qqLm-4410-Trew-2298',
  DATABASE_URL: 'postgres://app:hUnter2-longer@db.example.org/app',
  BUILD_SETTING: 'ghp_0123456789abcdefghijABCDEFGHIJ456789',
};
const values = [secrets.ACME_TOKEN, secrets.DEPLOY_KEY, 'hUnter2-longer', secrets.BUILD_SETTING];
const encodings = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
  Buffer.from(value).toString('hex'),
];

describe('credentials of the environment', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const settings = async (content: object): Promise<void> => {
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify(content));
  };
  const run = async (calls: readonly [tool: string, input: object][], ...more: string[]): Promise<string> => {
    server.setScript([
      ...calls.map(([tool, input], index) => reply(toolUse(tool, input, `t${index}`))),
      reply('Done.'),
    ]);
    const end = await place.run(
      ['-p', 'Go', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'bypassPermissions', ...more],
      { url: server.url, env: secrets },
    );
    assert.equal(end.code, 0, end.stderr);
    const log = JSON.stringify(await place.transcript());
    const requests = JSON.stringify(server.requests.map(({ body }) => body));
    return [requests, log, end.stdout, end.stderr].join('\n');
  };
  const assertHidden = (everything: string): void => {
    for (const value of values)
      for (const form of encodings(value))
        for (const quoted of new Set([
          form,
          JSON.stringify(form).slice(1, -1),
          JSON.stringify(JSON.stringify(form)).slice(2, -2),
        ]))
          assert.ok(
            !everything.includes(quoted),
            `${quoted}: ${everything.slice(Math.max(0, everything.indexOf(quoted) - 200), everything.indexOf(quoted) + 60)}`,
          );
  };

  it('are hidden in whatever way a command prints them, and commands have them', async () => {
    const lines = [
      'env',
      'printenv ACME_TOKEN',
      'set',
      'export -p',
      'declare -p ACME_TOKEN DEPLOY_KEY',
      'echo "$ACME_TOKEN" "$DEPLOY_KEY"',
      `node -p process.env`,
      `node -e 'console.log(JSON.stringify(process.env))'`,
      `node -e 'for (const [k, v] of Object.entries(process.env)) console.log(k + "\\t" + v)'`,
      'declare -p; declare -px; typeset -x; export; readonly -p; set -o posix; set',
      'for n in $(compgen -e); do echo "$n is ${!n}"; done; echo "${ACME_TOKEN@Q} ${DEPLOY_KEY@A} ${DATABASE_URL,,}"',
      `awk 'BEGIN { for (k in ENVIRON) print k "=" ENVIRON[k]; print ENVIRON["DEPLOY_KEY"] }'`,
      `perl -e 'print "$_=$ENV{$_}\\n" for keys %ENV; print $ENV{ACME_TOKEN}'`,
      `python3 -c 'import os; print(os.environ); print(dict(os.environ)); print(os.environ["DEPLOY_KEY"])'`,
      'cat /proc/self/environ; strings /proc/self/environ; od -c /proc/self/environ',
      'xargs -0 < /proc/self/environ; xargs -0 -n1 < /proc/$$/environ; tr "\\0" "\\n" < /proc/self/environ',
      'head -c 100000 /proc/self/environ | base64 -w0; ps eww $$; ps e',
      'env -0; env -0 | xargs -0 -n1 echo; env | sort | nl; env | xxd; env | tac; env | sed "s/^/> /"; jq -n env',
      'bash -c "set; env"; sh -c export; (env); env -u X env; command env; exec env',
      'cat <<E\n$ACME_TOKEN $DEPLOY_KEY\nE\ncat <<< "$DATABASE_URL"; echo ${DEPLOY_KEY:-x} ${DEPLOY_KEY/x/y}; [[ $DEPLOY_KEY = x ]] || ls "$DEPLOY_KEY"',
      'env | base64; printf %s "$DEPLOY_KEY" | base64; printf %s "$ACME_TOKEN" | od -An -tx1 | tr -d " \\n"',
      'printf %q "$ACME_TOKEN"; set -x; : "$ACME_TOKEN"',
      'echo "broken: $DEPLOY_KEY" >&2; env; exit 3',
      'curl -s "http://127.0.0.1:1/?token=$DEPLOY_KEY" || echo "no $DATABASE_URL"',
      'env >env.txt; cat env.txt; wc -c env.txt; ls -l /proc/$$/fd >/dev/null; printf "%s" "$DEPLOY_KEY" | wc -c',
    ];
    const everything = await run([
      ...lines.map((command): [string, object] => ['Bash', { command }]),
      ['Read', { file_path: path.join(place.workspace, 'env.txt') }],
      ['Grep', { pattern: 'TOKEN|KEY|SETTING|URL', path: place.workspace, output_mode: 'content' }],
      ['REPL', { language: 'javascript', code: 'process.env' }],
    ]);
    assertHidden(everything);
    for (const name of Object.keys(secrets)) assert.ok(everything.includes(`[${name}: hidden by Deft]`), name);
    // The command itself had the real value: its length.
    assert.match(everything, new RegExp(`\\b${secrets.DEPLOY_KEY.length}\\b`));
    assert.match(everything, /add its name to `visibleVariables` in ~\/\.claude\/settings\.json/);
  });

  it('are hidden in large output, in the file that keeps it, and where a command is left in the background', async () => {
    const everything = await run([
      ['Bash', { command: 'for i in $(seq 1 4000); do echo "line $i $DEPLOY_KEY $BUILD_SETTING"; done' }],
      [
        'Bash',
        {
          command: 'printf "%s" "${DEPLOY_KEY:0:14}"; sleep 2; echo "${DEPLOY_KEY:14}"; sleep 30',
          timeout: 1_000,
          run_in_background: true,
        },
      ],
      ['TaskOutput', { task_id: 'bash-1', block: false }],
    ]);
    assertHidden(everything);
    assert.ok(!everything.includes(secrets.DEPLOY_KEY.slice(0, 14)));
    const folders = await readdir(place.sessions, { recursive: true, withFileTypes: true });
    for (const file of folders.filter((entry) => entry.isFile()))
      assertHidden(await readFile(path.join(file.parentPath, file.name), 'utf8'));
  });

  it('are shown where the user names them', async () => {
    await settings({ visibleVariables: ['DEPLOY_KEY'] });
    const everything = await run([['Bash', { command: 'echo "$DEPLOY_KEY $BUILD_SETTING"' }]]);
    assert.ok(everything.includes(secrets.DEPLOY_KEY));
    assert.ok(!everything.includes(secrets.BUILD_SETTING));
  });

  it('of settings files are hidden as well', async () => {
    await settings({ env: { OWN_SECRET: 'Qw3-own-secret-77' } });
    const everything = await run([['Bash', { command: 'echo "$OWN_SECRET"' }]]);
    assert.ok(!everything.includes('Qw3-own-secret-77'));
    assert.ok(everything.includes('[OWN_SECRET: hidden by Deft]'));
  });

  const hook = (command: string, more: object = {}) => ({
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command, ...more }] }] },
  });
  const hookSaw = async (command: string, more: object = {}, others: object = {}): Promise<string[]> => {
    await settings({ ...hook(command, more), ...others });
    await rm(path.join(place.home, 'seen'), { force: true });
    await run([['Bash', { command: 'true' }]]);
    const seen = await readFile(path.join(place.home, 'seen'), 'utf8');
    return Object.keys(secrets).filter((name) => new RegExp(`^${name}=`, 'm').test(seen));
  };

  it('reach the hooks that name them, and no others', async () => {
    assert.deepEqual(await hookSaw('env >"$HOME/seen"'), []);
    assert.deepEqual(await hookSaw(': "$DEPLOY_KEY"; env >"$HOME/seen"'), ['DEPLOY_KEY']);
    assert.deepEqual(await hookSaw('env >"$HOME/seen"', { allowedEnvVars: ['ACME_TOKEN'] }), ['ACME_TOKEN']);
    assert.deepEqual(await hookSaw('env >"$HOME/seen"', {}, { visibleVariables: ['BUILD_SETTING'] }), [
      'BUILD_SETTING',
    ]);
    await writeFile(path.join(place.home, 'hook.sh'), 'curl -H "authorization: $DEPLOY_KEY" x; env >"$HOME/seen"\n');
    assert.deepEqual(await hookSaw('bash ~/hook.sh'), ['DEPLOY_KEY']);
    assert.deepEqual(await hookSaw('bash "$HOME/hook.sh" one'), ['DEPLOY_KEY']);
  });

  it('that a hook missed are named where it fails, and what it prints is hidden', async () => {
    await settings(hook('echo "no key, only $DEPLOY_KEY" >&2; exit 1'));
    const everything = await run([['Bash', { command: 'true' }]]);
    assertHidden(everything);
    assert.match(everything, /Deft did not pass it `ACME_TOKEN`, `BUILD_SETTING` and `DATABASE_URL`: a hook gets only/);
  });

  it('reach the MCP servers that name them, and no others', async () => {
    const seen = path.join(place.home, 'seen');
    const start = `require('fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env)); process.exit(4)`;
    const saw = async (entry: object): Promise<[names: string[], stderr: string]> => {
      const everything = await run(
        [],
        '--mcp-config',
        JSON.stringify({ mcpServers: { own: { command: 'node', args: ['-e', start], ...entry } } }),
      );
      const environment = JSON.parse(await readFile(seen, 'utf8')) as Record<string, string>;
      return [Object.keys(secrets).filter((name) => name in environment), everything];
    };
    const [none, told] = await saw({});
    assert.deepEqual(none, []);
    assert.match(
      told,
      /Deft did not pass it `ACME_TOKEN`, .* Pass one with "env": \{"ACME_TOKEN": "\$\{ACME_TOKEN\}"\}/,
    );
    assert.deepEqual((await saw({ env: { DEPLOY_KEY: '${DEPLOY_KEY}' } }))[0], ['DEPLOY_KEY']);
    await settings({ env: { ACME_TOKEN: secrets.ACME_TOKEN } });
    assert.deepEqual((await saw({}))[0], ['ACME_TOKEN']);
  });
});
