// Runs the hooks of one session: those of an event together, each with its own time limit, and reports what they do.
import { defined } from '../../shared/defined';
import { type PermissionCall, type PermissionContext } from '../permissions/rules/verdict';
import { type Clock } from '../ports/clock';
import { type HookEntry } from './hook-entry';
import { type HookEvent, hookEvents, matchedValue, timeoutOf } from '../ports/hook-events';
import { conditionHolds, matches } from './hook-matcher';
import { type HookOutcome, mergeOutcomes, noOutcome } from './hook-outcome';
import { type HookResult } from '../ports/hook-handlers';
import { ownSignal } from '../text/own-signal';
import { asksForBackground, readHookResult } from './hook-output';
import { type HandlerServices, runHandler } from './run-handler';

/** `background`: it continues, and nobody waits for it. */
export type HookStatus = 'started' | 'background' | 'completed' | 'blocked' | 'failed' | 'timeout' | 'cancelled';

/** A step of one hook, for the chat and the transcript. */
export interface HookStep {
  id: string;
  event: HookEvent;
  /** "PreToolUse:Bash". */
  name: string;
  entry: HookEntry;
  toolUseId?: string;
  status: HookStatus;
  /** With an end. */
  result?: HookResult;
  outcome?: HookOutcome;
}

export interface HookRunnerOptions extends HandlerServices {
  /** The fields that every event has. */
  input: () => Record<string, unknown> & { cwd: string };
  environmentFile: string;
  clock: Clock;
  uuid: () => string;
  onStep: (step: HookStep) => void;
  /** A hook that ran alongside the session has something for the model. */
  remind: (text: string) => void;
}

export interface HookSubject {
  fields: Record<string, unknown>;
  toolUseId?: string;
  /** What `if` looks at; only asked for where a hook has one. */
  call?: () => Promise<{ call: PermissionCall; context: PermissionContext } | undefined>;
}

export interface HookRunner {
  /** Some hook may run at this event. */
  has(event: HookEvent): boolean;
  /** Those of the event that may run, whatever they match. */
  of(event: HookEvent): readonly HookEntry[];
  /** Never rejects; `noOutcome` at once where no hook matches. */
  dispatch(event: HookEvent, subject: HookSubject, signal: AbortSignal): Promise<HookOutcome>;
  /** Ends what runs alongside the session. */
  dispose(): void;
}

const none: readonly HookEntry[] = [];
const byEvent = new WeakMap<readonly HookEntry[], Map<HookEvent, HookEntry[]>>();

export function createHookRunner(options: HookRunnerOptions): HookRunner {
  const over = new AbortController();
  const of = (event: HookEvent): readonly HookEntry[] =>
    options.handlers === undefined ? none : (indexOf(options.hooks().active).get(event) ?? none);

  const selected = async (event: HookEvent, { fields, call }: HookSubject): Promise<HookEntry[]> => {
    const value = matchedValue(event, fields);
    const matching = of(event).filter((entry) => matches(entry, value));
    if (!matching.some(({ condition }) => condition !== undefined)) return unique(matching);
    // A hook that guards must not be passed by because a path could not be looked up.
    const about = await call?.().catch(() => 'unknown' as const);
    return unique(
      matching.filter(
        ({ condition }) =>
          condition === undefined ||
          about === 'unknown' ||
          (about !== undefined && conditionHolds(condition, about.call, about.context)),
      ),
    );
  };

  /** Resolves with the outcome, or without one as soon as the hook continues alongside the session. */
  const run = (entry: HookEntry, subject: HookSubject, input: string, signal: AbortSignal): Promise<HookOutcome> => {
    const { event, handler } = entry;
    const value = matchedValue(event, subject.fields);
    const step = {
      id: options.uuid(),
      event,
      name: value === undefined || value === '' ? event : `${event}:${value}`,
      entry,
      ...defined({ toolUseId: subject.toolUseId }),
    };
    options.onStep({ ...step, status: 'started' });
    const inBackground = handler.type === 'command' && (handler.async === true || handler.asyncRewake === true);
    const stopping = new AbortController();
    return new Promise((resolve) => {
      let detached = false;
      const detach = (): void => {
        detached = true;
        options.onStep({ ...step, status: 'background' });
        resolve(noOutcome);
      };
      const onLine = (line: string): void => void (!detached && asksForBackground(line) && detach());
      const running = runHandler(
        entry,
        {
          ...options,
          input,
          environmentFile: hookEvents[event].setsEnvironment ? options.environmentFile : undefined,
          onLine,
        },
        stopping.signal,
      );
      if (inBackground) detach();
      void limited(running, timeoutOf(event, handler.type, entry.timeoutSeconds), {
        turn: ownSignal(inBackground ? over.signal : signal),
        over: ownSignal(over.signal),
        stopping,
        clock: options.clock,
        detached: () => detached,
      }).then((result) => {
        const read = readHookResult(event, result, {
          continueOnBlock: handler.type === 'prompt' ? handler.continueOnBlock : undefined,
          failClosed: entry.failClosed === true && !detached,
        });
        const outcome = detached ? lateOutcome(read) : read;
        options.onStep({ ...step, status: statusOf(result, outcome), result, outcome });
        if (!detached) return resolve(outcome);
        const texts = [
          ...outcome.context,
          ...(handler.type === 'command' && handler.asyncRewake === true ? rewakeTexts(result) : []),
        ];
        for (const text of texts) options.remind(`The hook ${step.name}, which ran in the background, says: ${text}`);
      });
    });
  };

  return {
    has: (event) => of(event).length > 0,
    of,
    async dispatch(event, subject, signal) {
      if (of(event).length === 0 || (signal.aborted && event !== 'PostToolUse')) return noOutcome;
      const entries = await selected(event, subject);
      if (entries.length === 0) return noOutcome;
      // None starts any more; those that guard an output have not seen it.
      if (signal.aborted)
        return mergeOutcomes(
          entries.map(({ failClosed }) => readHookResult(event, { kind: 'cancelled' }, { failClosed })),
        );
      const input = JSON.stringify({ ...options.input(), hook_event_name: event, ...subject.fields });
      return mergeOutcomes(await Promise.all(entries.map((entry) => run(entry, subject, input, signal))));
    },
    dispose: () => over.abort(abortError()),
  };
}

