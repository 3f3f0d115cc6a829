// What one turn came to, from its records: the answer, tokens, cost, calls that were denied.
import { defined } from '../shared/defined';
import { structuredAnswer } from '../core/features/structured-output/structured-output-feature';
import { costOfReply } from '../core/model/prices';
import { noUsage, sumUsage } from '../core/model/usage';
import { type Usage } from '../core/wire/wire';
import { type SessionRecord } from '../core/ports/record';

export interface PermissionDenial {
  tool_name: string;
  tool_use_id: string;
  tool_input: unknown;
}

export interface TurnSummary {
  /** The text of the last reply. */
  text: string;
  /** The same as hooks want the user to see it. */
  shown: string;
  /** Replies of the model. */
  replies: number;
  /** Of the conversation. */
  usage: Usage;
  /** Jobs of the small model included. */
  byModel: Map<string, { usage: Usage; dollars: number | undefined; contextWindow?: number }>;
  /** Undefined where a price is not known. */
  dollars: number | undefined;
  denials: PermissionDenial[];
  /** Why the last reply ended, in the API's word; null where there is none. */
  stopReason: string | null;
  /** What a run with a schema answers; undefined elsewhere. */
  answer: unknown;
}

/** Calls that were denied, from the records as they come; ids of calls are unique among agents. */
export interface DenialReader {
  add(record: SessionRecord): void;
  /** Those since the last time. */
  take(): PermissionDenial[];
}

export function createDenialReader(): DenialReader {
  const calls = new Map<string, { name: string; input: unknown }>();
  let found: PermissionDenial[] = [];
  return {
    add(record) {
      if (record.type === 'assistant') {
        for (const block of record.message.content)
          if (block.type === 'tool_use') calls.set(block.id, { name: block.name, input: block.input });
      } else if (record.type === 'user') found.push(...denialsIn(record, calls));
    },
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

export function summariseTurn(records: readonly SessionRecord[]): TurnSummary {
  const byModel: TurnSummary['byModel'] = new Map();
  let usage = noUsage();
  const messages = new Map<string, { said: string[]; shown: string[] }>();
  const denials = createDenialReader();
  let stopReason: string | null = null;
  for (const record of records) {
    denials.add(record);
    if (record.type === 'assistant') {
      for (const block of record.message.content) {
        const texts = messages.get(record.message.id) ?? { said: [], shown: [] };
        messages.set(record.message.id, texts);
        if (block.type === 'text') for (const list of [texts.said, texts.shown]) list.push(block.text);
      }
    } else if (record.type === 'system' && record.subtype === 'reply_refused')
      // What it had begun to say is not part of the answer.
      messages.set(record.messageId, { said: [], shown: [] });
    else if (record.type === 'system' && record.subtype === 'message_display')
      messages.get(record.messageId)?.shown.splice(record.index, 1, record.text);
    else if (record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'side_usage')) {
      addCost(byModel, record);
      if (record.subtype === 'reply_end') stopReason = record.stopReason;
      if (record.subtype === 'reply_end') usage = sumUsage(usage, { ...noUsage(), ...record.usage });
    }
  }
  const costs = [...byModel.values()].map(({ dollars }) => dollars);
  const last = [...messages.values()].at(-1) ?? { said: [], shown: [] };
  return {
    text: last.said.join('\n\n'),
    shown: last.shown.filter((text) => text !== '').join('\n\n'),
    replies: messages.size,
    usage,
    byModel,
    dollars: costs.reduce((sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0),
    denials: denials.take(),
    stopReason,
    answer: structuredAnswer(records),
  };
}

function denialsIn(
  { toolState, message }: Extract<SessionRecord, { type: 'user' }>,
  calls: ReadonlyMap<string, { name: string; input: unknown }>,
): PermissionDenial[] {
  if (toolState !== 'denied' || typeof message.content === 'string') return [];
  return message.content.flatMap((block) => {
    const call = block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined;
    return block.type !== 'tool_result' || call === undefined
      ? []
      : [{ tool_name: call.name, tool_use_id: block.tool_use_id, tool_input: call.input }];
  });
}

function addCost(
  byModel: TurnSummary['byModel'],
  record: Extract<SessionRecord, { type: 'system'; subtype: 'reply_end' | 'side_usage' }>,
): void {
  const own: NonNullable<ReturnType<typeof byModel.get>> = byModel.get(record.model) ?? {
    usage: noUsage(),
    dollars: 0,
  };
  const cost = costOfReply(record);
  const window = record.subtype === 'reply_end' ? (record.contextWindow ?? own.contextWindow) : own.contextWindow;
  byModel.set(record.model, {
    ...defined({ contextWindow: window }),
    usage: sumUsage(own.usage, { ...noUsage(), ...record.usage }),
    dollars: own.dollars === undefined || cost === undefined ? undefined : own.dollars + cost,
  });
}
