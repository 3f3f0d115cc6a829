// Plays one turn of a run and reports it to the output, while it runs and when it has ended.
import { randomUUID } from 'node:crypto';
import { defined } from '../shared/defined';
import { type TurnEnd } from '../core/loop/after-reply';
import { type AgentSession } from '../core/feature/agent-session';
import { type Emit, type SessionEvent } from '../core/events/session-event';
import { type Prompt } from '../core/events/steering-queue';
import { compactFocus } from '../core/features/compaction/compact-command';
import { messageOf } from '../core/text/errors';
import { type StreamEvent } from '../core/wire/wire';
import { type Clock } from '../core/ports/clock';
import { type SessionRecord } from '../core/ports/record';
import { type SessionLog } from '../core/ports/session-store';
import { type ModelClient } from '../core/ports/model';
import {
  hookMessage,
  hookSentence,
  recordMessage,
  replayedMessage,
  toolProgressMessage,
  turnProblems,
  type TurnOutcome,
} from './messages';
import { observeModel } from './observed-model';
import { type Output } from './output';
import { createStatusMessages } from './status-messages';
import { createToolHeartbeat } from './tool-heartbeat';
import { createDenialReader, summariseTurn } from './turn-summary';
import { createSessionLedger } from '../core/ledger/session-ledger';
import { type VerifyEntry } from '../core/ledger/facts/due-checks';
import { compaction } from '../core/features/compaction/compaction-key';
import { hooks } from '../core/features/hooks/hooks-key';
import { subagents } from '../core/features/subagents/subagents-key';

export interface TurnRunnerOptions {
  /** Raw stream events are printed too. */
  partialMessages: boolean;
  /** What the user said is printed too. */
  replayMessages: boolean;
  output: Output;
  clock: Clock;
  model: ModelClient;
  /** `verify` of the settings. */
  verify?: () => readonly VerifyEntry[];
  host: { warn(message: string): void; interruption: { signal: AbortSignal; byProgram?: boolean } };
}

export interface TurnRunner {
  /** Runs the hooks that come before a first turn, and no turn: true where none of them failed. */
  setUp(session: AgentSession, signal: AbortSignal): Promise<boolean>;
  /** The client to give to the session. */
  model: ModelClient;
  /** The session's listener. */
  emit: Emit;
  /** True for a success. Without a prompt it passes on what agents have reported; the last one ends when no agent runs any more. */
  run(session: AgentSession, log: SessionLog, prompt: Prompt | undefined, last?: boolean): Promise<boolean>;
  /** A command has answered in place of the model. True where the session was saved. */
  answered(session: AgentSession, log: SessionLog, text: string): Promise<boolean>;
}

export function createTurnRunner({
  partialMessages,
  replayMessages,
  output,
  clock,
  model,
  verify,
  host,
}: TurnRunnerOptions): TurnRunner {
  let sessionId = '';
  const ledger = createSessionLedger({ verify });
  const partial = (event: StreamEvent): void => {
    const envelope = { parent_tool_use_id: null, session_id: sessionId, uuid: randomUUID() };
    if (partialMessages) output.message({ type: 'stream_event', event, ...envelope });
  };
  const observed = observeModel(model, clock, partial, (request) => request.metadata?.user_id === sessionId);
  let saveWarning: string | undefined;
  let compactionWarning: string | undefined;

  const say = (message: ReturnType<typeof recordMessage>): void => void (message && output.message(message));
  const heartbeat = createToolHeartbeat(clock, (beat) =>
    output.message(toolProgressMessage(sessionId, randomUUID(), beat)),
  );

  const statusMessages = createStatusMessages();
  let failedHooks = 0;
  const agentDenials = createDenialReader();
  const onRecord = (record: SessionRecord): void => {
    ledger.add(record);
    const warning = warningOf(record);
    if (warning !== undefined) host.warn(warning);
    say(
      recordMessage(record, observed.lastFailure(), observed.startUsage()) ??
        (replayMessages ? replayedMessage(record) : undefined),
    );
  };
  const emit: Emit = (event) => {
    heartbeat(event);
    for (const message of statusMessages(event)) output.message(message);
    if (event.type === 'hook_step') {
      if (event.status === 'failed' || event.status === 'timeout') failedHooks++;
      say(hookMessage(sessionId, randomUUID(), event));
    } else if (event.type === 'record') onRecord(event.record);
    else if (event.type === 'subagent_record') {
      agentDenials.add(event.record);
      say(agentMessage(event));
    } else if (event.type === 'retry_waiting') {
      host.warn(
        `${event.message} Trying again in ${seconds(event.delayMs)} (try ${event.attempt} of ${event.maxAttempts}).`,
      );
    } else if (event.type === 'log_failed' && event.message !== saveWarning) {
      saveWarning = event.message;
      host.warn(event.message);
    } else if (event.type === 'compaction') {
      compactionWarning = event.state === 'running' ? 'Compacting the conversation…' : event.message;
      if (compactionWarning !== undefined) host.warn(compactionWarning);
    } else for (const warning of sentencesOf(event)) host.warn(warning);
  };

  const ended = (session: AgentSession, log: SessionLog, turn: Omit<TurnOutcome, 'saveFailure'>): Promise<boolean> =>
    reportEnd({ session, log, turn, warned: () => [saveWarning, compactionWarning] }, { output, host });

  return {
    model: observed.client,
    emit,
    async setUp(session, signal) {
      sessionId = session.id;
      const stopped = await session.feature(hooks)?.setUp(signal);
      if (stopped !== undefined) host.warn(stopped);
      return stopped === undefined && failedHooks === 0 && !signal.aborted;
    },
    async run(session, log, prompt, last = false) {
      sessionId = session.id;
      ledger.begin(session);
      const first = session.records.length;
      const before = clock.now();
      observed.takeDuration();
      compactionWarning = undefined;
      const { signal } = host.interruption;
      const focus = prompt && compactFocus(prompt.display.text);
      let end = focus === undefined ? await session.run(prompt, signal) : await compactTurn(session, focus, signal);
      // The model was promised their reports, and after this turn nobody could give them.
      while (last && end.reason === 'completed' && (await session.feature(subagents)?.allEnded(signal)) === true)
        end = await session.run(undefined, signal);
      if (last && end.reason === 'completed' && signal.aborted) end = { reason: 'interrupted' };
      const summary = summariseTurn(session.records.slice(first));
      return ended(session, log, {
        ...{ end, ofTasks: prompt === undefined, ...defined({ ledger: ledger.end() }) },
        summary: { ...summary, denials: [...summary.denials, ...agentDenials.take()] },
        durationMs: clock.now() - before,
        apiDurationMs: observed.takeDuration(),
      });
    },
    answered(session, log, text) {
      const summary = { ...summariseTurn([]), text, shown: text };
      return ended(session, log, { end: { reason: 'completed' }, summary, durationMs: 0, apiDurationMs: 0 });
    },
  };
}

