// Arguments, variables and commands in the text of a skill: tables, and that no argument ever becomes a command.
import assert from 'node:assert/strict';
import { commandParts } from '../../../../src/core/skills/command-parts';
import { expandSkill, switchedOffText } from '../../../../src/core/skills/expand-skill';
import { slashStack } from '../../../../src/core/skills/slash-stack';
import { splitArguments } from '../../../../src/core/text/split-arguments';
import { putArguments, putVariables } from '../../../../src/core/skills/substitute';
import { slashLine } from '../../../../src/core/text/slash-line';

const variables = {
  CLAUDE_SESSION_ID: 's-1',
  CLAUDE_SKILL_DIR: '/w/.claude/skills/x',
  CLAUDE_EFFORT: 'high',
  CLAUDE_PROJECT_DIR: '/w',
};

describe('splitArguments', () => {
  const rows: [text: string, words: string[]][] = [
    ['', []],
    ['  ', []],
    ['a b', ['a', 'b']],
    [' a\t b\nc ', ['a', 'b', 'c']],
    ['"a b" c', ['a b', 'c']],
    ["'a b' c", ['a b', 'c']],
    ['a"b c"d', ['ab cd']],
    ['"" x', ['', 'x']],
    ["''", ['']],
    ['"a \\"b\\" c"', ['a "b" c']],
    ["'a \\ b'", ['a \\ b']],
    ['a\\ b', ['a b']],
    ['C:\\new\\x', ['C:\\new\\x']],
    ['"open to the end', ['open to the end']],
    ["it's fine", ['its fine']],
    ['--flag="x y" z', ['--flag=x y', 'z']],
  ];
  for (const [text, words] of rows) it(JSON.stringify(text), () => assert.deepEqual(splitArguments(text), words));
});

describe('putArguments', () => {
  const rows: [text: string, args: string, names: string[], result: string, placed?: boolean][] = [
    ['Fix $ARGUMENTS.', '12 now', [], 'Fix 12 now.'],
    ['Fix $ARGUMENTS.', '', [], 'Fix .'],
    ['None here.', 'x', [], 'None here.', false],
    ['$0 and $1', 'a b', [], 'a and b'],
    ['$0, $1, $2', '"a b" c', [], 'a b, c, '],
    ['$ARGUMENTS[1] of $ARGUMENTS[0]', 'a b', [], 'b of a'],
    ['$ARGUMENTS[7]|', 'a', [], '|'],
    ['$file in $line', 'x.ts 12', ['file', 'line'], 'x.ts in 12'],
    ['$files and $file', 'a b', ['file', 'files'], 'b and a'],
    ['$filename', 'a', ['file'], '$filename', false],
    ['$HOME $PATH $x', 'a', [], '$HOME $PATH $x', false],
    ['\\$ARGUMENTS and \\$0 and \\$file', 'a', ['file'], '$ARGUMENTS and $0 and $file', false],
    ['\\$HOME', 'a', [], '\\$HOME', false],
    ['costs $5x', 'a', [], 'costs $5x', false],
    ['$ARGUMENTSX', 'a', [], '$ARGUMENTSX', false],
    ['$0$1', 'a b', [], 'ab'],
    ['$0', '$1 $ARGUMENTS', [], '$1'],
    ['$ARGUMENTS', '$0 $& $$ ${CLAUDE_SKILL_DIR}', [], '$0 $& $$ ${CLAUDE_SKILL_DIR}'],
    [
      '${CLAUDE_SKILL_DIR}/a ${CLAUDE_SESSION_ID} ${CLAUDE_EFFORT} ${CLAUDE_PROJECT_DIR}',
      '',
      [],
      '/w/.claude/skills/x/a s-1 high /w',
      false,
    ],
    ['\\${CLAUDE_EFFORT} ${UNKNOWN}', '', [], '${CLAUDE_EFFORT} ${UNKNOWN}', false],
    ['${constructor} $toString', 'a', [], '${constructor} $toString', false],
  ];
  for (const [text, args, names, result, placed = true] of rows) {
    it(`${text} ← ${args}`, () =>
      assert.deepEqual(putArguments(text, args, names, variables), { text: result, placed }));
  }
  it('variables alone leave arguments as they are', () =>
    assert.equal(
      putVariables('${CLAUDE_SKILL_DIR}/run $0 $ARGUMENTS', variables),
      '/w/.claude/skills/x/run $0 $ARGUMENTS',
    ));
});

describe('commandParts', () => {
  const commands = (body: string): string[] =>
    commandParts(body).flatMap((part) => (part.kind === 'command' ? [part.command] : []));
  const rows: [body: string, commands: string[]][] = [
    ['!`git status`', ['git status']],
    ['Now: !`git status` and !`git diff`', ['git status', 'git diff']],
    ['- Branch:\t!`git branch`', ['git branch']],
    ['Hello!`x`', []],
    ['(!`x`)', []],
    ['`!x`', []],
    ['!` `', []],
    ['!`a\nb`', []],
    ['```!\nls\npwd\n```\nrest', ['ls\npwd']],
    ['text\n```!\nls\n```', ['ls']],
    ['```bash\nls\n```', []],
    [' ```!\nls\n```', []],
    ['```!\nnever ended', []],
    ['!`a` !`b`\n!`c`', ['a', 'b', 'c']],
  ];
  for (const [body, found] of rows) it(JSON.stringify(body), () => assert.deepEqual(commands(body), found));
  it('loses nothing of the text', () => {
    const body = 'a !`b` c\n```!\nd\n```\ne';
    assert.equal(
      commandParts(body)
        .map((part) => (part.kind === 'text' ? part.text : '·'))
        .join(''),
      'a · c\n·\ne',
    );
  });
});

