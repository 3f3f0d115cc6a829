// Compacts a session: a summary takes the place of its conversation; what is undone or edited of that later.
import { defined } from '../../../shared/defined';
import { charsOf, estimateTokens } from '../../model/estimate-tokens';
import { filesInPlay } from './files-in-play';
import { tokensOf } from '../../loop/limits';
import { ownWords } from './own-words';
import { filesSection, logSection, ownWordsSection, replacingBlocks, tasksSection } from './replacing-text';
import { summarise } from './summarise';
import { isAbort, messageOf } from '../../text/errors';
import { blockOf, compactions, presentRecords, withoutCompaction } from '../../sessions/compacted-log';
import { restoreRecords } from '../../sessions/lighten-log';
import { messagesFromRecords } from '../../sessions/messages-from-records';
import { readStateFromRecords, withoutClearedReads } from '../../sessions/read-state-from-records';
import { type CompactTrigger, type SessionRecord } from '../../ports/record';
import { todosFromRecords } from '../../sessions/todos-from-records';
import { type ReadState } from '../../sessions/read-state';
import { environmentReminder } from '../../text/environment-reminder';
import { neutralText } from '../../text/system-reminder';
import { type TurnEnd } from '../../loop/after-reply';
import { agentModeText, modeText } from '../../loop/mode-text';
import { type SessionAccess } from '../../feature/session-feature';
import { budget } from '../budget/budget-key';
import { said } from '../../text/words';

export type CompactionOutcome =
  | { kind: 'compacted'; preTokens: number; postTokens: number }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string; /** The budget does not allow it: so the turn ends. */ end?: TurnEnd };

interface Wanted {
  trigger: CompactTrigger;
  focus: string;
  /** The API has written it already, in this reply. */
  given?: { reply: string; summary: string };
}

/** A last turn of fewer tokens stays as it is after the summary. */
const keptTokens = 8_000;

export class SessionCompaction {
  readonly #access: SessionAccess;
  /** The read state that `forget` has made last, and the whole one that it was made from. */
  #forgotten: { state: ReadState; whole: ReadState } | undefined;

  constructor(access: SessionAccess) {
    this.#access = access;
  }

  /** As the user asks for it. Rejects only where a turn runs. */
  byHand(focus: string, signal: AbortSignal): Promise<CompactionOutcome> {
    return this.#access.alone(() => this.compact({ trigger: 'manual', focus: focus.trim() }, signal));
  }

