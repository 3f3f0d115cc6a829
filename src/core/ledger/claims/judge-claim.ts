// Whether the log bears a claim: the reason where it does not. Where anything could bear it, it does.
import { type CheckKind } from '../../../shared/ledger';
import { type Run } from '../facts/call-facts';
import { type Evidence, isCode } from '../facts/evidence';
import { readCommand } from '../facts/runners';
import { type Claim } from './claim';

export interface JudgedBy {
  evidence: Evidence;
  /** All of the text that the claim stands in. */
  text: string;
}

/** A sentence; undefined where the log bears it, or nobody can tell. */
export function judgeClaim(claim: Claim, judgedBy: JudgedBy): string | undefined {
  switch (claim.kind) {
    case 'ran':
      return judgeRan(claim, judgedBy.evidence);
    case 'untouched':
      return judgeUntouched(claim, judgedBy.evidence);
    case 'touched':
      return judgeTouched(claim, judgedBy.evidence);
    default:
      return judgeCheck(claim, claim.kind, judgedBy);
  }
}

const words: Readonly<Record<CheckKind | 'checks', string>> = {
  tests: 'test',
  types: 'type check',
  lint: 'lint',
  format: 'format check',
  build: 'build',
  checks: 'check',
};

/** What else proves it: a build checks types, and a check of types builds. */
const borneBy: Readonly<Record<CheckKind | 'checks', readonly CheckKind[]>> = {
  tests: ['tests'],
  types: ['types', 'build'],
  build: ['build', 'types'],
  lint: ['lint', 'format'],
  format: ['format', 'lint'],
  checks: ['tests', 'types', 'build', 'lint', 'format'],
};

