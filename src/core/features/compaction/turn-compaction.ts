// Keeps the conversation of one turn within the model's window: compacts near the limit, and where the API has refused it as too long.
import { fittingOutput, isPastPoint } from '../../loop/limits';
import { isTooLong } from './summarise';
import { type ModelRequest } from '../../wire/wire';
import { managementFor, mayBeCleared } from '../../loop/context-management';
import { type TurnEnd } from '../../loop/after-reply';
import { type ReplyOutcome } from '../../loop/stream-reply';
import { refusesFile } from '../../loop/refused-file';
import { type RequestSteps, type SessionAccess } from '../../feature/session-feature';
import { type SessionCompaction } from './session-compaction';

/** Compactions by the API with no other reply in between: where two did not help, a third would not. */
const maxApiRounds = 2;

const cutText =
  'Your last reply was cut because the context window was full. There is room again: continue where it stopped.';

export class TurnCompaction implements RequestSteps {
  readonly #access: SessionAccess;
  readonly #compaction: Pick<SessionCompaction, 'compact' | 'takeOver' | 'forget'>;
  readonly #steps: RequestSteps;
  readonly #signal: AbortSignal;
  /** The last refusal was about bytes: what is too large for a server may have room in the context window. */
  #bytes = false;
  /** What was tried against the refusals since the last reply that was none. */
  #tried: 'nothing' | 'trimmed' | 'compacted' = 'nothing';
  /** The output limit with which the next request fits. */
  #fitting: number | undefined;
  /** A compaction near the limit did not work out: this turn tries none again. */
  #gaveUp = false;
  #apiRounds = 0;

  constructor(
    access: SessionAccess,
    compaction: Pick<SessionCompaction, 'compact' | 'takeOver' | 'forget'>,
    steps: RequestSteps,
    signal: AbortSignal,
  ) {
    this.#access = access;
    this.#compaction = compaction;
    this.#steps = steps;
    this.#signal = signal;
  }

  async request(raise: number): Promise<ModelRequest | TurnEnd> {
    const { ports, settings } = this.#access;
    const { records } = settings;
    const { mode, limit: point } = managementFor({ ports, ...settings.requests }, this.#access.model());
    const byApi = mode === 'compact' && this.#apiRounds < maxApiRounds;
    if (this.#autoCompacts() && !this.#gaveUp && !byApi && isPastPoint(records, point)) {
      const outcome = await this.#compaction.compact({ trigger: 'auto', focus: '' }, this.#signal);
      if (outcome.kind === 'failed' && outcome.end !== undefined) return outcome.end;
      this.#gaveUp = outcome.kind !== 'compacted';
    }
    const request = await this.#steps.request(raise, byApi);
    if ('reason' in request) return request;
    // Its calls run before the API says what it has cleared: what it may clear counts as unread from here on.
    const gone = mode === 'clear' ? mayBeCleared(request, records, point) : undefined;
    if (gone !== undefined) this.#compaction.forget(gone);
    const limit = this.#fitting;
    this.#fitting = undefined;
    return limit === undefined ? request : withOutput(request, limit);
  }

  async makeRoom(
    reply: ReplyOutcome,
    request: ModelRequest,
    turn: AbortSignal,
  ): Promise<'again' | TurnEnd | undefined> {
    if (reply.kind === 'complete' && reply.stopReason === 'compaction') {
      this.#apiRounds++;
      // What could not be taken over is asked for without: Deft compacts where it must.
      if ((await this.#compaction.takeOver(this.#signal)).kind !== 'compacted') this.#apiRounds = maxApiRounds;
      return 'again';
    }
    if (reply.kind === 'complete' && this.#apiRounds < maxApiRounds) this.#apiRounds = 0;
    const refusal = refusalOf(reply, request);
    this.#bytes = reply.kind === 'broken' && isTooLong(reply.error) && reply.error.details.status === 413;
    const isCut = reply.kind === 'complete' && reply.stopReason === 'model_context_window_exceeded';
    if (refusal !== undefined || isCut) return this.#shorten(refusal, isCut);
    this.#tried = 'nothing';
    return this.#steps.makeRoom(reply, request, turn);
  }

  /** Less output first, where the API says how much fits; then a compaction; then the turn ends. */
  async #shorten(refusal: string | undefined, isCut: boolean): Promise<'again' | TurnEnd> {
    this.#fitting = refusal === undefined || this.#tried !== 'nothing' ? undefined : fittingOutput(refusal);
    if (this.#fitting !== undefined) {
      this.#tried = 'trimmed';
      return 'again';
    }
    if (this.#tried === 'compacted') return this.#tooLong(refusal, 'It is too long even after compaction.');
    if (!this.#autoCompacts())
      return this.#tooLong(refusal, 'Automatic compaction is off in the settings; type /compact.');
    this.#tried = 'compacted';
    const outcome = await this.#compaction.compact({ trigger: 'recovery', focus: '' }, this.#signal);
    if (outcome.kind === 'failed')
      return outcome.end ?? this.#tooLong(refusal, `It could not be compacted: ${outcome.message}`);
    if (isCut && outcome.kind === 'compacted') this.#access.messages.nudge(cutText);
    return 'again';
  }

  #tooLong(refusal: string | undefined, why: string): TurnEnd {
    return refusal !== undefined && this.#bytes
      ? { reason: 'context_exceeded', message: `${refusal} ${why}` }
      : tooLong(why);
  }

  #autoCompacts(): boolean {
    return this.#access.settings.requests?.autoCompact?.().enabled !== false;
  }
}

/** The API's sentence, where it has refused the conversation as too long. */
function refusalOf(reply: ReplyOutcome, request: ModelRequest): string | undefined {
  return reply.kind === 'broken' && !reply.kept && isTooLong(reply.error) && !refusesFile(reply.error, request)
    ? reply.error.message
    : undefined;
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