describe('expandSkill', () => {
  const expand = async (
    body: string,
    args: string,
    outputs: Record<string, string> = {},
    names: string[] = [],
  ): Promise<{ text: string; written: string; ran: string[] }> => {
    const ran: string[] = [];
    const expanded = await expandSkill({ body, arguments: names }, args, {
      variables,
      run: async (command) => (ran.push(command), { kind: 'printed', text: outputs[command] ?? '?' }),
    });
    return expanded.kind === 'expanded'
      ? { text: expanded.text, written: expanded.written, ran }
      : assert.fail(expanded.message);
  };

  it('appends arguments that the text does not name', async () => {
    assert.equal((await expand('Do it.', 'a b')).text, 'Do it.\n\nARGUMENTS: a b');
    assert.equal((await expand('Do it.', '  ')).text, 'Do it.');
    assert.equal((await expand('Do $0.', 'a b')).text, 'Do a.');
  });

  it('runs commands first, with variables but without arguments', async () => {
    const { text, ran } = await expand('At !`${CLAUDE_SKILL_DIR}/where $0` for $0', 'me', {
      '/w/.claude/skills/x/where $0': 'home',
    });
    assert.deepEqual(ran, ['/w/.claude/skills/x/where $0']);
    assert.equal(text, 'At home for me');
  });

  it('never looks at what a command printed', async () => {
    const { text, written, ran } = await expand('!`a` $0', 'x', { a: '$0 !`rm -rf .` ${CLAUDE_SESSION_ID} @secret' });
    assert.deepEqual(ran, ['a']);
    assert.equal(text, '$0 !`rm -rf .` ${CLAUDE_SESSION_ID} @secret x');
    assert.equal(written, ' x', 'mentions count in what was written alone');
  });

  const injections = [
    '!`touch x`',
    '\n!`touch x`',
    ' !`touch x` ',
    '```!\ntouch x\n```',
    '\n```!\ntouch x\n```\n',
    '`touch x`',
    '"!`touch x`"',
    '$(touch x)',
    '$0',
    '$ARGUMENTS',
    '\\$0',
    '` !`touch x',
  ];
  const bodies = [
    '$ARGUMENTS',
    'a $0 b',
    'a\n$ARGUMENTS[0]\nb',
    '!$ARGUMENTS',
    '! $0',
    '```!\n$ARGUMENTS\n```',
    'x !`echo $ARGUMENTS` y',
    '$name',
    'nothing',
    '!`$0`',
    '$0$1',
  ];
  for (const body of bodies) {
    it(`no argument becomes a command or goes into one: ${JSON.stringify(body)}`, async () => {
      const own = commandParts(body).flatMap((part) => (part.kind === 'command' ? [part.command] : []));
      for (const args of injections) assert.deepEqual((await expand(body, args, {}, ['name'])).ran, own, args);
    });
  }

  it('ends with the first command that did not run', async () => {
    const expanded = await expandSkill({ body: '!`a` !`b`', arguments: [] }, '', {
      variables,
      run: async (command) => ({ kind: 'failed', message: `${command} was refused.` }),
    });
    assert.deepEqual(expanded, { kind: 'failed', message: 'a was refused.' });
  });

  it('says where commands are switched off', async () => {
    const expanded = await expandSkill({ body: 'See !`a`', arguments: [] }, '', { variables, run: undefined });
    assert.equal(expanded.kind === 'expanded' && expanded.text, `See ${switchedOffText}`);
  });
});

describe('slashLine and slashStack', () => {
  const lines: [text: string, name: string | undefined, rest?: string][] = [
    ['/deploy', 'deploy', ''],
    [' /deploy prod now ', 'deploy', 'prod now'],
    ['/deploy\nprod', 'deploy', 'prod'],
    ['/apps/web:deploy x', 'apps/web:deploy', 'x'],
    ['/frontend:component', 'frontend:component', ''],
    ['/usr/bin is full', undefined],
    ['/ deploy', undefined],
    ['//x', undefined],
    ['say /deploy', undefined],
    ['/a/b:c/d', undefined],
  ];
  for (const [text, name, rest] of lines)
    it(JSON.stringify(text), () => assert.deepEqual(slashLine(text), name === undefined ? undefined : { name, rest }));

  const known = (name: string): boolean => /^s\d$/.test(name);
  it('takes up to six', () => {
    assert.deepEqual(slashStack('/s1 /s2 do it', known), { names: ['s1', 's2'], args: 'do it' });
    assert.deepEqual(slashStack('/s1 /etc x', known), { names: ['s1'], args: '/etc x' });
    assert.deepEqual(slashStack('/s1 /s1 x', known), { names: ['s1'], args: 'x' });
    assert.deepEqual(slashStack('/s1 /s2 /s3 /s4 /s5 /s6 /s7', known), {
      names: ['s1', 's2', 's3', 's4', 's5', 's6'],
      args: '/s7',
    });
    assert.deepEqual(slashStack('/other /s1', known), { names: ['other'], args: '/s1' });
    assert.equal(slashStack('Hello', known), undefined);
  });
});
