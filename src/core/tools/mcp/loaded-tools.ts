// Which deferred tools a session has loaded, read from its log: those that results of ToolSearch or of the API's own search refer to.
import { foundTools } from '../../model/server-search';
import { type ToolReferenceBlock, type UserBlock } from '../../wire/wire';
import { followPresent } from '../../sessions/compacted-log';
import { type SessionRecord } from '../../ports/record';
import { isSameRecord } from '../../sessions/light-records';

interface Read {
  /** In the order in which they were loaded. */
  names: Set<string>;
  byResults: Set<string>;
  byApi: Set<string>;
  count: number;
  last: SessionRecord | undefined;
}

/** By the log's array, which its session appends to: only what was added is read. */
const known = new WeakMap<readonly SessionRecord[], Read>();

export interface LoadedTools {
  /** In the order in which they were loaded; a compaction takes none away. */
  ever: ReadonlySet<string>;
  /** Those that the conversation which the model is sent refers to: in results of ToolSearch, and in those of the API's own search. */
  present: ReadonlySet<string>;
  presentByApi: ReadonlySet<string>;
}

export function loadedTools(records: readonly SessionRecord[]): LoadedTools {
  const present = followPresent(records);
  const { names: ever } = namesIn(records);
  const { byResults, byApi } = namesIn(present);
  return { ever, present: byResults, presentByApi: byApi };
}

function referencesIn(blocks: readonly UserBlock[]): ToolReferenceBlock[] {
  return blocks.flatMap((block) =>
    block.type === 'tool_result' && typeof block.content !== 'string'
      ? block.content.filter((part) => part.type === 'tool_reference')
      : [],
  );
}

function namesIn(records: readonly SessionRecord[]): Read {
  const before = known.get(records);
  const goesOn =
    before !== undefined && before.count <= records.length && isSameRecord(records[before.count - 1], before.last);
  const read: Read = goesOn
    ? before
    : { names: new Set(), byResults: new Set(), byApi: new Set(), count: 0, last: undefined };
  for (const record of records.slice(read.count)) {
    if (record.type === 'assistant') {
      for (const name of record.message.content.flatMap(foundTools)) {
        read.byApi.add(name);
        read.names.add(name);
      }
    }
    if (record.type !== 'user' || typeof record.message.content === 'string') continue;
    for (const { tool_name: name } of referencesIn(record.message.content)) {
      read.byResults.add(name);
      read.names.add(name);
    }
  }
  read.count = records.length;
  read.last = records.at(-1);
  known.set(records, read);
  return read;
}
