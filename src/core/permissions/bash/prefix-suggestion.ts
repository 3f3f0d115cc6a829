// The two-word prefix that "Always allow" may offer for a command: only where every command behind it is of one kind.
import { type SimpleCommand } from './simple-command';
import { readsOnly } from './shell-read-only';
import { areSafeAssignments, unwrap } from './shell-wrappers';

/** `npm run` for `npm run build`; undefined where a prefix would cover more than it seems to. */
export function prefixRuleFor(command: SimpleCommand): string | undefined {
  if (command.words.length === 0 || readsOnly(command) || !areSafeAssignments(command.assignments)) return undefined;
  const { words, open } = unwrap(command.words);
  const [first, second] = words;
  if (open || first?.kind !== 'literal' || second?.kind !== 'literal') return undefined;
  if (first.text !== first.value || second.text !== second.value) return undefined;
  return subcommands.get(first.value)?.has(second.value) === true ? `${first.value} ${second.value}` : undefined;
}

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
