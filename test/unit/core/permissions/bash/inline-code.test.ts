// Code in a command line, with Read deny rules: what it plainly names is found, whoever allows the command.
import assert from 'node:assert/strict';
import { decide } from '../../../../../src/core/permissions/decide';
import { type PermissionMode } from '../../../../../src/shared/permission';
import { bash, context, verdictOf } from '../permission-table';

const denials = [
  'deny Read(.env)',
  'deny Read(*.pem)',
  'deny Read(secrets/**)',
  'deny Read(~/.ssh/**)',
  'deny Read(//etc/shadow)',
];
const names = ['python', 'python3', 'node', 'perl', 'ruby', 'php', 'deno', 'bun', 'awk', 'lua'];
const leave = [
  'allow Bash',
  'allow Read',
  'allow Edit',
  ...names.map((name) => `allow Bash(${name} *)`),
  'allow Bash(python -c *)',
  'allow Bash(node -e *)',
];

/** Each names a denied file in its text. */
const found = [
  // Python.
  `python -c "print(open('.env').read())"`,
  `python3 -c 'print(open(".env").read())'`,
  `python3.12 -c "open('./.env')"`,
  `python -c "open('/ws/.env')"`,
  `python -c "open('sub/.env')"`,
  `python -c "open('sub/../.env')"`,
  `python -c "import pathlib; print(pathlib.Path('a.pem').read_text())"`,
  `python -c "open('keys/x.pem')"`,
  `python -Bc "open('.env')"`,
  `python -c"open('.env')"`,
  `python -c "import os; os.system('cat .env')"`,
  `python -c "import subprocess; subprocess.run(['cat', '.env'])"`,
  `python -c "import os; open(os.path.join('secrets', 'x'))"`,
  `python -c "open('secrets/x')"`,
  `python -c "import os; open(os.path.expanduser('~/.ssh/id_rsa'))"`,
  `python -c "open('/home/u/.ssh/id_rsa')"`,
  `python -c "open('/etc/shadow')"`,
  `python -c "import os; open(os.path.join('/etc', 'shadow'))"`,
  `python -c "open(r'.\\\\.env')"`,
  `python -c "import sys; print(open(sys.argv[1]).read())" .env`,
  `python -c "import sys; print(open(sys.argv[1]).read())" --file=.env`,
  `python - <<EOF\nprint(open('.env').read())\nEOF`,
  `python <<'EOF'\nopen(".env")\nEOF`,
  `python3 - a <<< "open('.env')"`,
  `echo "print(open('.env').read())" | python`,
  `printf '%s' "open('.env')" | python3 -`,
  `python -c 'x = """\n.env\n"""; open(x.strip())'`,
  // JavaScript.
  `node -e "console.log(require('fs').readFileSync('.env', 'utf8'))"`,
  `node -p "fs.readFileSync('.env')"`,
  `node -pe 'fs.readFileSync(".env")'`,
  'node -e "fs.readFileSync(\\`.env\\`)"',
  `node --eval "fs.readFileSync('.env')"`,
  `node --eval="fs.readFileSync('.env')"`,
  `node --print "fs.readFileSync('.env')"`,
  `node -e "require('./secrets/x.json')"`,
  `node -e "fetch('file:///etc/shadow')"`,
  `node -e "fs.readFileSync(process.argv[1])" .env`,
  `node --env-file=.env -p process.env`,
  `deno eval "Deno.readTextFileSync('.env')"`,
  `bun -e "await Bun.file('.env').text()"`,
  `bun --print "Bun.file('.env')"`,
  // Perl, Ruby, PHP and others.
  `perl -e 'open F, ".env"; print <F>'`,
  `perl -ne 'print' .env`,
  `perl -pe 1 .env`,
  `perl -lane 'print' a.pem`,
  `perl -0777ne print .env`,
  `perl -e 'open F, q(.env)'`,
  `perl -e 'open F, q{a.pem}'`,
  `perl -e 'print for qw(x a.pem)'`,
  `perl -e 'for (<.env>) { open F, $_ }'`,
  `ruby -e 'File.read(%q(a.pem))'`,
  `perl -e 'print for map { \`cat $_\` } qw(.env a)'`,
  `perl -E 'say qx(cat .env)'`,
  `ruby -e 'puts File.read(".env")'`,
  `ruby -ne 'puts $_' .env`,
  `ruby -e 'puts File.read(%q(.env))'`,
  `ruby -rjson -e 'File.read(".env")'`,
  `php -r 'echo file_get_contents(".env");'`,
  `php --run 'readfile(".env");'`,
  `lua -e 'io.open(".env")'`,
  `Rscript -e 'readLines(".env")'`,
  // Programs that are their first argument.
  `awk 'BEGIN { while ((getline l < ".env") > 0) print l }'`,
  `gawk 'BEGIN { system("cat .env") }'`,
  `awk 'BEGIN { "cat .env" | getline x; print x }'`,
  `sqlite3 a.db "select readfile('.env')"`,
  // Behind other programs, in chains and blocks.
  `sudo python -c "open('.env')"`,
  `timeout 5 python -c "open('.env')"`,
  `env A=1 node -e "fs.readFileSync('.env')"`,
  `A=1 node -e "fs.readFileSync('.env')"`,
  `bash -c "python -c 'open(\\".env\\")'"`,
  `uv run python -c "open('.env')"`,
  `poetry run python -c "open('.env')"`,
  `npx node -e "fs.readFileSync('.env')"`,
  `docker run x python -c "open('.env')"`,
  `ls && python -c "open('.env')"`,
  `ls | python -c "open('.env')"`,
  `echo $(python -c "open('.env')")`,
  `for i in 1; do python -c "open('.env')"; done`,
  `f() { python -c "open('.env')"; }; f`,
  `cd sub && python -c "open('../.env')"`,
  `cd sub && python -c "open('.env')"`,
  `/usr/bin/python3 -c "open('.env')"`,
  `find . -exec python -c "open('.env')" \\;`,
  `xargs python -c "open('.env')"`,
];

