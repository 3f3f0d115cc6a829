// Which texts of files the model has in its conversation, and what it was told of them since: folded from the log.
import { isObject } from '../../../shared/plain-object';
import { type Path } from '../../ports/path';
import { type SessionRecord } from '../../ports/record';
import { followPresent } from '../../sessions/compacted-log';

/** In place of a hash: there is no such file. */
export const gone = '';

export interface KnownFile {
  /** Of the text that it last read or wrote. */
  hash: string;
  /** Of what it was last told of since then. */
  told?: string;
  /** What it was told was all of that. */
  whole?: boolean;
  /** The hashes that the file had before each of the session's edits, oldest first; `gone` where it was created. */
  before: readonly string[];
}

/** A text that the model has not seen stood there. */
const unknown = '?';
const mostEdits = 100;

/** What the model was told of last, or knows otherwise. */
export function lastKnown({ hash, told }: KnownFile): string {
  return told ?? hash;
}

/** Only what was added to the log is read. The file used last comes last. */
export function followKnownFiles(records: readonly SessionRecord[]): () => ReadonlyMap<Path, KnownFile> {
  let read: { of: readonly SessionRecord[]; count: number; files: Map<Path, KnownFile> } | undefined;
  return () => {
    const present = followPresent(records);
    if (read?.of !== present) read = { of: present, count: 0, files: new Map() };
    for (const record of present.slice(read.count)) addRecord(read.files, record);
    read.count = present.length;
    return read.files;
  };
}

function addRecord(files: Map<Path, KnownFile>, record: SessionRecord): void {
  if (record.type !== 'user') return;
  for (const { filePath, hash } of record.attachedFiles ?? []) files.set(filePath, { hash, before: [] });
  for (const { filePath, hash, known: whole = false } of record.changedFiles ?? []) {
    const file = files.get(filePath);
    if (file !== undefined) files.set(filePath, { ...file, told: hash, whole });
  }
  const output = isObject(record.toolUseResult) ? record.toolUseResult : {};
  addMoves(files, output['moved']);
  // Of many files, those that the model has never had stay unknown.
  for (const one of Array.isArray(output['files']) ? output['files'] : [])
    if (isObject(one) && typeof one['filePath'] === 'string' && files.has(one['filePath'])) addFile(files, one);
  addFile(files, isObject(output['file']) ? output['file'] : output);
}

function addMoves(files: Map<Path, KnownFile>, moved: unknown): void {
  for (const one of Array.isArray(moved) ? moved : []) {
    const { from, to } = isObject(one) ? one : {};
    const known = typeof from === 'string' ? files.get(from) : undefined;
    if (known === undefined || typeof from !== 'string' || typeof to !== 'string') continue;
    files.delete(from);
    files.set(to, known);
  }
}

function addFile(files: Map<Path, KnownFile>, file: Record<string, unknown>): void {
  const { filePath, hash, structuredPatch, created } = file;
  if (typeof filePath !== 'string' || typeof hash !== 'string') return;
  const known = files.get(filePath);
  const before = known?.before ?? [];
  // The file used last comes last.
  files.delete(filePath);
  if (!Array.isArray(structuredPatch)) return void files.set(filePath, { hash, before });
  const stood = created === true ? gone : known === undefined ? unknown : lastKnown(known);
  files.set(filePath, { hash, before: [...before, stood].slice(-mostEdits) });
}
