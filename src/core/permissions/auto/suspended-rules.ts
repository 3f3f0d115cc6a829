// Suspended rules: auto mode skips allow rules that name so little that they would answer for the classifier.
import { type PermissionRule } from '../../../shared/permission';
import { commandPattern } from '../rules/command-pattern';
import { canonicalToolName, isBare } from '../rules/rule-syntax';
import { isRunner } from '../bash/runners';

const narrowed = new WeakMap<readonly PermissionRule[], readonly PermissionRule[]>();

/** The rules without the broad ones; the same list for the same rules, so that what is worked out for it holds. */
export function withoutSuspendedRules(rules: readonly PermissionRule[]): readonly PermissionRule[] {
  let kept = narrowed.get(rules);
  if (kept === undefined) {
    kept = rules.some(isBroad) ? rules.filter((rule) => !isBroad(rule)) : rules;
    narrowed.set(rules, kept);
  }
  return kept;
}

/** A whole tool that runs code, or any use of an interpreter, a shell, a runner of packages. An exact command is never broad. */
export function isBroad({ behavior, value }: PermissionRule): boolean {
  if (behavior !== 'allow') return false;
  const tool = canonicalToolName(value.toolName);
  if (!running.has(tool)) return false;
  if (isBare(value) || (tool !== 'Bash' && tool !== 'PowerShell')) return true;
  const pattern = commandPattern(
    tool === 'PowerShell' ? (value.ruleContent ?? '').toLowerCase() : (value.ruleContent ?? ''),
  );
  if (pattern.exact) return false;
  // `py*` may be anything that begins so.
  if (pattern.firstWord === undefined && !/^[^*]*[\s:]/.test(value.ruleContent ?? '')) return true;
  const [first = '', second] = pattern.fixedWords;
  const name = first.slice(first.lastIndexOf('/') + 1).replace(/^(gradle|mvn)w$/, '$1');
  if (isRunner(name) || packageRunners.has(name)) return true;
  return (
    packageManagers.has(name) &&
    (second === undefined || runningSubcommands.has(second) || pattern.fixedWords.length < 2)
  );
}

const running = new Set(['Bash', 'PowerShell', 'REPL', 'Agent', 'Tests', 'RunTask', 'Problems']);
const packageRunners = new Set(
  (
    'tsx ts-node rsync vim vi emacs curl wget aws gcloud az terraform ansible npx bunx pnpx uvx pipx dlx ' +
    'docker podman kubectl invoke-expression iex start-process invoke-command icm'
  ).split(' '),
);
const packageManagers = new Set(
  'npm pnpm yarn bun uv poetry pdm cargo go dotnet make just gradle mvn composer bundle rake'.split(' '),
);
const runningSubcommands = new Set(['e', 'r', 'ru', 'run', 'run-script', 'exec', 'x', 'dlx', 'create', 'init']);