/** They name none, or nothing that the rules deny. */
const free = [
  `python -c "print(1)"`,
  `python -c "import secrets; print(secrets.token_hex())"`,
  `python -c "import os; print(os.environ['HOME'])"`,
  `node -p process.env`,
  `node -e "console.log(process.env.HOME)"`,
  `node -e "JSON.parse(x)"`,
  `node -p "require('./package.json').version"`,
  `python -c "open('.env.example')"`,
  `python -c "open('a.txt')"`,
  `perl -pe 's/a/b/' a.txt`,
  `perl -pe 's/secrets/x/' a.txt`,
  `ruby -e 'puts 1'`,
  `awk '{ print $1 }' a.txt`,
  `awk -F= '/env/ { print $2 }' a.txt`,
  `node a.js`,
  `node a.js --config .env`,
  `python manage.py --env .env`,
  `git commit -m "python -c reads .env"`,
  `echo "python -c open('.env')"`,
  `grep -e node a.txt`,
  `python -m pytest`,
  `node --test`,
];

const modes: PermissionMode[] = ['default', 'acceptEdits', 'auto', 'bypassPermissions'];

describe('code in a command line', () => {
  it('that names a denied file asks in every mode, though rules allow it', () => {
    const wrong = modes
      .flatMap((mode) =>
        found.map((command) => [mode, command, verdictOf(mode, [...denials, ...leave], `Bash ${command}`)] as const),
      )
      .filter(([, , { behavior, code }]) => behavior === 'allow' || code !== 'rule');
    assert.deepEqual(
      wrong.map(([mode, command, { behavior, code }]) => `${mode}: ${command}: ${behavior} ${code}`),
      [],
    );
  });

  it('asks where the very text is allowed: the denial was there first', () => {
    const command = `python -c "open('.env')"`;
    for (const rule of ['allow Bash(python -c "open\\(\'.env\'\\)")', 'allow Bash(python -c:*)', 'allow Bash']) {
      assert.equal(verdictOf('default', [rule], `Bash ${command}`).behavior, 'allow', rule);
      assert.equal(verdictOf('default', [rule, 'deny Read(.env)'], `Bash ${command}`).behavior, 'ask', rule);
    }
  });

  it('is not asked about twice: what asks nobody denies it, and the sandbox lifts nothing', () => {
    const call = { ...bash(`python -c "open('.env')"`), sandboxed: true };
    assert.equal(decide(call, context('dontAsk', [...denials, ...leave])).behavior, 'deny');
    assert.equal(decide(call, context('default', denials)).code, 'rule');
    assert.deepEqual(decide(call, context('default', denials)).suggestions, []);
  });

  it('is told by the rule and by the name that was found', () => {
    const { reason } = verdictOf('default', [...denials, ...leave], `Bash node -e "fs.readFileSync('secrets/a.json')"`);
    assert.equal(
      reason,
      '`node -e "fs.readFileSync(\'secrets/a.json\')"` is code that names `secrets/a.json`. The rule `Read(secrets/**)` denies this.',
    );
  });

  it('that names nothing denied is as free as rules make it', () => {
    const wrong = free.filter(
      (command) => verdictOf('default', [...denials, ...leave], `Bash ${command}`).behavior !== 'allow',
    );
    assert.deepEqual(wrong, []);
  });

  it('asks under a bare denial, whatever it names', () => {
    for (const command of [`python -c "print('x')"`, `node -e "fs.readFileSync('a')"`])
      assert.notEqual(
        verdictOf('bypassPermissions', ['deny Read', 'allow Bash'], `Bash ${command}`).behavior,
        'allow',
        command,
      );
  });

  it('that stands in a variable asks beside a denial, but not in bypass mode', () => {
    for (const command of [
      'python -c "$X"',
      'node -e $CODE',
      'perl -e "$(cat a)"',
      'f=.env; python -c "open(\'$f\')"',
    ]) {
      assert.equal(verdictOf('default', [...denials, 'allow Bash'], `Bash ${command}`).behavior, 'ask', command);
      assert.equal(verdictOf('default', ['allow Bash'], `Bash ${command}`).behavior, 'allow', command);
    }
    assert.equal(verdictOf('bypassPermissions', denials, 'Bash python -c "$X"').behavior, 'allow');
  });

  it('is covered by a rule for its program, however its option is written, if the line shows the code', () => {
    for (const command of [
      `python -c'x'`,
      'python -Bc x',
      'node --eval=1',
      'node --print=1',
      'node -r ./a b',
      'node --import=./a b',
      `perl -e'1'`,
      'perl -0777ne 1',
      'ruby -rjson -e1',
      'php --run 1',
      'deno eval 1',
      'bun exec x',
      `lua -e'1'`,
    ]) {
      const rules = names.map((name) => `allow Bash(${name}:*)`);
      assert.equal(verdictOf('default', rules, `Bash ${command}`).code, 'rule', command);
      const [program = ''] = command.split(' ');
      const hidden = verdictOf('default', rules, `Bash ${program} "$(cat a)" ${command.slice(program.length)}`);
      assert.match(hidden.reason, /does not cover .*: its code is not written out in the line\.$/, command);
    }
    for (const command of [
      'python a.py',
      'python -m pytest',
      'node a.js',
      'ruby -Itest a.rb',
      'perl -Ilib a.pl',
      'deno run a.ts',
      'bun run x',
      'php a.php',
    ]) {
      assert.equal(
        verdictOf(
          'default',
          names.map((name) => `allow Bash(${name}:*)`),
          `Bash ${command}`,
        ).behavior,
        'allow',
        command,
      );
    }
  });

  it('is looked at in no time, however long it is', () => {
    const long = `python -c "${`open('x'); `.repeat(900)}open('.env')"`;
    assert.equal(
      verdictOf(
        'bypassPermissions',
        [...denials, ...Array.from({ length: 200 }, (_, index) => `deny Read(d${index}/**)`)],
        `Bash ${long}`,
      ).behavior,
      'ask',
    );
  });
});
