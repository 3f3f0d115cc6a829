// Runs in a process with a small file size limit: what the ports say and leave behind when the disk refuses.
import { execFileSync } from 'node:child_process';
import { link, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type WriteOutcome } from '../../../src/core/ports/files';
import { decodeRecord } from '../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../src/node/sessions/jsonl-session-store';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';

const root = process.argv[2] ?? '';
const files = createNodeFileSystem();
const big = 'x'.repeat(100_000);

const codeOf = (outcome: WriteOutcome): string => (outcome.outcome === 'refused' ? outcome.code : outcome.outcome);
const messageOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

async function replacement(name: string): Promise<string> {
  const file = path.join(root, name);
  const read = await files.readText(file, 1_000_000);
  if (read.outcome !== 'read') return read.code;
  return codeOf(await files.writeText({ path: file, base: read.file, text: big, approved: true }));
}

await writeFile(path.join(root, 'plain.txt'), 'before\n');
await writeFile(path.join(root, 'linked.txt'), 'before\n');
await link(path.join(root, 'linked.txt'), path.join(root, 'twin.txt'));

const store = createJsonlSessionStore(path.join(root, 'sessions'));
const log = await store.create('full');
const record = (title: string) => decodeRecord(JSON.stringify({ type: 'ai-title', title, uuid: title.slice(0, 3) }));
const first = record('one');
const large = record(`two${big}`);
const third = record('three');
if (!first || !large || !third) throw new Error('The records did not decode.');
log.append([first]);
await log.sync();
log.append([large]);
const refused = await log.sync().then(() => 'synced', messageOf);
log.append([third]);
const again = await log.sync().then(() => 'synced', messageOf);
const whole = await readFile(log.path, 'utf8');

// So many sessions that their index does not fit, next to a small one that does.
for (let number = 0; number < 200; number++)
  await writeFile(
    path.join(root, 'sessions', `many-${number}.jsonl`),
    `{"type":"ai-title","title":"${'t'.repeat(60)}"}\n`,
  );
const listed = await store.list();
const leftOfIndex = (await readdir(path.join(root, 'sessions'))).filter(
  (name) => !name.endsWith('.jsonl') && !name.endsWith('.lock'),
);

const result = {
  listed: listed.length,
  leftOfIndex,
  create: codeOf(
    await files.writeText({ path: path.join(root, 'made', 'new.txt'), base: undefined, text: big, approved: true }),
  ),
  replace: await replacement('plain.txt'),
  inPlace: await replacement('linked.txt'),
  own: await files.writeOwnFile(path.join(root, 'own.txt'), big).then(() => 'written', messageOf),
  plain: await readFile(path.join(root, 'plain.txt'), 'utf8'),
  linked: await readFile(path.join(root, 'twin.txt'), 'utf8'),
  names: (await readdir(root)).sort(),
  refused,
  again,
  wholeLines: whole.split('\n').length - 1,
  endsWithNewline: whole.endsWith('\n'),
  retried: 'no prlimit',
  recordsAfterwards: 0,
  indexAfterwards: false,
};
try {
  execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
  await log.sync();
  result.retried = 'synced';
} catch (error) {
  result.retried = messageOf(error);
}
await log.close().catch(() => undefined);
result.recordsAfterwards = (await store.open('full'))?.records.length ?? -1;
await store.list();
result.indexAfterwards = (await readdir(path.join(root, 'sessions'))).includes('.index.json');
process.stdout.write(JSON.stringify(result));
