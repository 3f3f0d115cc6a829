// How many web searches a session has made, found in its log, so that a resumed one does not start over.
import { canonicalToolName } from '../permissions/rules/rule-syntax';
import { callRecord } from './call-records';
import { type SessionRecord } from '../ports/record';

export function searchesFromRecords(records: readonly SessionRecord[]): number {
  let sum = 0;
  for (const record of records) sum += searchesOf(record, records);
  return sum;
}

function searchesOf(record: SessionRecord, records: readonly SessionRecord[]): number {
  if (record.type !== 'user' || typeof record.message.content === 'string') return 0;
  const output = record.toolUseResult;
  if (typeof output !== 'object' || output === null || !('searches' in output) || typeof output.searches !== 'number')
    return 0;
  const { searches } = output;
  const ofSearch = record.message.content.some(
    (block) => block.type === 'tool_result' && isSearch(block.tool_use_id, records),
  );
  return ofSearch ? searches : 0;
}

function isSearch(toolUseId: string, records: readonly SessionRecord[]): boolean {
  const content = callRecord(records, toolUseId)?.message.content ?? [];
  return content.some(
    (block) => block.type === 'tool_use' && block.id === toolUseId && canonicalToolName(block.name) === 'WebSearch',
  );
}