  /** All that was compacted is sent again. False where it is undone already, or there is no such compaction. Throws where it cannot be read any more. */
  undo(boundary: string): boolean {
    if (!this.#stands(boundary)) return false;
    const { records } = this.#access.settings;
    restoreRecords(records, withoutCompaction(records, boundary));
    this.#access.writer.write({ type: 'system', subtype: 'compact_undone', boundary });
    this.#followLog();
    return true;
  }

  /** False where it is undone, or there is no such compaction. */
  edit(boundary: string, summary: string): boolean {
    if (!this.#stands(boundary)) return false;
    this.#access.writer.write({ type: 'system', subtype: 'compact_edited', boundary, summary });
    return true;
  }

  async compact(wanted: Wanted, signal: AbortSignal): Promise<CompactionOutcome> {
    const { trigger, focus } = wanted;
    const access = this.#access;
    const { records, emit } = access.settings;
    const present = presentRecords(records);
    if (!present.some(({ type }) => type === 'assistant'))
      return this.#reportFailure(trigger, 'There is nothing to compact yet.');
    const { block: blocked } = await access.event(
      'PreCompact',
      () => ({ trigger: hookTrigger(trigger), custom_instructions: focus }),
      signal,
    );
    if (blocked !== undefined && trigger !== 'recovery')
      return this.#reportFailure(trigger, `A hook blocked the compaction: ${blocked}`);
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
        ? this.#reportFailure(trigger, end.message ?? '')
        : { kind: 'failed', message: end.message ?? '', end };
    emit({ type: 'compaction', state: 'running' });
    try {
      const { summary = '', ...outcome } = await this.#replace(present, keptTurn(present), wanted, signal);
      this.#followLog();
      await access.writer.sync();
      emit({ type: 'compaction', state: 'over' });
      await access.event('PostCompact', () => ({ trigger: hookTrigger(trigger), compact_summary: summary }), signal);
      await access.event('SessionStart', () => ({ source: 'compact' }), signal);
      return outcome;
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) return this.#reportFailure(trigger, messageOf(error));
      emit({ type: 'compaction', state: 'over', message: 'Compaction was stopped. The conversation is unchanged.' });
      return { kind: 'stopped' };
    } finally {
      access.feature(budget)?.over(job);
    }
  }

  /** The summary that the API has just written becomes the session's own compaction. */
  async takeOver(signal: AbortSignal): Promise<CompactionOutcome> {
    const { records } = this.#access.settings;
    const last = records.findLast((record) => record.type === 'assistant');
    const reply = last?.type === 'assistant' ? last.message.id : '';
    const block = blockOf(records, reply);
    const summary = block !== undefined && 'content' in block ? block.content : undefined;
    if (typeof summary !== 'string' || summary.trim() === '')
      return this.#reportFailure('auto', 'The API returned no summary.');
    return this.compact({ trigger: 'auto', focus: '', given: { reply, summary } }, signal);
  }

  /** What the API may have left out from the next request on counts as unread. */
  forget(through: string): void {
    const { session, settings } = this.#access;
    const whole = this.#forgotten?.state === session.readState ? this.#forgotten.whole : session.readState;
    this.#forgotten = { whole, state: withoutClearedReads(whole, settings.records, through) };
    session.readState = this.#forgotten.state;
  }

  /** Writes the summary of all records but the kept ones, which begin at `keptAt`; -1 where none are kept. */
  async #replace(
    present: readonly SessionRecord[],
    keptAt: number,
    { trigger, focus, given }: Wanted,
    signal: AbortSignal,
  ): Promise<CompactionOutcome & { summary?: string }> {
    const access = this.#access;
    const { settings, ports, session, writer } = access;
    const { records, log } = settings;
    const before = keptAt === -1 ? present : present.slice(0, keptAt);
    const kept = keptAt === -1 ? [] : present.slice(keptAt);
    const conversation = await access.requests.of(before);
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
    const content = replacingBlocks(neutralText(summary), [
      ownWordsSection(ownWords(records, keptFrom, log.path)),
      tasksSection(todosFromRecords(records)),
      filesSection(found),
      {
        title: 'Surroundings',
        text: `${environmentReminder({ ...settings.place.environment, cwd: session.cwd })}\n\n${said((settings.agent === undefined ? modeText : agentModeText)[access.permission.mode], session.offers)}`,
      },
      { title: 'Still in force', text: notes.map(({ text }) => neutralText(text)).join('\n\n') },
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
      ...defined({ apiReply: given?.reply }),
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
  }

  /** A turn that ends for it says so itself. */
  #reportFailure(trigger: CompactTrigger, message: string): CompactionOutcome {
    this.#access.settings.emit({
      type: 'compaction',
      state: 'over',
      ...(trigger === 'recovery' ? {} : { message: `The conversation was not compacted: ${message}` }),
    });
    return { kind: 'failed', message };
  }

  /** Files whose text is no longer before the model count as unread. */
  #followLog(): void {
    const { session, settings } = this.#access;
    session.readState = readStateFromRecords(settings.records);
  }

  #stands(boundary: string): boolean {
    const found = compactions(this.#access.settings.records).find((one) => one.boundary.uuid === boundary);
    return found !== undefined && !found.undone;
  }
}

/** Hooks know two. */
function hookTrigger(trigger: CompactTrigger): 'manual' | 'auto' {
  return trigger === 'manual' ? 'manual' : 'auto';
}

/** Where the last turn begins, with the reminders before it; -1 where it is too long to be kept, or all there is. */
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