interface Limits {
  turn: AbortSignal;
  over: AbortSignal;
  stopping: AbortController;
  clock: Clock;
  detached: () => boolean;
}

/** The session continues as soon as the time is over or the turn is; ending the processes may take a moment longer. */
async function limited(
  running: Promise<HookResult>,
  seconds: number,
  { turn, over, stopping, clock, detached }: Limits,
): Promise<HookResult> {
  const timer = new AbortController();
  const cancelled = new Promise<HookResult>((resolve) => {
    const cancel = (): void => resolve({ kind: 'cancelled' });
    over.addEventListener('abort', cancel, { once: true });
    timer.signal.addEventListener('abort', () => over.removeEventListener('abort', cancel), { once: true });
    if (over.aborted) return cancel();
    const stop = (): void => void (detached() || cancel());
    turn.addEventListener('abort', stop, { once: true });
    timer.signal.addEventListener('abort', () => turn.removeEventListener('abort', stop), { once: true });
    if (turn.aborted) stop();
  });
  const timeout = clock.sleep(seconds * 1_000, timer.signal).then(
    (): HookResult => ({ kind: 'timeout', seconds }),
    (): HookResult => ({ kind: 'cancelled' }),
  );
  const result = await Promise.race([running, cancelled, timeout]);
  timer.abort(abortError());
  if (result.kind === 'timeout' || result.kind === 'cancelled') stopping.abort(abortError());
  return result;
}

function indexOf(entries: readonly HookEntry[]): Map<HookEvent, HookEntry[]> {
  let index = byEvent.get(entries);
  if (index === undefined) {
    index = new Map();
    for (const entry of entries) index.set(entry.event, [...(index.get(entry.event) ?? []), entry]);
    byEvent.set(entries, index);
  }
  return index;
}

/** What several files name runs once: as the first of them says, or the first that fails closed. */
function unique(entries: readonly HookEntry[]): HookEntry[] {
  if (entries.length < 2) return [...entries];
  const once = new Map<string, HookEntry>();
  for (const entry of entries) {
    const key = JSON.stringify(entry.handler);
    const before = once.get(key);
    if (before === undefined || (entry.failClosed === true && before.failClosed !== true)) once.set(key, entry);
  }
  return [...once.values()];
}

/** What it announces has happened by now: only its texts still count. */
function lateOutcome(outcome: HookOutcome): HookOutcome {
  const { feedback, context, messages, problems, quiet, unused = [], ...rest } = outcome;
  const late = Object.keys(rest).length === 0 && feedback.length === 0;
  return {
    ...noOutcome,
    ...{ context, messages, problems },
    ...defined({ quiet }),
    unused: late ? unused : ['decision', ...unused],
  };
}

function rewakeTexts(result: HookResult): string[] {
  if (result.kind !== 'ended' || result.exitCode !== 2) return [];
  return [[result.stderr, result.stdout].map((text) => text.trim()).find((text) => text !== '') ?? 'exit code 2'];
}

function statusOf(result: HookResult, outcome: HookOutcome): HookStatus {
  if (result.kind === 'timeout' || result.kind === 'cancelled') return result.kind;
  if (
    outcome.decision === 'deny' ||
    outcome.block !== undefined ||
    outcome.stop !== undefined ||
    outcome.permission?.behavior === 'deny'
  )
    return 'blocked';
  return outcome.problems.length > 0 ? 'failed' : 'completed';
}

function abortError(): Error {
  return Object.assign(new Error('The hook has ended.'), { name: 'AbortError' });
}
