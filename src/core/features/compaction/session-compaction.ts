// Compacts a session: by hand, near the limit, and where the API has refused the conversation as too long.
import { defined } from '../../../shared/defined';
import { charsOf, estimateTokens } from '../../model/estimate-tokens';
import { filesInPlay } from './files-in-play';
import { fittingOutput, isPastPoint, tokensOf } from '../../loop/limits';
import { ownWords } from './own-words';
import { filesSection, logSection, ownWordsSection, replacingBlocks, tasksSection } from './replacing-text';
import { isTooLong, summarise } from './summarise';
import { isAbort, messageOf } from '../../text/errors';
import { type ModelRequest } from '../../wire/wire';
import { blockOf, compactions, presentRecords } from '../../sessions/compacted-log';
import { messagesFromRecords } from '../../sessions/messages-from-records';
import { readStateFromRecords, withoutClearedReads } from '../../sessions/read-state-from-records';
import { type CompactTrigger, type SessionRecord } from '../../ports/record';
import { todosFromRecords } from '../../sessions/todos-from-records';
import { type ReadState } from '../../sessions/read-state';
import { managementFor, mayBeCleared } from '../../loop/context-management';
import { environmentReminder } from '../../text/environment-reminder';
import { type TurnEnd } from '../../loop/after-reply';
import { agentModeText, modeText } from '../../loop/mode-text';
import { refusesFile } from '../../loop/refused-file';
import { type RequestSteps, type SessionAccess } from '../../feature/session-feature';
import { budget } from '../budget/budget-key';

export type CompactionOutcome =
  | { kind: 'compacted'; preTokens: number; postTokens: number }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string; /** The budget does not allow it: so the turn ends. */ end?: TurnEnd };

export interface SessionCompaction {
  /** As the user asks for it. Rejects only where a turn runs. */
  byHand(focus: string, signal: AbortSignal): Promise<CompactionOutcome>;
  /** All that was compacted is sent again. False where it is undone already, or there is no such compaction. */
  undo(boundary: string): boolean;
  /** False where it is undone, or there is no such compaction. */
  edit(boundary: string, summary: string): boolean;
  /** Keeps the conversation of one turn within the model's window. */
  aroundRequests(steps: RequestSteps, signal: AbortSignal): RequestSteps;
}

interface Wanted {
  trigger: CompactTrigger;
  focus: string;
  /** The API has written it already, in this reply. */
  given?: { reply: string; summary: string };
}

/** Compactions by the API with no other reply in between: where two did not help, a third would not. */
const maxApiRounds = 2;

/** A last turn of fewer tokens stays as it is behind the summary. */
const keptTokens = 8_000;