/** The text says itself that something was not run. */
const disclaimer =
  /(?:\bnot|n't|\bnever|\bunable to|\bwithout)\s+(?:\w+\s+){0,2}?(?:re-?)?(?:run|ran|running|execut\w+|verif\w+|test(?:ed)?|check(?:ed)?|confirm\w*)\b|\buntested\b|\bunverified\b|nicht\s+(?:\p{L}+\s+){0,2}(?:ausgeführt|laufen|geprüft|getestet)|pas\s+(?:\p{L}+\s+)?(?:exécut|lanc|vérifi|test)|no\s+(?:\p{L}+\s+)?(?:ejecut|verific|comprob|prob)|não\s+(?:\p{L}+\s+)?(?:execut|rod|verifi|test)|(?:没有?|未|尚未|沒有?)(?:运行|執行|执行|验证|測試|跑)|(?:実行|確認|検証)(?:して|でき)(?:い)?(?:ません|ない)|실행하지 (?:않|못)|확인하지 (?:않|못)|не\s+(?:запуска|провер|прогон)/iu;

function judgeCheck(claim: Claim, kind: CheckKind | 'checks', { evidence, text }: JudgedBy): string | undefined {
  if (disclaimer.test(text)) return undefined;
  const last = evidence.lastChange(isCode);
  const from = last?.at ?? 0;
  if (evidence.doubtAt > from || (kind === 'types' && evidence.problemsAt > from)) return undefined;
  const runs = [...evidence.runs.values()].filter(({ kinds }) => kinds.some((one) => borneBy[kind].includes(one)));
  const since = runs.filter(({ startAt }) => startAt > from);
  if (since.length > 0) return judgeRuns(claim, kind, since, text);
  // How it went before the last edit is a story, and a true one.
  if (last === undefined || (claim.isPast && runs.some(({ state }) => state === 'passed'))) return undefined;
  return `No ${words[kind]} ran after the last edit of ${last.path}.`;
}

/** All of these ran behind the last edit. */
function judgeRuns(claim: Claim, kind: CheckKind | 'checks', runs: readonly Run[], text: string): string | undefined {
  const latest = runs.reduce((one, other) => (other.startAt > one.startAt ? other : one));
  const has = (state: Run['state']): boolean => runs.some((run) => run.state === state);
  if (has('passed') && (claim.isScoped || latest.state !== 'failed' || kind !== 'tests')) return undefined;
  if (has('unknown')) return undefined;
  if (latest.state === 'running') return `The last ${words[kind]} run has not ended yet: ${latest.command}`;
  if (latest.state === 'stopped') return `The last ${words[kind]} run was stopped before its end: ${latest.command}`;
  const isPart = claim.isScoped && claim.subjects.length === 0 && (latest.counts?.passed ?? 0) > 0;
  return isPart || isAcknowledged(claim, latest, text) ? undefined : failedReason(latest, kind);
}

/** The text tells of the failures, or names the number of those that did pass. */
function isAcknowledged({ numbers, quote }: Claim, { counts }: Run, text: string): boolean {
  if (counts !== undefined && counts.passed > 0 && numbers.includes(counts.passed)) return true;
  const rest = text
    .replace(quote, ' ')
    .replace(/\b(?:no|zero|0|previously|formerly)\s+fail\w*|\bfail(?:ing|ed)\s+tests?\b/gi, ' ');
  return /\bfail|\bbroken\b|\bflak|\bexcept\b|fehlgeschlagen|fehlschl|scheiter|échou|échec|\bfall[aoó]|falh|失败|失敗|실패|пада|упал|провал/i.test(
    rest,
  );
}

function failedReason({ counts, exitCode, command }: Run, kind: CheckKind | 'checks'): string {
  const how =
    counts !== undefined && counts.failed > 0
      ? `${counts.failed} failed`
      : exitCode === undefined
        ? ''
        : `exit code ${exitCode}`;
  return `The last ${words[kind]} run failed${how === '' ? '' : ` (${how})`}: ${command}`;
}

function judgeRan({ subjects }: Claim, evidence: Evidence): string | undefined {
  if (evidence.doubtAt > 0 || evidence.turn.agentsWorked) return undefined;
  const isRun = (kinds: readonly CheckKind[]): boolean =>
    [...evidence.runs.values()].some((run) => run.kinds.some((kind) => kinds.includes(kind)));
  if (subjects.length === 0) return isRun(['tests']) ? undefined : 'No test ran in this session.';
  const missing = subjects.find((subject) => {
    const { kinds } = readCommand(subject);
    // Of other words in code, nobody knows whether they are a command at all.
    if (kinds.length === 0 || isRun(kinds)) return false;
    const wanted = subject.split(/\s+/).filter((word) => !/^(?:-|npx$|run$|exec$)/.test(word));
    return ![...evidence.commands.keys()].some((command) => wanted.every((word) => command.includes(word)));
  });
  return missing === undefined ? undefined : `\`${missing}\` did not run in this session.`;
}

function judgeUntouched({ subjects }: Claim, evidence: Evidence): string | undefined {
  for (const subject of subjects) {
    const found = [...evidence.turn.files].filter(([path, edits]) => edits > 0 && isNamed(path, subject));
    const [only, more] = found;
    // Several files of this name: another one may be meant.
    if (only === undefined || more !== undefined) continue;
    const [path] = only;
    const hashes = evidence.hashes.get(path);
    const isBack = hashes?.before !== undefined && hashes.before === hashes.now;
    const at = evidence.changes.get(path) ?? 0;
    if (isBack || evidence.doubtAt > at || isRestored(path, at, evidence)) continue;
    return `${path} was changed in this turn.`;
  }
  return undefined;
}

/** A command afterwards may have taken the change back. */
function isRestored(path: string, at: number, evidence: Evidence): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [...evidence.commands].some(
    ([command, startAt]) =>
      startAt > at &&
      (command.includes(name) ||
        /\bgit\s+(?:\S+\s+)*?(?:checkout|restore|stash|reset|clean|revert)\b|\bmv\b|\brm\b|\bcp\b/.test(command)),
  );
}

function judgeTouched({ subjects }: Claim, evidence: Evidence): string | undefined {
  const { turn } = evidence;
  // Whatever ran may have changed it.
  if (turn.mayHaveChanged || turn.agentsWorked || turn.files.size === 0 || evidence.doubtAt > turn.from)
    return undefined;
  const missing = subjects.find((subject) => {
    const name = subject.slice(subject.lastIndexOf('/') + 1);
    return ![...evidence.changes.keys()].some((path) => path.endsWith(`/${name}`) || path === name);
  });
  return missing === undefined ? undefined : `Nothing in this session changed ${missing}.`;
}

function isNamed(path: string, subject: string): boolean {
  const wanted = subject.replace(/^(?:\.\/)+/, '');
  return path === wanted || path.endsWith(wanted.startsWith('/') ? wanted : `/${wanted}`);
}
