// Damaged command lines against Bash itself: what `bash -n` refuses is never allowed unasked.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { decide } from '../../../../src/core/permissions/decide';
import { isReadOnlyCommand } from '../../../../src/core/permissions/bash/bash-line';
import { parseShell } from '../../../../src/core/permissions/bash/shell-command';
import { bash, context } from './permission-table';

const seeds = [
  'ls -la src',
  'cat a | grep b | sort',
  'git status && npm test',
  'echo "a $x" > b',
  "sed -n '1,5p' a",
  'for f in a b; do echo $f; done',
  'if ls; then pwd; else cat a; fi',
  'cat <<EOF\nhi\nEOF',
  'echo $(git log -1)',
  '(cd src && ls)',
  '{ ls; pwd; }',
  'find . \\( -name a \\) -print',
  'while true; do ls; done',
  'case x in a) ls;; esac',
  'echo ${x:-y} $((1+2))',
  'diff <(ls a) <(ls b)',
  'ls 2>&1 >/dev/null',
  "echo 'a' \"b\" $'c'",
  'time ls; ! pwd',
  'a=1 ls & wait',
];
const pieces = [
  '"',
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '>',
  '<',
  '<<',
  '<<<',
  '\\',
  '\n',
  '#',
  '$',
  '${',
  '[[',
  ']]',
  ' do ',
  ' done ',
  ' fi ',
  ' then ',
  ' esac ',
  '!',
  '*',
  '~',
  '=',
  '((',
  '))',
  ' if ',
  ' in ',
  ' case ',
  ';;',
  '<(',
  '\t',
];

const mutation = fc.tuple(fc.nat(1000), fc.constantFrom(...pieces), fc.boolean());
const mutated = fc
  .tuple(fc.constantFrom(...seeds, ...corpusSeeds()), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([seed, mutations]) =>
    mutations.reduce((text, [at, piece, removes]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + (removes ? '' : piece) + text.slice(index + (removes ? 1 : 0));
    }, seed),
  );

/** Commands of the corpus, where it is here: what users really write. */
function corpusSeeds(): string[] {
  const file = resolve('../shared/corpus/shell-permission/codex/plain-command-sequences.json');
  if (!existsSync(file)) return [];
  const scripts = (JSON.parse(readFileSync(file, 'utf8')) as { script: string }[]).map(({ script }) => script);
  const folder = resolve('../shared/corpus/shell-permission/dcg/corpus');
  const commands = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.toml'))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^command = ("(?:[^"\\]|\\.)*"|'[^']*')$/gm)].map(
        ([, text = '']) => (text.startsWith("'") ? text.slice(1, -1) : (JSON.parse(text) as string)),
      ),
    );
  return [...scripts, ...commands].filter((line) => line !== '' && line.length < 300);
}

const count = Number(process.env['DEFT_FUZZ'] ?? 1500);

describe('damaged command lines', function () {
  this.timeout(300_000);

  it(`bash refuses nothing that is allowed (${count} lines)`, function () {
    if (spawnSync('bash', ['-c', 'exit 0']).status !== 0) {
      console.log('    skipped: there is no bash');
      this.skip();
    }
    const seed = Number(process.env['DEFT_FUZZ_SEED'] ?? 20_261_121);
    const lines = [...new Set(fc.sample(mutated, { numRuns: count, seed }))].filter((line) => !line.includes('\0'));
    const rules = [
      'allow Bash',
      ...['ls', 'echo', 'cat', 'git', 'sed', 'find', 'npm'].map((name) => `allow Bash(${name}:*)`),
    ];
    const allowed = lines.filter(
      (line) =>
        decide(bash(line), context('bypassPermissions', rules)).behavior === 'allow' ||
        (['acceptEdits', 'auto', 'dontAsk', 'default'] as const).some(
          (mode) => decide(bash(line), context(mode, rules)).behavior === 'allow',
        ) ||
        isReadOnlyCommand(line),
    );
    // One bash checks all of them: each line is a file's worth of syntax, identified by its status. An end that only
    // warns (a heredoc without its last line) counts as refused.
    const script =
      'while IFS= read -r -d "" line; do out=$(bash -n -c -- "$line" 2>&1) && [ -z "$out" ] && printf 1 || printf 0; done';
    const checked = spawnSync('bash', ['-c', script], {
      input: allowed.map((line) => `${line}\0`).join(''),
      encoding: 'utf8',
    });
    assert.equal(checked.stdout.length, allowed.length, checked.stderr);
    const refused = allowed.filter((_, index) => checked.stdout[index] !== '1');
    console.log(`    ${lines.length} lines, ${allowed.length} allowed, ${refused.length} of those refused by bash`);
    assert.deepEqual(refused, []);
    assert.ok(allowed.length > 100, 'the lines are all broken: nothing was checked');
  });

  it('never throws and never loses a command in front of one that it finds', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string({ unit: 'binary', maxLength: 60 })), (line) => {
        parseShell(line);
        for (const mode of ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const) {
          const { behavior } = decide(
            bash(line),
            context(mode, ['deny Bash(rm:*)', 'deny Read(.env)', 'ask Bash(npm:*)']),
          );
          assert.ok(['allow', 'ask', 'deny'].includes(behavior));
        }
      }),
      { numRuns: 1500, seed: 7 },
    );
  });

  it('denies a forbidden command wherever it is put', () => {
    const places = [
      'X',
      'ls && X',
      'ls; X',
      'ls | X',
      'ls || X',
      'X &',
      '(X)',
      '{ X; }',
      'echo $(X)',
      'echo `X`',
      'cat <(X)',
      'if X; then ls; fi',
      'while X; do ls; done',
      'ls\nX',
      '! X',
      'time X',
      'A=1 X',
      'nohup X',
      'timeout 5 X',
      'echo "$(X)"',
      'cat <<E\n$(X)\nE',
      'f() { X; }',
      'case a in a) X;; esac',
      'bash -c "X"',
      'for a in $(X); do ls; done',
      'ls > $(X)',
      'A=$(X)',
      'echo ${a:-$(X)}',
      'echo $(( $(X) ))',
      '[[ -f $(X) ]]',
      'cat <<< "$(X)"',
      'a=($(X))',
      'X | ls',
      'X > /dev/null',
      'xargs X',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...places), { minLength: 1, maxLength: 3 }), (nest) => {
        // One level of quotes only: a second would end the first.
        if (nest.filter((place) => /["`]/.test(place)).length > 1) return;
        const line = nest.reduce((inner, place) => place.replace('X', () => inner), 'git push origin');
        const verdict = decide(bash(line), context('bypassPermissions', ['deny Bash(git push:*)']));
        assert.equal(verdict.behavior, 'deny', line);
      }),
      { numRuns: 1500, seed: 11 },
    );
  });
});
