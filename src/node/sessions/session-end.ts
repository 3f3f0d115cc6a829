// The end of a long session, to be shown while the rest is still being read.
import { open, stat } from 'node:fs/promises';
import { logFormat } from '../../core/sessions/log-format';
import { type SessionRecord } from '../../core/ports/record';
import { readSessionFile } from './session-reader';
import { readSummary } from './session-summary';

/** A shorter one is read as a whole in less than a tenth of a second. */
const longBytes = 2_000_000;
const headBytes = 128 * 1024;
/** How much is read: more where the first is too little for a page. */
const endBytes = [1_000_000, 6_000_000];
/** A record that is shown makes one item or changes one. */
const pageRecords = 300;

export async function readSessionEnd(file: string): Promise<{ title: string; records: SessionRecord[] } | undefined> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size < longBytes) return undefined;
  for (const bytes of endBytes) {
    const read = await readSessionFile(file, Math.max(0, size - bytes), size);
    if (read.format > logFormat) return undefined;
    const records = fromWholeMessage(read.records);
    if (bytes < size && bytes !== endBytes.at(-1) && records.filter(isShown).length < pageRecords) continue;
    const ofTail = readSummary(
      '',
      records
        .filter(isTitle)
        .map((record) => JSON.stringify(record))
        .join('\n'),
    );
    return { title: ofTail.titled ? ofTail.title : readSummary(await headOf(file), '').title, records };
  }
  return undefined;
}

/** Without what belongs to a message whose beginning lies before. */
function fromWholeMessage(records: SessionRecord[]): SessionRecord[] {
  const first = records.find((record) => record.type === 'assistant')?.message.id;
  const start = records.findIndex(
    (record) => isPrompt(record) || (record.type === 'assistant' && record.message.id !== first),
  );
  return start < 0 ? records : records.slice(start);
}

function isPrompt(record: SessionRecord): boolean {
  if (record.type !== 'user' || record.isMeta === true) return false;
  const { content } = record.message;
  return typeof content === 'string' || content.every(({ type }) => type !== 'tool_result');
}

function isShown(record: SessionRecord): boolean {
  return record.type === 'user' || record.type === 'assistant';
}

function isTitle(record: SessionRecord): boolean {
  return record.type === 'custom-title' || record.type === 'ai-title';
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