export function createSessionCompaction(access: SessionAccess): SessionCompaction {
  const { settings, ports, session, requests, writer } = access;
  const { records, log, emit } = settings;
  const contextOptions = { ports, ...settings.requests };
  const autoCompacts = (): boolean => settings.requests?.autoCompact?.().enabled !== false;

  const makeText = async (
    present: readonly SessionRecord[],
    keptAt: number,
    { trigger, focus, given }: Wanted,
    signal: AbortSignal,
  ): Promise<CompactionOutcome & { summary?: string }> => {
    const before = keptAt === -1 ? present : present.slice(0, keptAt);
    const kept = keptAt === -1 ? [] : present.slice(keptAt);
    const conversation = await requests.of(before);
    const summary =
      given?.summary ??
      (await summarise(
        conversation,
        focus,
        {
          model: ports.model,
          clock: ports.clock,
          used: (usage) => access.countUsage(conversation.model, usage, 'Compaction'),
        },
        signal,
      ));
    const first = kept[0];
    const keptFrom = first !== undefined && 'uuid' in first ? first.uuid : undefined;
    const secrets = settings.secrets?.() ?? [];
    const folders = session.folders.map((path) => ({ path }));
    const found = await filesInPlay(records, kept, {
      files: ports.files,
      cwd: session.cwd,
      folders,
      isHidden: session.isHidden,
      secrets,
    });
    const notes = await access.contextNotes(signal);
    signal.throwIfAborted();
    const content = replacingBlocks(summary, [
      ownWordsSection(ownWords(records, keptFrom, log.path)),
      tasksSection(todosFromRecords(records)),
      filesSection(found),
      {
        title: 'Surroundings',
        text: `${environmentReminder({ ...settings.place.environment, cwd: session.cwd })}\n\n${(settings.agent === undefined ? modeText : agentModeText)[access.permission.mode]}`,
      },
      { title: 'Still in force', text: notes.map(({ text }) => text).join('\n\n') },
      logSection(log.path),
    ]);
    const { system, tools } = conversation;
    const preTokens = tokensOf(records) ?? estimateTokens({ system, tools, messages: messagesFromRecords(present) });
    const postTokens = estimateTokens({
      system,
      tools,
      messages: [{ role: 'user', content }, ...messagesFromRecords(kept)],
    });
    writer.write({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger, preTokens, postTokens },
      ...defined({ keptFrom }),
      ...(focus === '' ? {} : { focus }),
      ...(given === undefined ? {} : { apiReply: given.reply }),
    });
    writer.write({
      type: 'user',
      message: { role: 'user', content },
      isMeta: true,
      isCompactSummary: true,
      ...(notes.length === 0 ? {} : { contextKeys: notes.map(({ key }) => key) }),
      ...(found.attached.length === 0 ? {} : { attachedFiles: found.attached }),
    });
    return { kind: 'compacted', preTokens, postTokens, summary };
  };

  const compact = async (wanted: Wanted, signal: AbortSignal): Promise<CompactionOutcome> => {
    const { trigger, focus } = wanted;
    const present = presentRecords(records);
    if (!present.some(({ type }) => type === 'assistant'))
      return reportFailure(trigger, 'There is nothing to compact yet.');
    const { block: blocked } = await access.event(
      'PreCompact',
      () => ({ trigger: hookTrigger(trigger), custom_instructions: focus }),
      signal,
    );
    if (blocked !== undefined && trigger !== 'recovery')
      return reportFailure(trigger, `A hook blocked the compaction: ${blocked}`);
    const job: SessionRecord[] = [];
    // The API's own is written already.
    const end =
      wanted.given === undefined
        ? await access
            .feature(budget)
            ?.check(
              { model: access.model(), records: job, like: records, ...(trigger === 'manual' ? { byHand: true } : {}) },
              signal,
            )
        : undefined;
    if (end !== undefined)
      return trigger === 'manual'
        ? reportFailure(trigger, end.message ?? '')
        : { kind: 'failed', message: end.message ?? '', end };
    emit({ type: 'compaction', state: 'running' });
    try {
      const { summary = '', ...outcome } = await makeText(present, keptTurn(present), wanted, signal);
      followLog();
      await writer.sync();
      emit({ type: 'compaction', state: 'over' });
      await access.event('PostCompact', () => ({ trigger: hookTrigger(trigger), compact_summary: summary }), signal);
      await access.event('SessionStart', () => ({ source: 'compact' }), signal);
      return outcome;
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) return reportFailure(trigger, messageOf(error));
      emit({ type: 'compaction', state: 'over', message: 'Compaction was stopped. The conversation is unchanged.' });
      return { kind: 'stopped' };
    } finally {
      access.feature(budget)?.over(job);
    }
  };
  /** The summary that the API has just written becomes the session's own compaction. */
  const takeOver = async (signal: AbortSignal): Promise<CompactionOutcome> => {
    const last = records.findLast((record) => record.type === 'assistant');
    const reply = last?.type === 'assistant' ? last.message.id : '';
    const block = blockOf(records, reply);
    const summary = block !== undefined && 'content' in block ? block.content : undefined;
    if (typeof summary !== 'string' || summary.trim() === '')
      return reportFailure('auto', 'The API returned no summary.');
    return compact({ trigger: 'auto', focus: '', given: { reply, summary } }, signal);
  };
  /** A turn that ends for it says so itself. */
  const reportFailure = (trigger: CompactTrigger, message: string): CompactionOutcome => {
    emit({
      type: 'compaction',
      state: 'over',
      ...(trigger === 'recovery' ? {} : { message: `The conversation was not compacted: ${message}` }),
    });
    return { kind: 'failed', message };
  };
  let forgotten: { state: ReadState; whole: ReadState } | undefined;
  /** What the API may have left out from the next request on counts as unread. */
  const forget = (through: string): void => {
    const whole = forgotten?.state === session.readState ? forgotten.whole : session.readState;
    forgotten = { whole, state: withoutClearedReads(whole, records, through) };
    session.readState = forgotten.state;
  };
  /** Files whose text is no longer before the model count as unread. */
  const followLog = (): void => void (session.readState = readStateFromRecords(records));
  const find = (boundary: string) => compactions(records).find((one) => one.boundary.uuid === boundary);

  return {
    byHand: (focus, signal) => access.alone(() => compact({ trigger: 'manual', focus: focus.trim() }, signal)),
    undo(boundary) {
      const found = find(boundary);
      if (found === undefined || found.undone) return false;
      writer.write({ type: 'system', subtype: 'compact_undone', boundary });
      followLog();
      return true;
    },
    edit(boundary, summary) {
      const found = find(boundary);
      if (found === undefined || found.undone) return false;
      writer.write({ type: 'system', subtype: 'compact_edited', boundary, summary });
      return true;
    },
    aroundRequests(steps, signal) {
      let tried: 'nothing' | 'trimmed' | 'compacted' = 'nothing';
      let fitting: number | undefined;
      let gaveUp = false;
      let apiRounds = 0;
      return {
        async request(raise) {
          const { mode, limit: point } = managementFor(contextOptions, access.model());
          const byApi = mode === 'compact' && apiRounds < maxApiRounds;
          if (autoCompacts() && !gaveUp && !byApi && isPastPoint(records, point)) {
            const outcome = await compact({ trigger: 'auto', focus: '' }, signal);
            if (outcome.kind === 'failed' && outcome.end !== undefined) return outcome.end;
            gaveUp = outcome.kind !== 'compacted';
          }
          const request = await steps.request(raise, byApi);
          if ('reason' in request) return request;
          // Its calls run before the API says what it has cleared: what it may clear counts as unread from here on.
          const gone = mode === 'clear' ? mayBeCleared(request, records, point) : undefined;
          if (gone !== undefined) forget(gone);
          const limit = fitting;
          fitting = undefined;
          return limit === undefined ? request : withOutput(request, limit);
        },
        async makeRoom(reply, request, turn) {
          if (reply.kind === 'complete' && reply.stopReason === 'compaction') {
            apiRounds++;
            // What could not be taken over is asked for without: Deft compacts where it must.
            if ((await takeOver(signal)).kind !== 'compacted') apiRounds = maxApiRounds;
            return 'again';
          }
          if (reply.kind === 'complete' && apiRounds < maxApiRounds) apiRounds = 0;
          const refusal =
            reply.kind === 'broken' && !reply.kept && isTooLong(reply.error) && !refusesFile(reply.error, request)
              ? reply.error.message
              : undefined;
          const cut = reply.kind === 'complete' && reply.stopReason === 'model_context_window_exceeded';
          if (refusal === undefined && !cut) {
            tried = 'nothing';
            return steps.makeRoom(reply, request, turn);
          }
          fitting = refusal === undefined || tried !== 'nothing' ? undefined : fittingOutput(refusal);
          if (fitting !== undefined) tried = 'trimmed';
          else if (tried === 'compacted') return tooLong('It is too long even after compaction.');
          else if (!autoCompacts()) return tooLong('Automatic compaction is off in the settings; type /compact.');
          else {
            tried = 'compacted';
            const outcome = await compact({ trigger: 'recovery', focus: '' }, signal);
            if (outcome.kind === 'failed')
              return outcome.end ?? tooLong(`It could not be compacted: ${outcome.message}`);
            if (cut && outcome.kind === 'compacted')
              access.messages.nudge(
                'Your last reply was cut because the context window was full. There is room again: continue where it stopped.',
              );
          }
          return 'again';
        },
      };
    },
  };
}

