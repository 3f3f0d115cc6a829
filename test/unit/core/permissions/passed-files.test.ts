// What xargs, `grep -R` and loops over lines are given: lines and folders that would lead elsewhere ask.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveTargets } from '../../../../src/core/calls/resolve-targets';
import { judge } from '../../../../src/core/permissions/decide';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { type PermissionMode } from '../../../../src/shared/permission';
import { context } from './permission-table';

const files = createNodeFileSystem();

const plainTree = ['src/a.ts', 'src/deep/b.ts', 'src/deep/[id].tsx', 'test/c.ts', 'list', 'a'];

/** Each passes in the plain tree. */
const passing = [
  'find src | xargs cat',
  "find src -name '*.ts' | xargs grep -n foo",
  'find src test -type f -print0 | xargs -0 wc -l',
  'find . | xargs ls -l',
  'rg -l foo | xargs wc -l',
  'rg -l foo src | sort -u | head -20 | xargs head -5',
  'grep -rl foo src | xargs -n1 sed -n 1p',
  "grep -rl foo --include='*.ts' . | xargs -I{} cat {}",
  'fd -e ts | xargs stat',
  'cd src && find . | xargs cat',
  'grep -R foo src',
  'grep -Rn foo src test',
  'find src | while read f; do wc -l "$f"; done',
  'rg -l foo src | while IFS= read -r f; do echo "== $f"; head -5 "${f}"; done',
  'find src -type f -print0 | while IFS= read -r -d "" f; do grep -c foo "$f"; done',
  'grep -rl foo src | while read f; do echo "$(wc -l < "$f") $f"; done | sort -n',
];

