// The ladder: in which order the answers about a target make a verdict. It is written here and nowhere else.
import { type PermissionMode } from '../../../shared/permission';
import { allow, ask, deny, type Judgment } from './judgment';
import { type PermissionContext } from './verdict';

type Answer = Judgment | undefined;

/**
 * What one kind of target says about itself. An answer is worked out only when the ladder asks for it; undefined lets the
 * target pass on to the next rung. A kind knows nothing of the order, and of no mode.
 */
export interface Answers {
  /** The command, path, address or tool, for the trace. */
  subject: string;
  /** It only looks: plan mode lets it pass. */
  looks: boolean;
  /** No deny rule that stands in an unreadable settings file could matter to it. */
  reads: boolean;
  /** Why nothing of the kind happens in Restricted Mode. */
  untrusted?(): Answer;
  /** By a deny rule. */
  denied(): Answer;
  /** By an ask rule, or by a rule whose condition nobody can check. */
  asked(): Answer;
  /** What asks even where everything is allowed. */
  critical?(): Answer;
  /** Files that steer tools, editors or shells. */
  protected?(): Answer;
  /** Deft does not understand all of it, or cannot determine what else it reaches. */
  unclear?(): Answer;
  /** What it runs only shows when it runs, and may be what a deny or ask rule is about. */
  unread?(): Answer;
  /** An edit that the mode for edits applies. */
  edits?(): Answer;
  /** By an allow rule. */
  allowed?(): Answer;
  /** By itself: it reads what may be read. */
  free?(): Answer;
  /** What is left: mostly a question. */
  rest(): Judgment;
}

interface Rung {
  name: string;
  /** Skipped where the mode allows everything. */
  lifted?: true;
  climb(answers: Answers, context: PermissionContext): Answer;
}

/**
 * The first rung that has an answer decides. In this order:
 *
 *  1. `trust`: in an untrusted workspace nothing is written and nothing runs; its own settings cannot change that.
 *  2. `deny`: a deny rule holds in every mode and against every other rule.
 *  3. `plan`: plan mode denies what may change something. There is nothing to ask about then, so it precedes ask rules.
 *  4. `ask`: an ask rule asks in every mode, whatever else allows the call.
 *  5. `critical`: what is beyond repair asks in every mode, as does a line so broken that commands may hide in it.
 *  6. `protected`: files that steer tools ask. No rule lifts that, only the mode that allows everything.
 *  7. `settings`: with an unreadable settings file, deny rules are unknown: all that is not just reading asks.
 *  8. `unclear`: what Deft does not fully understand asks before allow rules, since a rule for the part that it sees
 *     cannot speak for the rest. Only the mode that allows everything lifts that, too.
 *  9. `unread`: which command runs only shows when it runs, and a rule may deny it or ask about it. That asks in every
 *     mode: unseen, the command must not get a better answer than the rule would give it.
 * 10. `bypass`: the mode that allows everything allows what got this far.
 * 11. `edits`: the mode that applies edits allows those in the workspace.
 * 12. `allow`: allow rules.
 * 13. `free`: what needs no rule, such as reading in the workspace.
 * 14. `rest`: everything else asks.
 */
const ladder: readonly Rung[] = [
  { name: 'trust', climb: (answers) => answers.untrusted?.() },
  { name: 'deny', climb: (answers) => answers.denied() },
  {
    name: 'plan',
    climb: ({ looks }, { mode, isAgent }) =>
      mode === 'plan' && !looks ? deny('mode', isAgent === true ? agentPlanReason : planReason) : undefined,
  },
  { name: 'ask', climb: (answers) => answers.asked() },
  { name: 'critical', climb: criticalOf },
  { name: 'protected', lifted: true, climb: (answers) => answers.protected?.() },
  { name: 'settings', climb: ({ reads }, context) => (reads ? undefined : brokenSettings(context)) },
  { name: 'unclear', lifted: true, climb: (answers) => answers.unclear?.() },
  { name: 'unread', climb: (answers) => answers.unread?.() },
  { name: 'bypass', climb: (_, { mode }) => (allowsAll(mode) ? everything : undefined) },
  { name: 'edits', climb: ({ edits }, { mode }) => (mode === 'acceptEdits' ? edits?.() : undefined) },
  { name: 'allow', climb: (answers) => answers.allowed?.() },
  { name: 'free', climb: (answers) => answers.free?.() },
  { name: 'rest', climb: (answers) => answers.rest() },
];

/** The verdict on one target, from its answers. */
export function climb(answers: Answers, context: PermissionContext): Judgment {
  for (const rung of ladder) {
    if (rung.lifted === true && allowsAll(context.mode)) continue;
    const found = rung.climb(answers, context);
    if (found !== undefined) return found;
  }
  return answers.rest();
}

/** A target under its tool: what is said about the tool as a whole is said about each of its targets. */
export function under(tool: Answers, target: Answers): Answers {
  return {
    ...target,
    untrusted: () => tool.untrusted?.(),
    denied: () => tool.denied() ?? target.denied(),
    asked: () => tool.asked() ?? target.asked(),
    allowed: () => tool.allowed?.() ?? target.allowed?.(),
  };
}

function allowsAll(mode: PermissionMode): boolean {
  return mode === 'bypassPermissions';
}

const everything = allow('mode', 'The mode allows everything.');

function criticalOf({ critical, subject }: Answers, { recorder }: PermissionContext): Answer {
  if (critical === undefined) return undefined;
  const found = critical();
  if (found === undefined) recorder?.passed(subject);
  return found;
}

const planReason =
  'Plan mode only reads: it changes no files and runs nothing that could, whatever rules allow. Finish the plan and show it; the user decides when work starts.';
const agentPlanReason =
  'This agent may only read: it changes no files and runs nothing that could, whatever rules allow. Report what you found, and which change you would have made.';

function brokenSettings({ brokenSettings: broken = [] }: PermissionContext): Answer {
  if (broken.length === 0) return undefined;
  const files = broken.map((file) => `\`${file}\``).join(', ');
  return ask(
    'rule',
    `${files} cannot be read, so its deny rules are unknown: until it is fixed, Deft asks for everything that is not just reading.`,
  );
}
