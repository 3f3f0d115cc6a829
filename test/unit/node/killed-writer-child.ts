// Appends numbered records for ever and says which are synced; its parent kills it.
import { decodeRecord } from '../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../src/node/sessions/jsonl-session-store';

const store = createJsonlSessionStore(process.argv[2] ?? '');
const id = 'killed';
const opened = await store.open(id);
const log = opened?.log ?? (await store.create(id));
for (let number = opened?.records.length ?? 0; ; number++) {
  const record = decodeRecord(
    JSON.stringify({ type: 'ai-title', title: `${number} ${'x'.repeat((number * 7919) % 20_000)}` }),
  );
  if (record) log.append([record]);
  if (number % 3 === 0) {
    await log.sync();
    process.stdout.write(`${number + 1}\n`);
  }
}
