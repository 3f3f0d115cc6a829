// The everyday programs that check code, as a table: which words run tests, check types, lint, check the format or build.
import { type CheckKind } from '../../../shared/ledger';
import { type CommandPart, commandParts } from './command-parts';

/** Programs that only start another one: what follows them counts. */
const starters: readonly RegExp[] = [
  /^(?:sudo|time|nice|command|exec|nohup|bunx|xvfb-run -a|xvfb-run|dotenv --) /,
  /^env (?:[A-Za-z_]\w*=\S* )*/,
  /^cross-env (?:[A-Za-z_]\w*=\S* )*/,
  /^timeout (?:-\S+ )*\d+[smh]? /,
  /^npx (?:(?:-y|--yes|--no|--no-install|--quiet|-q) |(?:-p|--package) \S+ )*/,
  /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x) (?:-- )?/,
  /^(?:uv|poetry|pipenv|hatch|pdm|rye) run /,
  /^bundle exec /,
  /^python[\d.]* -m /,
  /^(?:\S*\/)?(?=(?:pytest|jest|vitest|mocha|tsc|eslint|prettier|ruff|mypy|gradlew|mvnw|phpunit|rspec|biome|flake8|black|pyright)\b)/,
];

const end = '(?= |$)';
const is = (words: string): RegExp => new RegExp(`^(?:${words})${end}`);

/** The first row that fits counts. */
const runners: readonly (readonly [RegExp, ...CheckKind[]])[] = [
  [is('node (?:\\S+ )*--test'), 'tests'],
  [
    is('(?:jest|vitest|mocha|ava|tap|c8 mocha|nyc mocha|karma start|playwright test|cypress run|bun test|deno test)'),
    'tests',
  ],
  [is('(?:pytest|py\\.test|unittest|tox|nox|python[\\d.]* (?:\\./)?manage\\.py test)'), 'tests'],
  [is('go test|cargo (?:\\+\\S+ )?(?:test|nextest run)|swift test|dotnet test|zig (?:build )?test'), 'tests', 'build'],
  [
    is(
      '(?:rspec|rake (?:test|spec)|phpunit|pest|composer test|mix test|ctest|bazel test|sbt test|lein test|flutter test|dart test)',
    ),
    'tests',
  ],
  [is('gradlew? (?:\\S+ )*(?:check|build)|mvnw? (?:\\S+ )*(?:verify|package|install)'), 'tests', 'build'],
  [is('gradlew? (?:\\S+ )*\\S*[tT]est|mvnw? (?:\\S+ )*test'), 'tests', 'build'],
  [is('cargo (?:\\+\\S+ )?clippy'), 'lint', 'build'],
  [
    is(
      'cargo (?:\\+\\S+ )?fmt (?:\\S+ )*--check|prettier (?:\\S+ )*(?:--check|-c|--list-different|-l)|black (?:\\S+ )*--check|ruff format (?:\\S+ )*--check|gofmt -l|dprint check',
    ),
    'format',
  ],
  [is('(?:tsc|vue-tsc|tsgo|svelte-check|mypy|pyright|basedpyright|flow check|deno check|pyre check)'), 'types'],
  [
    is(
      '(?:eslint|oxlint|xo|standard|stylelint|biome (?:check|lint|ci)|deno lint|ruff check|ruff|flake8|pylint|golangci-lint run|go vet|rubocop|shellcheck|ktlint|swiftlint|markdownlint)',
    ),
    'lint',
  ],
  [
    is(
      '(?:go|cargo|swift|dotnet|bazel|vite|next|nuxt|astro|ng|zig|flutter) (?:\\+\\S+ )?build|cargo (?:\\+\\S+ )?check|mvnw? (?:\\S+ )*compile|webpack|rollup|esbuild|tsup|javac|cmake --build',
    ),
    'build',
  ],
];

/** Scripts of package.json, targets of make and the like: `\1` is the name. */
const scripts =
  /^(?:(?:npm|pnpm|yarn|bun)(?: (?:--(?:prefix|filter|workspace|cwd|dir)|-[CFw]) \S+| -\S+)*(?: (?:run|run-script|workspaces? \S+ run))?(?: -\S+| --\S+)*|make(?: -\S+)*|just|task|turbo(?: run)?|nx(?: run)?|ng|lerna run|rush|wireit) ([\w:.@/-]+)(?= |$)/;

/** What the name of a script says that it does. */
function kindsOfScript(name: string): CheckKind[] {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const has = (...wanted: string[]): boolean => wanted.some((word) => words.includes(word));
  if (has('typecheck', 'types', 'type', 'tsc', 'typescript')) return ['types'];
  if (has('lint', 'eslint', 'stylelint')) return ['lint'];
  if (has('format', 'fmt', 'prettier')) return has('check') ? ['format'] : [];
  if (
    has('test', 'tests', 't', 'tst', 'spec', 'specs', 'e2e', 'unit', 'integration', 'jest', 'vitest', 'mocha', 'pytest')
  )
    return ['tests'];
  return has('build', 'compile', 'bundle') ? ['build'] : [];
}

