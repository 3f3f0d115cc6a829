// Explains a decision: decide()'s own steps, heard while they are taken, in the order in which the checks stand.
import { defined } from '../../shared/defined';
import { type DecisionTrace, type TraceCheck, type TracedRule, type TraceStep } from '../../shared/decision-trace';
import { modeLabels } from '../../shared/mode-labels';
import { type PermissionRule } from '../../shared/permission';
import { decide, judge } from './decide';
import { type Judgment } from './rules/judgment';
import { describeRule, formatRule } from './rules/rule-syntax';
import { type PermissionCall, type PermissionContext, type TraceRecorder } from './rules/verdict';
import { whyNot } from './why-not';

/** The order in which a trace lists them: nearly that of the ladder, whose plan and edit modes are one check here. */
const order: readonly TraceCheck[] = ['trust', 'deny', 'ask', 'paths', 'settings', 'mode', 'allow', 'free', 'rest'];

/** Rules that a trace lists; the rest are counted. */
export const maxTracedRules = 30;
/** Parts of a call that a trace goes into: commands of a line, paths. */
const maxSteps = 60;
const maxSubject = 300;

/** Judges the call once more, with a recorder. */
export function explain(call: PermissionCall, context: PermissionContext): DecisionTrace {
  const notes = createNotes();
  const verdict = judge(call, { ...context, recorder: notes.recorder });
  const decisive = notes.settle(verdict);
  const drafts = [...notes.drafts(), ...unrecorded(notes.drafts(), decisive, call, context)];
  const sorted = drafts.sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check));
  const kept =
    sorted.length <= maxSteps ? sorted : sorted.filter((draft, index) => index < maxSteps || draft === decisive);
  const { steps, hidden } = listed(kept, decisive);
  // In the mode that asks nobody, the words also say which rule would help.
  const isUnasked = verdict.behavior === 'ask' && context.mode === 'dontAsk';
  const { behavior, code, reason } = isUnasked ? decide(call, context) : verdict;
  return {
    behavior,
    code,
    reason,
    steps:
      behavior === verdict.behavior
        ? steps
        : [
            ...steps.map((step) => ({ ...step, decided: false })),
            { check: 'mode', outcome: behavior, decided: true, sentence: reason, rules: [] },
          ],
    hiddenRules: hidden,
    otherRules: context.rules.filter((rule) => !notes.seen.has(rule)).length,
  };
}

interface Draft {
  check: TraceCheck;
  subject?: string;
  judgment?: Judgment;
  rules: Map<PermissionRule, boolean>;
}

interface Notes {
  recorder: TraceRecorder;
  seen: ReadonlySet<PermissionRule>;
  drafts(): Draft[];
  /** The draft that the verdict comes from; made where no step recorded it. */
  settle(verdict: Judgment): Draft;
}

function createNotes(): Notes {
  const drafts = new Map<string, Draft>();
  const seen = new Set<PermissionRule>();
  const draft = (check: TraceCheck, subject: string | undefined): Draft => {
    const key = `${check} ${subject ?? ''}`;
    let found = drafts.get(key);
    if (found === undefined) drafts.set(key, (found = { check, rules: new Map(), ...defined({ subject }) }));
    return found;
  };
  const all = (): Draft[] => [...drafts.values()];
  const recorded = ({ code, reason }: Judgment): Draft | undefined =>
    all().find(({ judgment }) => judgment?.code === code && judgment.reason === reason);
  const place = (judgment: Judgment, subject: string | undefined): Draft => {
    const check = checkOf(judgment);
    const { rule } = judgment;
    const own = drafts.get(`${check} ${subject ?? ''}`);
    const holds = (one: Draft): boolean => rule !== undefined && one.check === check && one.rules.get(rule) === true;
    const found =
      own !== undefined && holds(own)
        ? own
        : (all().find((one) => one.judgment === undefined && holds(one)) ?? draft(check, subject));
    // If several things are said about one subject, a question outweighs an allowance.
    if (found.judgment === undefined || found.judgment.behavior === 'allow') found.judgment = judgment;
    if (rule !== undefined) {
      seen.add(rule);
      found.rules.set(rule, true);
    }
    return found;
  };
  return {
    recorder: {
      looked(check, subject, rules, found) {
        const { rules: traced } = draft(check, subject);
        for (const rule of rules) {
          seen.add(rule);
          traced.set(rule, rule === found || traced.get(rule) === true);
          if (rule === found) return;
        }
      },
      passed: (subject) => void draft('paths', subject),
      judged: (subject, judgment) => void (recorded(judgment) ?? place(judgment, subject)),
    },
    seen,
    drafts: all,
    settle: (verdict) => recorded(verdict) ?? place(verdict, undefined),
  };
}

