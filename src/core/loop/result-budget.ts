// Keeps the results of one reply together within a budget: the biggest go to files, before anything was sent.
import { type ToolResultBlock } from '../wire/wire';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { addFacts, newCallFacts } from '../sessions/messages-from-records';
import { type SessionRecord } from '../ports/record';
import { type RecordWriter } from '../events/record-writer';
import { previewChars, storeLargeResult, textOf } from '../calls/tool-result-storage';

/** Characters of text in all results of one user message. */
export const resultBudgetChars = 200_000;

/** Storing a shorter one would win next to nothing. */
const shortestStored = 2 * previewChars;

export interface BudgetOptions {
  writer: Pick<RecordWriter, 'write'>;
  directory: Path;
  files: Pick<FileSystem, 'writeOwnFile'>;
}

/**
 * For the newest reply, whose results no request has held yet. What is sent in place of a result is a record of its own, so every
 * later fold makes the same bytes; after a crash before it the same is decided again.
 */
export async function keepResultBudget(
  records: readonly SessionRecord[],
  { writer, directory, files }: BudgetOptions,
): Promise<void> {
  const results = newestResults(records).map((block) => ({ block, chars: textOf(block.content).length }));
  let total = results.reduce((sum, { chars }) => sum + chars, 0);
  const biggest = results.filter(({ chars }) => chars > shortestStored).sort((a, b) => b.chars - a.chars);
  for (const { block, chars } of biggest) {
    if (total <= resultBudgetChars) return;
    const stored = await storeLargeResult(block, { maxChars: 0, directory, files });
    writer.write({ type: 'system', subtype: 'result_stored', block: stored });
    total += textOf(stored.content).length - chars;
  }
}

/** In call order, as they would be sent now. */
function newestResults(records: readonly SessionRecord[]): ToolResultBlock[] {
  const facts = newCallFacts();
  const newest = records.findLast((record) => record.type === 'assistant')?.message.id;
  const before = records.findLastIndex((record) => record.type === 'assistant' && record.message.id !== newest);
  const tail = records.slice(before + 1);
  for (const record of tail) addFacts(facts, record);
  return tail.flatMap((record) =>
    record.type !== 'assistant'
      ? []
      : record.message.content.flatMap((block) =>
          block.type === 'tool_use' ? (facts.results.get(block.id) ?? []) : [],
        ),
  );
}