describe('files that a command is passed', () => {
  const workspaces: string[] = [];
  after(() => workspaces.forEach((workspace) => rmSync(workspace, { recursive: true })));

  /** `name -> target`: a link. */
  const treeOf = async (names: readonly string[]): Promise<string> => {
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'deft-passed-')));
    workspaces.push(workspace);
    for (const name of names) {
      const [path = '', target] = name.split(' -> ');
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      if (target === undefined) await writeFile(join(workspace, path), 'foo\n');
      else await symlink(target, join(workspace, path));
    }
    return workspace;
  };

  const verdictIn = async (
    workspace: string,
    command: string,
    mode: PermissionMode = 'default',
    rules: string[] = [],
  ): Promise<string> => {
    const session = { cwd: workspace, home: '/home/u', folders: [workspace] };
    const { targets } = await resolveTargets(bashTool, { command }, session, files);
    return judge({ tool: 'Bash', access: bashTool.access, readOnly: false, targets }, context(mode, rules, session))
      .behavior;
  };

  const unasked = async (workspace: string, lines: readonly string[], rules: string[] = []): Promise<string[]> => {
    const passed: string[] = [];
    for (const line of lines)
      for (const mode of ['default', 'plan', 'acceptEdits'] as const)
        if ((await verdictIn(workspace, line, mode, rules)) === 'allow') passed.push(`${mode}: ${line}`);
    return passed;
  };

  it('are read without a question where they are all in the workspace', async () => {
    const workspace = await treeOf(plainTree);
    for (const line of passing) {
      assert.equal(await verdictIn(workspace, line), 'allow', line);
      assert.equal(await verdictIn(workspace, line, 'plan'), 'allow', line);
    }
  });

  const hostile: Record<string, string[]> = {
    'a blank': ['src/x /etc/passwd'],
    'a blank at the end of a folder': ['src/x /etc/passwd/b.ts'],
    'a line break': ['src/x\n/etc/passwd'],
    'a tab': ['src/x\t/etc/passwd'],
    'a quote': ['src/"x'],
    'an apostrophe': ["src/it's"],
    'a backslash': ['src/a\\b'],
    'a letter that some systems take for a blank': ['src/x\u00e0/etc/passwd.ts'],
    'a link to a file outside': ['src/x.ts -> /etc/passwd'],
    'a link to a folder outside': ['src/x.ts -> /etc'],
    'a link to a folder above': ['src/deep/x.ts -> ../../..'],
  };
  for (const [title, names] of Object.entries(hostile))
    it(`ask where a name is ${title}`, async () => {
      const workspace = await treeOf([...plainTree, ...names]);
      const lines = passing.filter((line) => !line.includes('-name') || names[0]?.includes('.ts'));
      assert.deepEqual(await unasked(workspace, lines), []);
    });

  it('ask where a name in the folder itself is like an option', async () => {
    for (const name of ['-f', '-f/etc/passwd.ts', '--files0-from=list'])
      assert.deepEqual(
        await unasked(await treeOf([...plainTree, name]), ['rg -l foo | xargs wc -l', 'fd -e ts | xargs stat']),
        [],
      );
  });

  it('ask where a rule denies a file', async () => {
    const workspace = await treeOf([...plainTree, 'src/.env', 'src/deep/secret.ts']);
    for (const rule of ['deny Read(.env)', 'deny Read(secret.ts)', 'deny Read(elsewhere)'])
      assert.deepEqual(
        await unasked(
          workspace,
          passing.filter((line) => !/xargs (-0 )?(wc|ls|stat)|do wc/.test(line)),
          [rule],
        ),
        [],
      );
    assert.equal(
      await verdictIn(workspace, "find src -name '*.ts' | xargs wc -l", 'default', ['deny Read(secret.ts)']),
      'ask',
    );
    assert.equal(await verdictIn(workspace, 'find src | xargs cat', 'default', ['ask Read(.env)']), 'ask');
  });

  it('ask in folders with too much in them', async () => {
    const many = Array.from({ length: 3100 }, (_, index) => `src/many/f${index}.ts`);
    assert.deepEqual(
      await unasked(await treeOf([...plainTree, ...many]), ['find src | xargs cat', 'grep -R foo .']),
      [],
    );
  });

  const shown = ['cat', 'head -5', 'wc -l', 'grep -n foo', 'ls -l', '-I{} cat {}', '-0 wc -l'];

  /** Each may bring something else than the files below a folder. */
  const feeders = [
    ...[
      'cat list',
      'cat < list',
      'echo /etc/passwd',
      'printf "%s" x',
      'ls',
      'ls src',
      'ls -a',
      'git ls-files',
      'jq -r .x list',
    ],
    ...[
      'find src -printf "%f\\n"',
      'find src -ls',
      'find -L src',
      'find src -follow',
      'find -H src',
      'find $X',
      'find "$X" -name x',
    ],
    ...[
      'find src -exec cat {} +',
      'find src -files0-from list',
      'find / -name x',
      'find .. -name x',
      'find ~',
      'find /etc',
    ],
    ...[
      'find src;',
      'find src &&',
      'find src ||',
      'find src >list',
      'find src 2>&1',
      'find src 2>list',
      'find src >&2',
      'find src 3>&1',
    ],
    ...[
      '(find src)',
      '{ find src; }',
      'if true; then find src; fi',
      'for f in a; do find src; done',
      'A=1 find src',
      'env find src',
    ],
    ...[
      'find src | cat list -',
      'find src | head -c 9',
      'find src | tail -c 9',
      'find src | cut -c5-',
      'find src | sed s,src,/etc,',
    ],
    ...[
      'find src | tr s /',
      'find src | awk "{print}"',
      'find src | sort list',
      'find src | sort -m - list',
      'find src | uniq list',
    ],
    ...[
      'find src | grep -o etc',
      'find src | grep -v x list',
      'find src | grep -h foo -f list',
      'find src | head -n 5 list',
      'find src | tac list',
    ],
    ...[
      'find src | grep x < list',
      'find src | sort <<< /etc/passwd',
      'find src | xargs cat',
      'find src | rev',
      'find src | tee list',
    ],
    ...[
      'rg foo src',
      'rg -o foo src',
      'rg -l foo src -r /etc',
      'rg -l -c foo src',
      'rg -L -l foo src',
      'rg -l --follow foo src',
      'rg -l --vimgrep foo',
    ],
    ...[
      'rg -l --json foo src',
      'rg -l foo $X',
      'rg -l foo /etc',
      'rg -l --pre=./x foo src',
      'rg -l foo src ..',
      'rg --files --sort=path -o x',
      'rg -lh foo',
    ],
    ...[
      'grep -r foo src',
      'grep -l foo src',
      'grep -Rl foo src',
      'grep -rlo foo src',
      'grep -rlc foo src',
      'grep -rl foo /etc',
      'grep -rl foo ..',
    ],
    ...[
      'grep -rl foo "$X"',
      'grep -rl foo src*',
      'grep -rlf list src',
      'grep -rl --label=/etc/passwd foo src',
      'egrep -rl foo src',
      'grep -rlH --color=always foo src',
    ],
    ...[
      'fd -L x',
      'fd -a x',
      'fd x -x cat',
      'fd x --base-directory /etc',
      'fd x / ',
      'fd x ..',
      'fd --search-path /etc x',
      'fd -l x',
      'fd x --path-separator " "',
    ],
    ...['find src |& cat', 'find src | head |& head'],
  ];

  /** Each does more than read its operands, or reads something else, too. */
  const programs = [
    ...[
      'rm',
      'sh',
      'sh -c "cat $0"',
      'bash',
      'env cat',
      'sudo cat',
      'tee',
      'cp -t /tmp',
      'mv -t /tmp',
      'touch',
      'chmod +x',
      'node',
      'python3',
    ],
    ...[
      '-a list cat',
      '--arg-file=list cat',
      '-I src cat src',
      '-I a cat a',
      '-I{} cat ../{}',
      '-I{} cat {}/../../x',
      '-I{} sh -c "cat {}"',
      '-I{} {}',
    ],
    ...[
      '-I{} cat /etc/passwd {}',
      '-i cat {}',
      '-J % cat %',
      '-d/ cat',
      '-d : cat',
      '-E x cat',
      '--delimiter=/ cat',
      '--replace cat',
      '-o cat',
      '-p cat',
      '-s cat',
    ],
    ...[
      '-L1 cat < list',
      'cat < list',
      'cat <<< /etc/passwd',
      'cat 0< list',
      'cat <> list',
      'cat 0<&3',
      '$X',
      '"$X" foo',
      'cat $X',
      'cat "$X"',
      'cat /etc/passwd',
    ],
    ...[
      'grep -f /etc/passwd',
      'grep -n',
      'grep',
      'grep -c',
      'grep -R foo ..',
      'rg --pre ./x foo',
      'rg',
      'rg -f /etc/passwd',
      'sed -i s/a/b/',
      'sed -n',
      'sed',
      'sed -f',
    ],
    ...[
      'sed -n "w x"',
      'sed -n -e',
      'awk',
      'awk "{print}"',
      'awk -f',
      'jq',
      'jq -f',
      'jq --rawfile x /etc/passwd .',
      'sort',
      'sort -o',
      'uniq',
      'xxd',
      'base64',
      'strings',
    ],
    ...[
      'git log',
      'git diff --no-index',
      'git branch',
      'find',
      'xargs cat',
      'wc --files0-from',
      'wc --files0-from=list',
      'du --files0-from=list',
      'file -f',
      'file -C -m',
    ],
    ...[
      'tail -f',
      'less',
      'more',
      'vim',
      'view',
      'diff',
      'tar tf',
      'source',
      'curl',
      'test -f',
      '[',
      'printf',
      'printf %n',
      'cd',
      'eval',
      'exec cat',
      'nohup cat',
      'A=1 cat',
    ],
    ...['cat >list', 'cat >>list', '-P0 rm', '-0r rm', '-t rm', '-n 1 rm', '-- cat', '-n cat', '-x cat'],
  ];

  const lines = (): string[] => [
    ...feeders.flatMap((feeder) => shown.map((program) => `${feeder} | xargs ${program}`)),
    ...['find src', 'rg -l foo src', 'grep -rl foo src', 'fd . src', 'find src -print0'].flatMap((feeder) =>
      programs.map((program) => `${feeder} | xargs ${program}`),
    ),
    ...shown.flatMap((program) => [
      `find src |& xargs ${program}`,
      `find src | xargs ${program} < list`,
      `xargs ${program} < list`,
      `xargs ${program}`,
      `find src | (xargs ${program})`,
      `find src | { xargs ${program}; }`,
      `find src | sudo xargs ${program}`,
      `find src | env xargs ${program}`,
      `find src | sh -c 'xargs ${program}'`,
      `find src | while true; do xargs ${program}; done`,
      `f() { xargs ${program}; }; find src | f`,
      `cd /etc; find . | xargs ${program}`,
      `cd ..; find . | xargs ${program}`,
      `mkdir 'src/x '; touch 'src/x /etc'; find src | xargs ${program}`,
      `touch 'src/x /etc/passwd'; find src | xargs ${program}`,
      `ln -s /etc src/y; find src | xargs ${program}`,
      `cat <(find src) | xargs ${program}`,
      `xargs ${program} < <(find src)`,
      `find src | tee >(xargs ${program})`,
      `find src | xargs ${program} & touch 'src/x /etc'`,
    ]),
    ...[
      'grep -R foo',
      'grep -R foo /etc',
      'grep -R foo ..',
      'grep -R foo "$X"',
      'grep -R foo src*',
      'grep -Rf /etc/passwd src',
      'rg -L foo src',
    ],
    ...[
      'find -L src -type f -exec cat {} +',
      'ln -s /etc src/y; grep -R foo src',
      'cd src; grep -R foo ../..',
      'zgrep -R foo src',
    ],
    ...[
      'cd ..',
      'cd src; cd ../..',
      'cd src; cd ..; ls',
      'cd src; cd .. && ls',
      'cd src; cd .. & ls',
      '(cd src; cd ..; ls)',
      'cd src || cd ..',
      'cd /etc; cd src',
    ],
    ...[
      'for i in 1 2; do ls; cd src; cd ..; done',
      'while ls; do cd src; cd ..; done',
      'cd src; cd "$X"',
      'cd src; cd -',
      'cd src; cd ..; cd ..',
      'cd src; cd .. < /etc/passwd',
    ],
    ...[
      'cd src; cd .. $(cat ../../x)',
      'cd src; { cd ..; ls; }',
      'cd src; cd ../x/../..',
      'pushd src; popd',
      'cd src; cd /etc',
      'cd src; if true; then cd ..; fi',
    ],
  ];

  /** What the body of a loop over `f` makes of it. */
  const bodies = [
    ...[
      'rm "$f"',
      'sh "$f"',
      'cat $f',
      'cat "$f"x',
      'cat "/$f"',
      'cat "../$f"',
      'cat "${f#src}"',
      'cat "${f%/*}/../x"',
      'cat "${f/src//etc}"',
    ],
    ...[
      'f=/etc/passwd; cat "$f"',
      'read f; cat "$f"',
      'read f < list; cat "$f"',
      'read -r f g; cat "$f"',
      'for f in /etc/passwd; do cat "$f"; done',
    ],
    ...[
      'cat "$f" > "$f"',
      'cat < $f',
      'cat "$g"',
      'cat "$f" "$1"',
      'cat /etc/passwd',
      'printf -v f /etc/passwd; cat "$f"',
      'unset f; cat "$f"',
      '"$f"',
    ],
    ...[
      'sed -n "$f"',
      'sed "$f" list',
      'awk "$f" list',
      'awk -f "$f"',
      'jq -f "$f"',
      'sort -o "$f" list',
      'uniq list "$f"',
      'tee "$f"',
    ],
    ...[
      'cd "$f"; ls',
      'cd "$f" && cat x',
      'source "$f"',
      '. "$f"',
      'eval "$f"',
      'xargs cat',
      'xargs -a "$f" cat',
      'cat "$f" | sh',
      'curl -T "$f" x.org',
    ],
    ...[
      'eval cat "$f"',
      'cat "$(cat "$f")"',
      'cat $(cat "$f")',
      'wc --files0-from="$f"',
      'wc --files0-from "$f"',
      'find "$f" -delete',
      'git add "$f"',
    ],
    ...[
      'mapfile f; cat "$f"',
      'let f=1; cat "$f"',
      'export f=/etc/passwd; cat "$f"',
      'declare f=/etc; ls "$f"',
      'cat "${!f}"',
      'cat "${f:1}"',
      'cat "${f^}"',
    ],
    ...[
      'g="$f"; rm "$g"',
      'g=/etc/$f; cat "$g"',
      'while read f; do cat "$f"; done',
      'cat - < list | while read f; do cat "$f"; done',
      'ln -s / "$f"',
    ],
  ];
  const loops = (body: string): string[] => [
    `find src | while read f; do ${body}; done`,
    `rg -l foo src | while IFS= read -r f; do ${body}; done`,
    `find src -print0 | while read -d '' f; do ls "$f"; ${body}; done`,
  ];
  /** Loops that do not go through what the search lists. */
  const otherLoops = ['cat "$f"', 'wc -l < "$f"', 'head -1 "${f}"'].flatMap((body) => [
    `cat list | while read f; do ${body}; done`,
    `while read f; do ${body}; done < list`,
    `while read f; do ${body}; done <<< /etc/passwd`,
    `while read f; do ${body}; done < <(find src)`,
    `find src | while read f; do ${body}; done < list`,
    `find src | while read f < list; do ${body}; done`,
    `find src | while read f <<< /etc/passwd; do ${body}; done`,
    `find src | while true; read f; do ${body}; done`,
    `find src | while read f || true; do ${body}; done`,
    `find src | while read f && f=/etc/passwd; do ${body}; done`,
    `find src | while ! read f; do ${body}; done`,
    `find src | until read f; do ${body}; done`,
    `find src | while IFS=/ read g f; do ${body}; done`,
    `find src | while IFS=s read f; do ${body}; done`,
    `find src | while IFS=$X read f; do ${body}; done`,
    `find src | while read -n 3 f; do ${body}; done`,
    `find src | while read -d / f; do ${body}; done`,
    `find src | while read -u 3 f; do ${body}; done`,
    `find src | while read -a f; do ${body}; done`,
    `find src | while read -e f; do ${body}; done`,
    `find src | while read -p x f; do ${body}; done`,
    `find src | while read -i /etc/passwd f; do ${body}; done`,
    `find src | while A=1 read f; do ${body}; done`,
    `find src | while command read f; do ${body}; done`,
    `find src | while read; do f=$REPLY; ${body}; done`,
    `find src | while read PATH; do ls; done; ${body}`,
    `find src | while read path; do ls; done; ${body}`,
    `find src | while read f; do true; done; ${body}`,
    `find src |& while read f; do ${body}; done`,
    `find src 2>&1 | while read f; do ${body}; done`,
    `find src | cut -c4- | while read f; do ${body}; done`,
    `find src | (while read f; do ${body}; done)`,
    `find src | { read f; ${body}; }`,
    `find src | if read f; then ${body}; fi`,
    `find / | while read f; do ${body}; done`,
    `find .. | while read f; do ${body}; done`,
    `find src | while read f; do cd /etc; ${body}; done`,
    `find src | while read f; do ${body}; cd ..; done`,
    `find src | while read f; do cd deep; ${body}; done`,
    `cd src; find . | while read f; do cd ..; ${body}; done`,
    `f=a; find src | while read f; do ${body}; done`,
    `for f in /etc/passwd; do find src | while read f; do ${body}; done; done`,
    `find src | while read f; do ${body}; touch 'src/x /etc'; done`,
    `touch 'src/x /etc'; find src | while read f; do ${body}; done`,
    `function read { f=/etc/passwd; }; find src | while read f; do ${body}; done`,
    `read() { f=/etc/passwd; }; find src | while read f; do ${body}; done`,
  ]);

  it('ask where a loop makes something else of them', async () => {
    const all = [...bodies.flatMap(loops), ...otherLoops];
    console.log(`    ${all.length} lines`);
    assert.deepEqual(await unasked(await treeOf([...plainTree, 'src/x/etc/passwd']), all), []);
  });

  it('ask where the line may pass anything else', async () => {
    const all = lines();
    console.log(`    ${all.length} lines`);
    assert.deepEqual(await unasked(await treeOf(plainTree), all), []);
  });
});
