// What the chat shows of compactions: one card each, which says whether it still holds.
import { type ChatEvent, type ChatUsage, type CompactionItem } from '../../shared/chat';
import { type CompactBoundary } from '../sessions/compacted-log';
import { type SystemRecord } from '../ports/record';

type CompactionRecord = CompactBoundary | Extract<SystemRecord, { subtype: 'compact_undone' | 'compact_edited' }>;

/** The card while it runs, and where it failed. */
export const runningId = 'compacting';

export interface CompactionEvents {
  record(record: CompactionRecord): ChatEvent[];
  live(state: 'running' | 'over', message?: string): ChatEvent[];
}

/** `usage`: what the meter shows; until the next reply it is an estimate. */
export function createCompactionEvents(usage: (contextTokens: number) => ChatUsage): CompactionEvents {
  let cards: CompactionItem[] = [];
  let failures = 0;

  /** Only the last one that was not undone holds; an earlier one holds again where that is undone. */
  const settled = (): ChatEvent[] => {
    const present = cards.findLast(({ state }) => state !== 'undone');
    return cards.flatMap((card, index): ChatEvent[] => {
      const holds = card === present;
      if (card.holds === holds) return [];
      const item = { ...card, holds };
      cards[index] = item;
      return [{ type: 'item', item }];
    });
  };
  const change = (id: string, changed: Partial<CompactionItem>): ChatEvent[] => {
    const card = cards.find((one) => one.id === id);
    if (card === undefined) return [];
    const item = { ...card, ...changed };
    cards = cards.map((one) => (one === card ? item : one));
    return [{ type: 'item', item }, ...settled()];
  };

  return {
    record(record) {
      switch (record.subtype) {
        case 'compact_boundary': {
          const { trigger, preTokens, postTokens } = record.compactMetadata;
          const item: CompactionItem = {
            kind: 'compaction',
            id: record.uuid,
            state: 'done',
            automatic: trigger !== 'manual',
            holds: true,
            ...(typeof preTokens === 'number' ? { tokensBefore: preTokens } : {}),
            ...(typeof postTokens === 'number' ? { tokensAfter: postTokens } : {}),
          };
          cards.push(item);
          return [
            { type: 'item', item },
            ...settled(),
            ...(item.tokensAfter === undefined ? [] : [{ type: 'usage' as const, usage: usage(item.tokensAfter) }]),
          ];
        }
        case 'compact_edited':
          // What is undone stays so, whatever its summary says.
          return cards.some(({ id, state }) => id === record.boundary && state === 'undone')
            ? []
            : change(record.boundary, { state: 'edited' });
        case 'compact_undone': {
          const before = cards.find(({ id }) => id === record.boundary)?.tokensBefore;
          return [
            ...change(record.boundary, { state: 'undone' }),
            ...(before === undefined ? [] : [{ type: 'usage' as const, usage: usage(before) }]),
          ];
        }
      }
    },
    live(state, message) {
      const card = { kind: 'compaction' as const, automatic: false, holds: false };
      if (state === 'running') return [{ type: 'item', item: { ...card, id: runningId, state: 'running' } }];
      const over: ChatEvent = { type: 'remove', id: runningId };
      return message === undefined
        ? [over]
        : [over, { type: 'item', item: { ...card, id: `${runningId}:${++failures}`, state: 'failed', message } }];
    },
  };
}