/** What an agent said or did. */
function agentMessage({
  record,
  toolUseId,
}: Extract<SessionEvent, { type: 'subagent_record' }>): ReturnType<typeof recordMessage> {
  return record.type === 'assistant' || record.type === 'user'
    ? recordMessage(record, undefined, undefined, toolUseId)
    : undefined;
}

interface EndedTurn {
  session: AgentSession;
  log: SessionLog;
  turn: Omit<TurnOutcome, 'saveFailure'>;
  /** What the user has read already; saving the log may add to it. */
  warned: () => readonly (string | undefined)[];
}

/** True for a success. */
async function reportEnd(
  { session, log, turn, warned }: EndedTurn,
  { output, host }: Pick<TurnRunnerOptions, 'output' | 'host'>,
): Promise<boolean> {
  const saveFailure = await log.sync().then(() => undefined, messageOf);
  const worktrees = (await session.feature(subagents)?.worktrees.left()) ?? [];
  const outcome: TurnOutcome = { ...turn, saveFailure, ...(worktrees.length === 0 ? {} : { worktrees }) };
  output.turn(session.id, randomUUID(), outcome);
  const problems = turnProblems(outcome);
  for (const problem of problems) if (!warned().includes(problem)) host.warn(problem);
  if (problems.length > 0 && saveFailure === undefined)
    host.warn(`The work so far is saved: continue with --resume ${session.id}.`);
  // The end that the program itself wanted is not a failure.
  const { reason } = turn.end;
  const wanted = host.interruption.byProgram === true && (reason === 'interrupted' || reason === 'denied');
  return problems.length === 0 || (wanted && saveFailure === undefined);
}

/** What the user should know of an event that has no message of its own. */
function sentencesOf(event: SessionEvent): string[] {
  if (event.type === 'sandbox_missing')
    return [`Commands run without a sandbox, by the ordinary rules. ${event.reason}`];
  const isSentence = event.type === 'not_saved' || event.type === 'command_refused' || event.type === 'budget_unknown';
  return isSentence ? [event.message] : [];
}

/** What the user should know of a record in addition to its message. */
function warningOf(record: SessionRecord): string | undefined {
  if (record.type !== 'system') return undefined;
  if (record.subtype === 'offline') return `${record.message} The run continues when the connection is back.`;
  if (record.subtype === 'model_fallback') return `${record.message} ${record.to} answers instead of ${record.from}.`;
  return record.subtype === 'hook_notice' ? hookSentence(record) : undefined;
}

/** `/compact` in place of a prompt. */
async function compactTurn(session: AgentSession, focus: string, signal: AbortSignal): Promise<TurnEnd> {
  const outcome = await session.feature(compaction)?.byHand(focus, signal);
  if (outcome === undefined) return { reason: 'error', message: 'Compaction is not available in this run.' };
  if (outcome.kind === 'failed')
    return { reason: 'error', message: `The conversation was not compacted: ${outcome.message}` };
  return { reason: outcome.kind === 'stopped' ? 'interrupted' : 'completed' };
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}
