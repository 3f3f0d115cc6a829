// The prefix that "Always allow" may offer for a command: only where every command behind it is of one kind.
import { type SimpleCommand } from './bash/simple-command';
import { readsOnly } from './bash/shell-read-only';
import { areSafeAssignments, unwrap } from './bash/shell-wrappers';
import { escapeCommand } from './rules/command-pattern';

/** `npm run build` for `npm run build --watch`; undefined where a prefix would cover more than it seems to. */
export function prefixRuleFor(command: SimpleCommand): string | undefined {
  if (command.words.length === 0 || readsOnly(command)) return undefined;
  // A value that only shows when the line runs is none to save.
  if (command.assignments.some(({ value, append }) => value.kind !== 'literal' || append)) return undefined;
  const { words, open } = unwrap(command.words);
  if (open) return undefined;
  const plain = words.findIndex(({ kind, text, value }) => kind !== 'literal' || text !== value);
  const values = (plain < 0 ? words : words.slice(0, plain)).map(({ value }) => value);
  const length = prefixLength(values);
  if (length === 0) return undefined;
  const named = command.assignments.filter((one) => !areSafeAssignments([one])).map(({ text }) => text);
  return [...named, ...values.slice(0, length)].map(escapeCommand).join(' ');
}

/** How many words name what the command is; 0 where that leaves too much open. */
function prefixLength([first = '', second = '', third = '']: readonly string[]): number {
  if (subcommands.get(first)?.has(second) === true)
    return second !== 'run' ? 2 : third !== '' && !third.startsWith('-') ? 3 : 0;
  if (!/^(python|node|ruby|perl|php|bash|sh|zsh)[\d.]*$/.test(first.slice(first.lastIndexOf('/') + 1))) return 0;
  // A script, never the interpreter alone: that would be a rule for any code.
  if (second === '-m') return modules.has(third) ? 3 : 0;
  return /^[\w./@-]+\.\w+$/.test(second) && !second.startsWith('-') && !second.startsWith('/dev/') ? 2 : 0;
}

const modules = new Set(['pytest', 'unittest', 'mypy', 'ruff', 'black', 'flake8', 'pylint', 'isort', 'tox', 'nox']);

const scripts = 'run test start build lint t';

/** No shells, interpreters, `sudo`, `rm`, `env`, `ssh`, nothing that fetches and runs, nothing that loses work. */
const subcommands = new Map(
  Object.entries({
    npm: `${scripts} ls outdated`,
    pnpm: `${scripts} ls outdated typecheck`,
    yarn: `${scripts} typecheck`,
    bun: 'test run',
    npx: 'tsc eslint prettier jest vitest mocha',
    deno: 'test lint fmt check',
    cargo: 'build check test clippy fmt doc bench nextest',
    go: 'build test vet fmt list',
    make: 'all build test check lint fmt format typecheck',
    just: 'build test check lint fmt',
    dotnet: 'build test format',
    mvn: 'compile test verify package',
    gradle: 'build test check assemble',
    './gradlew': 'build test check assemble',
    git: 'add commit',
    docker: 'ps images logs',
  }).map(([name, list]): [string, ReadonlySet<string>] => [name, new Set(list.split(' '))]),
);
