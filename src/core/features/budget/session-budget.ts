// Keeps a session within the dollars that the user gave it: asks before the request that would likely pass them.
import { estimateTokens } from '../../model/estimate-tokens';
import { demoModelId } from '../../model/demo-capabilities';
import { contextTokens } from '../../model/models';
import { costOf, costOfReply } from '../../model/prices';
import { isSameModel } from '../../model/thinking';
import { noUsage } from '../../model/usage';
import { type Ports } from '../../ports/ports';
import { systemRecords } from '../../sessions/log-index';
import { messagesFromRecords } from '../../sessions/messages-from-records';
import { type SessionRecord } from '../../ports/record';
import { type TurnEnd } from '../../loop/after-reply';
import { type Emit } from '../../events/session-event';
import { askToExceed, type BudgetAnswer, dollars } from './budget-question';

export interface BudgetServices {
  /** Dollars; 0 for no limit. Asked before each request. */
  limit: () => number;
  /** What the log has cost before this process counts too, or not. */
  counts: 'session' | 'run';
  /** Dollars of the limit that went elsewhere. */
  spentBefore?: number;
  /** The conversation's records: what its agents use is recorded there. */
  records: readonly SessionRecord[];
  ports: Pick<Ports, 'questioner' | 'uuid' | 'model'>;
  emit: Emit;
  /** Keeps what the user allowed beyond the limit: dollars, or `none`. */
  write: (value: string) => void;
}

export interface BudgetedRequest {
  model: string;
  /** The conversation, the agent's or the job's own: it has one request under way at a time. */
  records: readonly SessionRecord[];
  /** What it will likely read, where that is not as these records say. */
  like?: readonly SessionRecord[];
  /** The user asked for it just now: they are asked though they said stop before. */
  byHand?: true;
}

export class SessionBudget {
  readonly #services: BudgetServices;
  /** What the log had cost before this run, where only the run counts, without what went elsewhere. */
  readonly #before: number;
  #read = 0;
  #sum = 0;
  #asking: Promise<BudgetAnswer> | undefined;
  #stopped = false;
  /** Models whose unknown price was reported. */
  readonly #reported = new Set<string>();
  /** What requests under way will likely cost, by whose they are. */
  readonly #held = new Map<readonly SessionRecord[], { from: number; dollars: number }>();

  constructor(services: BudgetServices) {
    const { counts, records, spentBefore = 0 } = services;
    this.#services = services;
    const inLog = counts === 'run' ? records.reduce((all, record) => all + (costOfRecord(record) ?? 0), 0) : 0;
    this.#before = inLog - spentBefore;
  }

  /** What the user has stopped may be asked about again. */
  turnBegins(): void {
    this.#stopped = false;
  }

  /** A job whose records contain no end is over: what was held back for it has been counted by now. */
  over(records: readonly SessionRecord[]): void {
    this.#held.delete(records);
  }

  /** What is allowed is used up: jobs that can be left out are. */
  passed(): boolean {
    const most = this.#allowed();
    return most !== undefined && this.spent() >= most;
  }

  /** Before a request. The end of its turn where that must not be sent; else what it will likely cost counts until its reply is in these records. */
  async check(
    { model, records: own, like = own, byHand }: BudgetedRequest,
    signal: AbortSignal,
  ): Promise<TurnEnd | undefined> {
    this.#held.delete(own);
    for (;;) {
      const most = this.#allowed();
      if (most === undefined || model === demoModelId) return undefined;
      if (!this.#hasPrice(model)) {
        this.#reportUnknown(model, most);
        return undefined;
      }
      const cost = likelyCost(model, like);
      const next = this.spent() + this.#heldBy(own) + cost;
      if (next <= most) {
        this.#held.set(own, { from: own.length, dollars: cost });
        return undefined;
      }
      const end = this.#endOfTurn(most);
      if ((this.#stopped && byHand === undefined) || this.#services.ports.questioner === undefined) return end;
      // One question at a time: agents that work alongside each other wait for the same answer.
      const asked = this.#asking;
      try {
        const answer = await (asked ??
          (this.#asking = askToExceed({ spent: () => this.spent(), most, next }, this.#services, signal)));
        if (answer === 'stop') {
          this.#stopped ||= byHand === undefined;
          return end;
        }
      } catch {
        // Whoever asked was stopped; nothing is sent for them. The others ask themselves.
        if (signal.aborted) return undefined;
        if (asked !== undefined) continue;
        // No answer is to be had: another question would have none either.
        this.#stopped ||= byHand === undefined;
        return end;
      } finally {
        if (asked === undefined) this.#asking = undefined;
      }
    }
  }

  /** Dollars; undefined for no limit. */
  #allowed(): number | undefined {
    const { limit, counts, records } = this.#services;
    const wanted = limit();
    const allowed =
      counts === 'run' ? undefined : systemRecords(records, 'setting').findLast(({ name }) => name === 'budget')?.value;
    return wanted <= 0 || allowed === 'none' ? undefined : Math.max(wanted, Number(allowed) || 0);
  }

  /** Dollars of the limit so far. */
  spent(): number {
    const { records } = this.#services;
    for (; this.#read < records.length; this.#read++) this.#sum += costOfRecord(records[this.#read]) ?? 0;
    return this.#sum - this.#before;
  }

  #heldBy(others: readonly SessionRecord[]): number {
    let all = 0;
    for (const [own, { from, dollars }] of this.#held) {
      if (own.slice(from).some(endsRequest)) this.#held.delete(own);
      else if (own !== others) all += dollars;
    }
    return all;
  }

  /** What a subscription pays for has no price a token. */
  #hasPrice(model: string): boolean {
    return this.#services.ports.model.provider !== 'vscode' && costOf(model, anyUsage) !== undefined;
  }

  #reportUnknown(model: string, most: number): void {
    if (!this.#reported.has(model))
      this.#services.emit({
        type: 'budget_unknown',
        message: `The price of ${model} is unknown, so the budget of ${dollars(most)} cannot be enforced for it.`,
      });
    this.#reported.add(model);
  }

  #endOfTurn(most: number): TurnEnd {
    const spent = this.spent();
    const used =
      spent > most
        ? `The budget of ${dollars(most)} is used up (${dollars(spent)}).`
        : `Stopped before the budget of ${dollars(most)} was exceeded: ${dollars(spent)} is used so far.`;
    const message = this.#services.counts === 'run' ? used : `${used} The setting deft.budget.session raises it.`;
    return { reason: 'budget', message };
  }
}

const anyUsage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function costOfRecord(record: SessionRecord | undefined): number | undefined {
  return record?.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'side_usage')
    ? costOfReply(record)
    : undefined;
}

function endsRequest(record: SessionRecord): boolean {
  return record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'turn_end');
}

/** The next request takes about what the last one did. For another model, or before the first reply, nothing comes from a cache. */
function likelyCost(model: string, records: readonly SessionRecord[]): number {
  const last = records.findLast((record) => record.type === 'system' && record.subtype === 'reply_end');
  if (last?.type !== 'system' || last.subtype !== 'reply_end')
    return (
      costOf(model, {
        ...noUsage(),
        input_tokens: promptTokens + estimateTokens({ messages: messagesFromRecords(records) }),
      }) ?? 0
    );
  if (isSameModel(model, last.model)) return costOfReply(last) ?? 0;
  const { provider, regional, usage } = last;
  return (
    costOfReply({
      model,
      provider,
      regional,
      usage: { ...noUsage(), input_tokens: contextTokens(usage), output_tokens: usage.output_tokens },
    }) ?? 0
  );
}

/** Instructions and tools, about. */
const promptTokens = 12_000;
