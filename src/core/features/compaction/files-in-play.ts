// The files that were read or changed last: their paths, and the present text of the few that fit.
import { redactText, type Secrets } from '../../text/redact';
import { type FileSystem } from '../../ports/files';
import { attachment } from '../../text/attachment';
import { pathInWorkspace } from '../../prompt/inside-workspace';
import { readStateFromRecords, usedFiles } from '../../sessions/read-state-from-records';
import { type SessionRecord } from '../../ports/record';
import { readPage } from '../../tools/read/read-page';
import { pageContent } from '../../tools/read/read-text';
import { textTokens } from '../../model/estimate-tokens';

const mostPaths = 20;
const mostAttached = 5;
const attachedTokens = 20_000;
/** The maximum for one file; for a longer one the model reads what it needs. */
const fileTokens = 8_000;

export interface FilesInPlay {
  /** Newest first. */
  paths: string[];
  /** Numbered lines, as the Read tool shows them. */
  texts: string[];
  /** Those whose whole text is among the texts. */
  attached: { filePath: string; hash: string }[];
}

export interface FileSurroundings {
  files: FileSystem;
  cwd: string;
  folders: { path: string }[];
  isHidden: (path: string) => boolean;
  secrets: Secrets;
}

/** `kept`: records that stay before the model; the files that they show whole need no second copy. */
export async function filesInPlay(
  records: readonly SessionRecord[],
  kept: readonly SessionRecord[],
  surroundings: FileSurroundings,
): Promise<FilesInPlay> {
  const { files, isHidden, secrets } = surroundings;
  const paths = usedFiles(records)
    .reverse()
    .filter((path) => !isHidden(path))
    .slice(0, mostPaths);
  const known = readStateFromRecords(kept);
  const isShown = (path: string): boolean => {
    const entry = known.get(path);
    return entry !== undefined && entry.unseen === undefined;
  };
  const found: FilesInPlay = { paths, texts: [], attached: [] };
  let left = attachedTokens;
  for (const path of paths) {
    if (found.attached.length === mostAttached) break;
    if (isShown(path) || path.endsWith('.ipynb')) continue;
    // What is outside was read with the user's permission for that one time.
    const real = await pathInWorkspace(path, surroundings);
    if (real === undefined || isHidden(real)) continue;
    const read = await files.readText(path, fileTokens * 8);
    if (read.outcome === 'refused') continue;
    const page = readPage(read.file.text, {});
    if (page.outcome !== 'page' || page.partial || page.cut.length > 0) continue;
    const text = pageContent(page);
    const tokens = textTokens(text);
    if (tokens > Math.min(left, fileTokens)) continue;
    left -= tokens;
    found.texts.push(attachment({ path }, redactText(text, secrets)));
    found.attached.push({ filePath: path, hash: read.file.hash });
  }
  return found;
}
