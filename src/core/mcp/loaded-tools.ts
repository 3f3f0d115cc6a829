// Which deferred tools a session has loaded, read from its log: those that results of ToolSearch refer to.
import { type ToolReferenceBlock, type UserBlock } from '../model/wire';
import { followPresent } from '../sessions/compacted-log';
import { type SessionRecord } from '../sessions/record';

interface Read {
  names: Set<string>;
  count: number;
  last: SessionRecord | undefined;
}

/** By the log's array, which its session appends to: only what was added is read. */
const known = new WeakMap<readonly SessionRecord[], Read>();

export interface LoadedTools {
  /** In the order in which they were loaded; a compaction takes none away. */
  ever: ReadonlySet<string>;
  /** Those that the conversation which the model is sent refers to. */
  present: ReadonlySet<string>;
}

export function loadedTools(records: readonly SessionRecord[]): LoadedTools {
  const present = followPresent(records);
  return { ever: namesIn(records), present: present === records ? namesIn(records) : namesIn(present) };
}

export function referencesIn(blocks: readonly UserBlock[]): ToolReferenceBlock[] {
  return blocks.flatMap((block) => (block.type === 'tool_result' && typeof block.content !== 'string' ? block.content.filter((part) => part.type === 'tool_reference') : []));
}

function namesIn(records: readonly SessionRecord[]): Set<string> {
  const before = known.get(records);
  const goesOn = before !== undefined && before.count <= records.length && records[before.count - 1] === before.last;
  const read: Read = goesOn ? before : { names: new Set(), count: 0, last: undefined };
  for (const record of records.slice(read.count)) {
    if (record.type !== 'user' || typeof record.message.content === 'string') continue;
    for (const { tool_name: name } of referencesIn(record.message.content)) read.names.add(name);
  }
  read.count = records.length;
  read.last = records.at(-1);
  known.set(records, read);
  return read.names;
}
