// Keeps a session within the dollars that the user gave it: asks before the request that would likely pass them.
import { headOf } from '../../../shared/cut-text';
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

export interface BudgetServices {
  /** Dollars; 0 for no limit. Asked before each request. */
  limit: () => number;
  /** What the log has cost before this process counts too, or not. */
  counts: 'session' | 'run';
  /** Of the conversation: what its agents take is told there. */
  records: readonly SessionRecord[];
  ports: Pick<Ports, 'questioner' | 'uuid' | 'model'>;
  emit: Emit;
  /** Keeps what the user allowed beyond the limit: dollars, or `none`. */
  write: (value: string) => void;
}

export interface SessionBudget {
  /** Before a request. The end of its turn where that must not be sent; else what it will likely cost counts until its reply is in these records. */
  check(request: BudgetedRequest, signal: AbortSignal): Promise<TurnEnd | undefined>;
  /** A job whose records tell of no end is over: what was held back for it is counted by now. */
  over(records: readonly SessionRecord[]): void;
  /** What is allowed is used up: jobs that can be left out are. */
  passed(): boolean;
  /** What the user has stopped may be asked about again. */
  turnBegins(): void;
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

const unlimited = 'Continue without a limit';
const stop = 'Stop here';

type Answer = 'on' | 'stop';

export function createSessionBudget({ limit, counts, records, ports, emit, write }: BudgetServices): SessionBudget {
  let read = 0;
  let sum = 0;
  let asking: Promise<Answer> | undefined;
  let stopped = false;
  const reported = new Set<string>();
  /** What requests under way will likely cost, by whose they are. */
  const held = new Map<readonly SessionRecord[], { from: number; dollars: number }>();

  const heldBy = (others: readonly SessionRecord[]): number => {
    let all = 0;
    for (const [own, { from, dollars }] of held) {
      if (own.slice(from).some(endsRequest)) held.delete(own);
      else if (own !== others) all += dollars;
    }
    return all;
  };

  const spent = (): number => {
    for (; read < records.length; read++) sum += costOfRecord(records[read]) ?? 0;
    return sum - before;
  };
  const before = counts === 'run' ? records.reduce((all, record) => all + (costOfRecord(record) ?? 0), 0) : 0;
  /** Undefined for none. */
  const present = (): number | undefined => {
    const wanted = limit();
    const allowed =
      counts === 'run' ? undefined : systemRecords(records, 'setting').findLast(({ name }) => name === 'budget')?.value;
    return wanted <= 0 || allowed === 'none' ? undefined : Math.max(wanted, Number(allowed) || 0);
  };

  const ask = async (most: number, next: number, signal: AbortSignal): Promise<Answer> => {
    const more = raised(most, next);
    const on = `Continue up to ${dollars(more)}`;
    for (let before = ''; ;) {
      const id = ports.uuid();
      const question = {
        question: `${before}This session has used ${dollars(spent())} of ${dollars(most)}. The next request would probably exceed it. Continue?`,
        header: 'Budget',
        options: [
          { label: on, description: 'Deft asks again before that limit is exceeded.' },
          { label: unlimited, description: 'Deft will not ask again in this session.' },
          { label: stop, description: 'The turn ends here. What was done so far is kept.' },
        ],
        multiSelect: false,
        otherHint: 'An amount, such as 20',
      };
      const answer = await ports.questioner?.askQuestions(
        { id, toolUseId: id, questions: [question], closeLabel: 'Stop' },
        signal,
      );
      if (answer?.behavior !== 'answered') return 'stop';
      const given = (answer.response ?? answer.answers[question.question] ?? '').trim();
      if (given === '' || given === stop) return 'stop';
      if (given === unlimited) write('none');
      else if (given === on) write(String(more));
      else {
        // An amount in the user's own words.
        const amount = /^(?:go on to )?\$? ?(\d+(?:\.\d+)?) ?(?:\$|dollars?|usd)?\.?$/i.exec(given)?.[1];
        if (amount === undefined) {
          before = `"${headOf(given, 40)}" is not an amount. `;
          continue;
        }
        if (Number(amount) <= most) return 'stop';
        write(amount);
      }
      return 'on';
    }
  };

  return {
    turnBegins: () => void (stopped = false),
    over: (own) => void held.delete(own),
    passed() {
      const most = present();
      return most !== undefined && spent() >= most;
    },
    async check({ model, records: own, like = own, byHand }, signal) {
      held.delete(own);
      for (;;) {
        const most = present();
        if (most === undefined || model === demoModelId) return undefined;
        // What a subscription pays for has no price a token.
        if (ports.model.provider === 'vscode' || costOf(model, anyUsage) === undefined) {
          if (!reported.has(model))
            emit({
              type: 'budget_unknown',
              message: `The price of ${model} is unknown, so the budget of ${dollars(most)} cannot be enforced for it.`,
            });
          reported.add(model);
          return undefined;
        }
        const cost = likelyCost(model, like);
        const next = spent() + heldBy(own) + cost;
        if (next <= most) {
          held.set(own, { from: own.length, dollars: cost });
          return undefined;
        }
        const used =
          spent() > most
            ? `The budget of ${dollars(most)} is used up (${dollars(spent())}).`
            : `Stopped before the budget of ${dollars(most)} was exceeded: ${dollars(spent())} is used so far.`;
        const end: TurnEnd = {
          reason: 'budget',
          message: counts === 'run' ? used : `${used} The setting deft.budget.session raises it.`,
        };
        if ((stopped && byHand === undefined) || ports.questioner === undefined) return end;
        // One question at a time: agents that work beside each other wait for the same answer.
        const asked = asking;
        try {
          const answer = await (asked ?? (asking = ask(most, next, signal)));
          if (answer === 'stop') {
            stopped ||= byHand === undefined;
            return end;
          }
        } catch {
          // Whoever asked was stopped; nothing is sent for them. The others ask themselves.
          if (signal.aborted) return undefined;
          if (asked !== undefined) continue;
          // No answer is to be had: another question would have none either.
          stopped ||= byHand === undefined;
          return end;
        } finally {
          if (asked === undefined) asking = undefined;
        }
      }
    },
  };
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

/** The limit doubled until the next request fits. */
function raised(limit: number, next: number): number {
  let more = limit * 2;
  while (more < next) more *= 2;
  return more;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