/** Hooks know two. */
function hookTrigger(trigger: CompactTrigger): 'manual' | 'auto' {
  return trigger === 'manual' ? 'manual' : 'auto';
}

/** Where the last turn begins, with the reminders in front of it; -1 where it is too long to be kept, or all there is. */
function keptTurn(present: readonly SessionRecord[]): number {
  let at = present.findLastIndex(
    (record) => record.type === 'user' && record.isMeta !== true && record.steering !== true && !holdsResult(record),
  );
  const isReminder = (record: SessionRecord | undefined): boolean =>
    record?.type === 'user' && record.isMeta === true && record.isCompactSummary !== true;
  while (at > 0 && isReminder(present[at - 1])) at--;
  if (!present.slice(0, Math.max(0, at)).some(({ type }) => type === 'assistant')) return -1;
  return JSON.stringify(present.slice(at)).length <= charsOf(keptTokens) ? at : -1;
}

function holdsResult(record: Extract<SessionRecord, { type: 'user' }>): boolean {
  const { content } = record.message;
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
}

/** Thinking takes its share of the output: what is left of it must be less. */
function withOutput(request: ModelRequest, limit: number): ModelRequest {
  const { thinking, ...rest } = request;
  const trimmed = { ...rest, max_tokens: Math.min(request.max_tokens, limit) };
  return thinking === undefined || (thinking.type === 'enabled' && thinking.budget_tokens >= trimmed.max_tokens)
    ? trimmed
    : { ...trimmed, thinking };
}

function tooLong(why: string): TurnEnd {
  return {
    reason: 'context_exceeded',
    message: `The conversation no longer fits in the model's context window. ${why} Start a new session, or pick a model with a larger window.`,
  };
}
