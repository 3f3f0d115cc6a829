// Commands that other projects collected: those known as destructive are never allowed unasked.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isReadOnlyCommand } from '../../../../src/core/permissions/bash/bash-line';
import { type PermissionMode } from '../../../../src/shared/permission';
import { decide } from '../../../../src/core/permissions/decide';
import { bash, context, verdictOf } from './permission-table';

const corpus = resolve('../shared/corpus/shell-permission');

interface Entry {
  command: string;
  dangerous: boolean;
}

/** The few TOML constructs that the collection uses: one `key = string` a line. */
function readCases(text: string): Entry[] {
  return text
    .split('[[case]]')
    .slice(1)
    .flatMap((block) => {
      const value = (key: string): string | undefined => {
        const match = new RegExp(`^${key} = ("(?:[^"\\\\]|\\\\.)*"|'[^']*')`, 'm').exec(block)?.[1];
        if (match === undefined) return undefined;
        return match.startsWith("'") ? match.slice(1, -1) : (JSON.parse(match) as string);
      };
      const command = value('command');
      const expected = value('expected') ?? value('expected_decision');
      return command === undefined || expected === undefined ? [] : [{ command, dangerous: expected === 'deny' }];
    });
}

function readCorpus(): Entry[] {
  const found = readdirSync(join(corpus, 'dcg/corpus'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.toml'))
    .flatMap((name) => readCases(readFileSync(join(corpus, 'dcg/corpus', name), 'utf8')));
  const heredocs = readFileSync(join(corpus, 'dcg/e2e/fixtures/commands/heredocs.txt'), 'utf8');
  for (const line of heredocs.split('\n')) {
    const match = /^(BLOCK|ALLOW):(.*)$/.exec(line);
    if (match !== null)
      found.push({
        command: (match[2] ?? '').replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
        dangerous: match[1] === 'BLOCK',
      });
  }
  return found;
}

const inScope = /^(mkdir|touch|rm|rmdir|mv|cp|sed)\b/;

describe('shell corpus', function () {
  before(function () {
    if (existsSync(corpus)) return;
    console.log('    skipped: the shell-permission corpus is not here');
    this.skip();
  });

  // A rule for a program that does nothing but run code covers the code that the line shows (ADR 0007).
  const meansCode = /^(bash|node|perl|python3?|ruby|sh|sudo)\b/;

  it('no destructive command passes unasked, in no mode and through no rule for its first word', () => {
    const dangerous = readCorpus().filter((entry) => entry.dangerous);
    assert.ok(dangerous.length >= 90, String(dangerous.length));
    const passed: string[] = [];
    let tried = 0;
    const check = (mode: PermissionMode, rules: string[], command: string): void => {
      tried++;
      if (decide(bash(command), context(mode, rules)).behavior !== 'allow') return;
      if (mode === 'acceptEdits' && inScope.test(command)) return;
      if (rules.length > 0 && meansCode.test(command)) return;
      passed.push(`${mode} ${rules.join(', ')}: ${command}`);
    };
    for (const { command } of dangerous) {
      for (const mode of ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk'] as const) {
        check(mode, [], command);
        const first = command.trim().split(/\s+/)[0] ?? '';
        for (const word of new Set([
          first,
          first.replace(/^\\/, ''),
          first.replaceAll('"', ''),
          first.split('/').at(-1) ?? '',
        ])) {
          if (!/^[\w\\"/.-]+$/.test(word)) continue;
          const name = word.replaceAll('\\', '\\\\');
          for (const content of [`${name}:*`, `${name} *`, `${name}*`, name])
            check(mode, [`allow Bash(${content})`], command);
        }
      }
    }
    console.log(`    ${dangerous.length} destructive commands, ${tried} decisions, ${passed.length} passed`);
    assert.deepEqual(passed, []);
  });

  it('what is never approved by itself asks in bypass mode, too, whatever rules allow', () => {
    const removals = readCorpus().filter(
      ({ command, dangerous }) =>
        dangerous && /^(sudo )?rm -(rf|fr) (\/|~|\/\*|\$HOME|\/etc|\/usr|\/home)\/?$/.test(command.trim()),
    );
    const passed = removals.filter(
      ({ command }) =>
        decide(bash(command), context('bypassPermissions', ['allow Bash', 'allow Bash(rm:*)', 'allow Bash(sudo:*)']))
          .behavior === 'allow',
    );
    console.log(`    ${removals.length} critical removals of the corpus`);
    assert.deepEqual(passed, []);
    assert.ok(removals.length >= 2, String(removals.length));
  });

  it('prints how many of the harmless commands run unasked', () => {
    const harmless = readCorpus().filter((entry) => !entry.dangerous);
    const free = harmless.filter(
      ({ command }) => decide(bash(command), context('default')).behavior === 'allow',
    ).length;
    console.log(`    ${free} of ${harmless.length} harmless commands run unasked in default mode`);
    assert.ok(free >= 25, String(free));
  });

  it('calls read-only what codex calls safe, and never what it calls unsafe', () => {
    const cases = JSON.parse(readFileSync(join(corpus, 'codex/safe-commands.json'), 'utf8')) as {
      fn: string;
      argv: string[];
      expected: boolean;
    }[];
    let agreed = 0;
    const wrong: string[] = [];
    for (const { argv, expected } of cases) {
      const [shell, flag, script] = argv;
      const command =
        flag === '-lc' && script !== undefined && argv.length === 3
          ? script
          : argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
      const actual = isReadOnlyCommand(command);
      if (actual === expected) agreed++;
      // `numfmt` only prints, `(pwd && echo hi)` only looks, and "bash -lc" of a quoted word is not a command here. Which
      // repository `git -C` reads is asked elsewhere, and this pager runs nothing.
      else if (
        actual &&
        !['numfmt', 'tac'].includes(shell ?? '') &&
        !/^\(ls\)$|^ls \|\| \(pwd|^'?git'? '?-(C'?|c' 'core\.pager=cat') /.test(command)
      )
        wrong.push(command);
    }
    console.log(`    ${agreed} of ${cases.length} verdicts agree with codex`);
    assert.deepEqual(wrong, []);
  });

  it('agrees that the sequences codex calls plain are plain', () => {
    const cases = JSON.parse(readFileSync(join(corpus, 'codex/plain-command-sequences.json'), 'utf8')) as {
      script: string;
      plain_commands_only: boolean;
    }[];
    const asked = cases.filter(
      ({ script, plain_commands_only: plain }) =>
        plain && verdictOf('bypassPermissions', [], `Bash ${script}`).code === 'unparsed-command',
    );
    assert.deepEqual(asked, []);
    assert.ok(cases.length >= 20);
  });
});
