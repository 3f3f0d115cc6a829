// The ledger of a turn in words: the one line that is always shown, and its rows. Chat and exports say the same.
import { counted } from './counted';
import {
  type CheckKind,
  type Ledger,
  type LedgerCheck,
  type LedgerDue,
  type LedgerMissing,
  type LedgerRefusal,
} from './ledger';

/** "3 files changed · 41 tests passed after the last edit · types not checked". */
export function ledgerLine(ledger: Ledger): string {
  const { files, refused, running, due, claims, commandsMayHaveChanged } = ledger;
  const parts = [
    files.length > 0 ? `${counted(files.length, 'file')} changed` : commandsMayHaveChanged ? 'Commands ran' : '',
    ...checkParts(ledger),
    ...ledger.missing.map(missingWords),
    due.length > 0 ? `${counted(due.length, 'check')} of your settings not run` : '',
    refused.length > 0 ? refusedPart(refused) : '',
    running.length > 0 ? `${counted(running.length, 'command')} still running` : '',
    claims.length > 0 ? `${counted(claims.length, 'claim')} without proof` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Nothing changed' : parts.join(' · ');
}

/** The last run of each kind. */
function checkParts({ checks }: Ledger): string[] {
  const shown = new Set<LedgerCheck>();
  for (const kind of kindOrder) {
    const last = checks.findLast(({ kinds }) => kinds.includes(kind));
    if (last !== undefined) shown.add(last);
  }
  return [...shown].map((check) => {
    const when =
      check.staleFor.length > 0 ? ' before the last edit' : check.kinds[0] === 'tests' ? ' after the last edit' : '';
    return `${checkResult(check)}${when}`;
  });
}

const kindOrder: readonly CheckKind[] = ['tests', 'build', 'types', 'lint', 'format'];

const nouns: Readonly<Record<CheckKind, string>> = {
  tests: 'tests',
  types: 'type check',
  lint: 'lint',
  format: 'format check',
  build: 'build',
};

/** "41 tests passed", "2 of 41 tests failed", "lint failed (exit 1)". */
export function checkResult({ kinds, state, counts, exitCode }: LedgerCheck): string {
  const noun = kinds.map((kind) => nouns[kind]).join(' and ');
  if (kinds.includes('tests') && counts !== undefined && state !== 'running') {
    const more =
      kinds.length > 1
        ? ` (with ${kinds
            .filter((kind) => kind !== 'tests')
            .map((kind) => nouns[kind])
            .join(', ')})`
        : '';
    if (counts.failed > 0) return `${counts.failed} of ${counted(counts.failed + counts.passed, 'test')} failed${more}`;
    if (state === 'passed') return `${counted(counts.passed, 'test')} passed${more}`;
  }
  switch (state) {
    case 'passed':
      return `${noun} passed`;
    case 'failed':
      return `${noun} failed${exitCode === undefined || exitCode === 0 ? '' : ` (exit ${exitCode})`}`;
    case 'running':
      return `${noun} still running`;
    case 'stopped':
      return `${noun} stopped`;
    case 'unknown':
      return `${noun} ran, result unknown`;
  }
}

/** When it ran: "after the last edit", or which files were changed since. */
export function whenWords({ staleFor }: LedgerCheck): string {
  const [first, ...others] = staleFor;
  if (first === undefined) return 'after the last edit';
  return `before the last edit of ${first}${others.length > 0 ? ` and ${counted(others.length, 'other file')}` : ''}`;
}

export function missingWords({ kind, ranBefore, uncertain }: LedgerMissing): string {
  if (kind === 'types') return 'types not checked';
  const seen = uncertain ? 'no run seen' : 'not run';
  return `${nouns[kind]} ${seen}${ranBefore ? ' since the last edit' : ''}`;
}

/** The same with the file. */
export function missingSentence(missing: LedgerMissing): string {
  const { since, uncertain } = missing;
  const words = missingWords({ ...missing, ranBefore: false });
  const after = missing.ranBefore ? ` since the last edit of ${since}` : ` after the edit of ${since}`;
  const doubt = uncertain ? '; another command ran, and the log does not say what it checked' : '';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${after}${doubt}.`;
}

const refusals: Readonly<Record<LedgerRefusal['why'], string>> = {
  rejected: 'rejected by you',
  denied: 'refused',
  undone: 'undone by you',
  rewound: 'rewound by you',
};

export function refusalWords({ what, why }: LedgerRefusal): string {
  return `${what}: ${refusals[why]}`;
}

function refusedPart(refused: readonly LedgerRefusal[]): string {
  const undone = refused.filter(({ why }) => why === 'undone' || why === 'rewound').length;
  const parts = [
    refused.length > undone ? `${refused.length - undone} refused` : '',
    undone > 0 ? `${undone} undone` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export function dueWords({ run, isTask, files }: LedgerDue): string {
  const [first = '', ...others] = files;
  return `${isTask === true ? 'Task ' : ''}${run}: not run since the last edit of ${first}${others.length > 0 ? ` and ${counted(others.length, 'other file')}` : ''}`;
}

/** What the log cannot know. */
export function limitWords({ commandsMayHaveChanged, agentsWorked }: Ledger): string[] {
  return [
    ...(commandsMayHaveChanged ? ['Commands may have changed more files.'] : []),
    ...(agentsWorked ? ['Agents worked, too: what they changed and ran is in their own logs.'] : []),
  ];
}

/** Every fact of it in a sentence. */
export function ledgerRows(ledger: Ledger): string[] {
  const { files, checks, missing, due, refused, running, claims } = ledger;
  return [
    ...files.map(({ path, edits }) => `Changed: ${path}${editWords(edits)}`),
    ...checks.map((check) => `${check.command}: ${checkResult(check)}, ${whenWords(check)}${byWhom(check)}`),
    ...missing.map(missingSentence),
    ...due.map(dueWords),
    ...refused.map(refusalWords),
    ...running.map(({ command }) => `Still running: ${command}`),
    ...claims.map(({ text, reason }) => `Not borne out: “${text.replace(/\s+/g, ' ')}” ${reason}`),
    ...limitWords(ledger),
  ];
}

export function editWords(edits: number): string {
  if (edits === 0) return ' (by a command, by you or another program)';
  return edits === 1 ? '' : ` (${edits} edits)`;
}

export function byWhom({ byUser }: Pick<LedgerCheck, 'byUser'>): string {
  return byUser === true ? ', run by you' : '';
}