function checkOf({ behavior, code, rule }: Judgment): TraceCheck {
  if (code === 'untrusted') return 'trust';
  if (rule !== undefined) return rule.behavior;
  if (code === 'rule') return 'settings';
  if (code === 'protected-path' || code === 'critical-path') return 'paths';
  if (code === 'mode' && behavior !== 'ask') return 'mode';
  return behavior === 'allow' ? 'free' : 'rest';
}

/** Checks that let everything pass leave no note: they came before those that did. */
function unrecorded(
  drafts: readonly Draft[],
  decisive: Draft,
  call: PermissionCall,
  context: PermissionContext,
): Draft[] {
  const reasons: Partial<Record<TraceCheck, string>> = {
    trust: context.trusted
      ? 'The workspace is trusted.'
      : `The workspace is in Restricted Mode, where ${call.tool} may still read.`,
    mode: `${modeLabels[context.mode]} decides nothing here.`,
  };
  return order.slice(0, order.indexOf(decisive.check)).flatMap((check): Draft[] => {
    const reason = reasons[check];
    if (reason === undefined || drafts.some((draft) => draft.check === check)) return [];
    return [{ check, rules: new Map(), judgment: { behavior: 'allow', code: passed, reason } }];
  });
}

/** Marks a judgment that only lets pass on. */
const passed = 'no-rule';

function listed(drafts: readonly Draft[], decisive: Draft): { steps: TraceStep[]; hidden: number } {
  const silent = new Set<TraceCheck>();
  const looked = new Set(drafts.flatMap(({ rules }) => [...rules.keys()]));
  const listedRules = new Set<PermissionRule>();
  // Those that match are always worth a line.
  let room = maxTracedRules - drafts.reduce((sum, { rules }) => sum + [...rules.values()].filter(Boolean).length, 0);
  let shown = 0;
  const steps = drafts.flatMap((draft): TraceStep[] => {
    const { check, subject, judgment, rules } = draft;
    const isQuiet = judgment === undefined && rules.size === 0;
    // One line says it for every part of the call.
    if (
      isQuiet &&
      (silent.has(check) ||
        drafts.some((other) => other.check === check && (other.rules.size > 0 || other.judgment !== undefined)))
    )
      return [];
    if (isQuiet) silent.add(check);
    const kept = [...rules].filter(([, matches]) => (matches ? shown < maxTracedRules : room-- > 0));
    shown += kept.length;
    for (const [rule] of kept) listedRules.add(rule);
    const isPass = judgment?.code === passed && judgment.behavior === 'allow';
    return [
      {
        check,
        ...(subject === undefined || isQuiet
          ? {}
          : { subject: subject.length > maxSubject ? `${subject.slice(0, maxSubject)}…` : subject }),
        ...(judgment === undefined || isPass ? {} : { outcome: judgment.behavior }),
        decided: draft === decisive,
        sentence: sentenceOf(draft, drafts),
        rules: kept.map(([rule, matches]) => traced(rule, matches, subject ?? '')),
      },
    ];
  });
  return { steps, hidden: looked.size - listedRules.size };
}

function sentenceOf({ check, judgment, rules }: Draft, drafts: readonly Draft[]): string {
  if (judgment !== undefined) {
    const isPart =
      check === 'rest' &&
      drafts.some(
        (other) =>
          other.judgment?.behavior === 'allow' &&
          other.subject !== undefined &&
          (other.check === 'allow' || other.check === 'free'),
      );
    return isPart ? `${judgment.reason} An allow must cover every command of the line.` : judgment.reason;
  }
  if (check === 'paths') return 'None is affected.';
  const matching = [...rules].find(([, matches]) => matches)?.[0];
  if (matching !== undefined) return `The rule ${describeRule(matching)} matches.`;
  if (rules.size === 0) return `There are no ${check} rules for this.`;
  return rules.size === 1 ? 'The rule does not match.' : `None of ${rules.size} ${check} rules matches.`;
}

function traced(rule: PermissionRule, matches: boolean, subject: string): TracedRule {
  return {
    rule: formatRule(rule.value),
    behavior: rule.behavior,
    source: rule.source,
    ...defined({ file: rule.file }),
    matches,
    ...(matches ? {} : { why: whyNot(rule, subject) }),
  };
}