/** Packages are fetched, or facts about them read: no script runs that checks code. */
const packages =
  /^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|bundle|composer|brew|apt(?:-get)?) (?:\S+ )*?(?:install|i|ci|add|remove|rm|uninstall|update|upgrade|outdated|ls|list|view|info|init|new|version|pkg|config|audit|mod|get|env|tree|sync|lock|fetch|pip|fmt|doc|search|metadata|root|prefix|why)(?= |$)/;
const reads = new Set(
  'cat ls pwd echo printf cd pushd popd head tail grep rg egrep fgrep find fd awk cut tr wc sort uniq diff cmp which type whereis stat file du df env printenv date true false test [ sleep ps lsof jq yq less more tree basename dirname realpath readlink whoami id uname hostname set export unset source . tee exit seq nl column xxd od sha256sum md5sum kill pkill wait ulimit alias time curl wget ping open'.split(
    ' ',
  ),
);
const readingGit =
  /^git (?:-\S+ (?:\S+ )?)*(?:status|log|diff|show|blame|branch|remote|rev-parse|ls-files|ls-tree|grep|describe|shortlog|config|fetch|tag|cat-file|merge-base|rev-list|check-ignore|add|commit|push)(?= |$)/;
const writers = new Set(
  'rm mv cp mkdir rmdir touch ln chmod chown sed perl git patch tar unzip zip truncate dd install rsync prettier black gofmt rustfmt isort'.split(
    ' ',
  ),
);

/** What is known of one command: `checks` code, only `reads`, `writes` files and no more, or may do anything. */
type CommandSense = { does: 'checks'; kinds: CheckKind[] } | { does: 'reads' | 'writes' | 'anything' };

function senseOf({ words, writes }: Pick<CommandPart, 'words' | 'writes'>): CommandSense {
  const line = startedBy(words.join(' '));
  const kinds = kindsOf(line);
  if (kinds.length > 0) return { does: 'checks', kinds };
  const [program = ''] = line.split(' ', 1);
  if (packages.test(line)) return { does: 'writes' };
  if (readingGit.test(line)) return { does: writes ? 'writes' : 'reads' };
  if (program === 'sed' || program === 'perl')
    return { does: writes || /(?:^| )-\w*i/.test(line) ? 'writes' : 'reads' };
  if (reads.has(program)) return { does: writes || program === 'tee' ? 'writes' : 'reads' };
  return { does: writers.has(program) ? 'writes' : 'anything' };
}

function kindsOf(line: string): CheckKind[] {
  for (const [pattern, ...kinds] of runners) if (pattern.test(line)) return kinds;
  const name = scripts.exec(line)?.[1];
  if (name !== undefined) return kindsOfScript(name);
  // `yarn jest`, `pnpm vitest`: a program of the project.
  const program = /^(?:yarn|pnpm|bun) (.*)$/.exec(line)?.[1];
  return program === undefined ? [] : kindsOf(program);
}

/** Without what only starts it. */
function startedBy(line: string): string {
  let rest = line;
  for (let step = 0; step < 6; step++) {
    const shorter = starters.reduce((text, starter) => text.replace(starter, ''), rest);
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

export interface ReadCommand {
  kinds: CheckKind[];
  /** Where it exits with 0, all checks in it passed; with another code, the only one failed. */
  exitSays: 'all' | 'success' | 'nothing';
  /** It may have changed files. */
  mayChange: boolean;
  /** It runs something of which the words do not say what it checks. */
  mayCheck: boolean;
}

export function readCommand(line: string): ReadCommand {
  const parts = commandParts(line);
  if (parts === undefined) return { kinds: [], exitSays: 'nothing', mayChange: true, mayCheck: true };
  const senses = parts.map(senseOf);
  const kinds = [...new Set(senses.flatMap((sense) => (sense.does === 'checks' ? sense.kinds : [])))];
  return {
    kinds,
    exitSays: exitSays(parts, senses),
    mayChange:
      senses.some(({ does }) => does === 'writes' || does === 'anything') || parts.some(({ writes }) => writes),
    mayCheck: senses.some(({ does }) => does === 'anything'),
  };
}

function exitSays(parts: readonly CommandPart[], senses: readonly CommandSense[]): ReadCommand['exitSays'] {
  const checks = senses.flatMap(({ does }, at) => (does === 'checks' ? [at] : []));
  const [first] = checks;
  if (first === undefined) return 'nothing';
  const piped = parts.some(({ words }) => words.join(' ').startsWith('set ') && words.includes('pipefail'));
  // What follows a check has to wait for its success, so that its code is the code of all.
  const carries = parts.slice(first, -1).every(({ operator }) => operator === '&&' || (piped && operator === '|'));
  if (!carries || parts.at(-1)?.operator === '&') return 'nothing';
  const alone = checks.length === 1 && senses.every(({ does }, at) => at === first || does === 'reads');
  return alone && parts.slice(0, first).every(({ words }) => /^(?:cd|set|export|echo|source|\.)$/.test(words[0] ?? ''))
    ? 'all'
    : 'success';
}

/** Scripts that npm, pnpm, yarn and bun print before they run them. */
export function echoedKinds(output: string): CheckKind[] {
  const lines = output.slice(0, 4_000).match(/^(?:> |\$ ).+$/gm) ?? [];
  return [...new Set(lines.flatMap((line) => readCommand(line.slice(2)).kinds))];
}
