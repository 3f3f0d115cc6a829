// What the chat shows where the API has left old results out of a request: a quiet line, each time that more of them went.
import { type ChatEvent } from '../../shared/chat';
import { type SystemRecord } from '../ports/record';

export interface ClearedResults {
  reply(record: Extract<SystemRecord, { subtype: 'reply_end' }>): ChatEvent[];
  /** The history starts over. */
  compacted(): void;
}

export function createClearedResults(): ClearedResults {
  // Each reply lists all results cleared so far: only new ones are worth a line.
  let reported = 0;
  return {
    reply({ uuid, cleared }) {
      if (cleared === undefined || cleared.toolUses <= reported) return [];
      reported = cleared.toolUses;
      const results = cleared.toolUses === 1 ? '1 old result' : `${cleared.toolUses} old results`;
      const title = `The API cleared ${results}, about ${rounded(cleared.tokens).toLocaleString('en')} tokens.`;
      return [{ type: 'item', item: { kind: 'notice', id: uuid, level: 'info', title, detail: '', quiet: true } }];
    },
    compacted: () => void (reported = 0),
  };
}

function rounded(tokens: number): number {
  return tokens < 1_000 ? tokens : Math.round(tokens / 1_000) * 1_000;
}
