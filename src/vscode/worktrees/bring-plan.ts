// What would land in the checkout if a worktree's changes came there: worked out file by file before anything is shown or written.
import { type FileProposal } from '../../core/ports/approver';
import { type FileSystem, type TextFile } from '../../core/ports/files';
import { isInside } from '../../core/permissions/rules/workspace-path';
import { type WorktreeView } from '../../core/subagents/worktree-view';
import { type RunGit } from '../../node/worktrees/run-git';
import { mergeTexts, type TreeChanges, type TreeText } from '../../node/worktrees/tree-changes';

export interface BroughtFile {
  name: string;
  proposal: FileProposal;
  /** Places that both sides have changed; in the text they are between git's marks. */
  conflicts: number;
}

export interface BringPlan {
  files: BroughtFile[];
  /** What does not come along, and why. */
  left: { name: string; why: string }[];
  /** The checkout has it already. */
  same: number;
}

const maxBytes = 5_000_000;

interface PlanParts {
  view: WorktreeView;
  files: Pick<FileSystem, 'readText' | 'realPath'>;
  run: RunGit;
}

export async function planBringing({ texts, left }: TreeChanges, parts: PlanParts): Promise<BringPlan> {
  const plan: BringPlan = { files: [], left: [...left], same: 0 };
  for (const text of texts) {
    const found = await planFile(text, parts);
    if (found === 'same') plan.same++;
    else if ('why' in found) plan.left.push(found);
    else plan.files.push(found);
  }
  return plan;
}

async function planFile(
  { name, base, theirs }: TreeText,
  { view, files, run }: PlanParts,
): Promise<BroughtFile | { name: string; why: string } | 'same'> {
  const leave = (why: string) => ({ name, why });
  const path = `${view.checkout}/${name}`;
  if (!isInside(await files.realPath(path), await files.realPath(view.checkout), view.ignoreCase))
    return leave('its place leads out of your checkout');
  const read = await files.readText(path, maxBytes);
  if (read.outcome === 'refused' && read.code !== 'not_found') return leave(read.message);
  const ours = read.outcome === 'read' ? read.file : undefined;
  if (ours?.text === theirs) return 'same';
  if (theirs === undefined) return leave('it was deleted there; delete it here yourself');
  if (ours !== undefined && !ours.encoding.startsWith('utf8')) return leave('it is no UTF-8 text here');
  const take = (text: string, conflicts = 0): BroughtFile => ({
    name,
    proposal: { path, base: ours, text },
    conflicts,
  });
  if (ours?.text === base) return take(theirs);
  if (ours === undefined) return leave('it was deleted here and changed there');
  const merged = await mergeTexts({ ours: ours.text, base: base ?? '', theirs }, labels(view), run);
  if (typeof merged === 'string') return leave(merged);
  return merged.text === ours.text ? 'same' : take(merged.text, merged.conflicts);
}

function labels({ branch = 'worktree' }: WorktreeView): { ours: string; theirs: string } {
  return { ours: 'your checkout', theirs: branch };
}

/** Conflicts that nobody has resolved. */
export function hasMarks(text: string): boolean {
  return /^<{7} /m.test(text) && /^={7}$/m.test(text) && /^>{7} /m.test(text);
}

export interface BroughtText {
  path: string;
  base: TextFile | undefined;
  text: string;
}

/** All of them, or none: a sentence where none was written. They wait for Keep or Undo like every edit. */
export async function writeBrought(
  texts: readonly BroughtText[],
  session: string,
  files: Pick<FileSystem, 'readText' | 'writeText'>,
): Promise<string | undefined> {
  for (const { path, base } of texts) {
    const read = await files.readText(path, maxBytes);
    if ((read.outcome === 'read' ? read.file.hash : undefined) !== base?.hash)
      return `${path} was changed meanwhile, so nothing was written. Bring the changes again.`;
  }
  const done: { path: string; file: TextFile; base: TextFile | undefined }[] = [];
  for (const { path, base, text } of texts) {
    const outcome = await files.writeText({ path, base, text, approved: false, session });
    if (outcome.outcome === 'written') {
      done.push({ path, file: outcome.file, base });
      continue;
    }
    const why = outcome.outcome === 'refused' ? outcome.message : `${path} was changed meanwhile.`;
    const left: string[] = [];
    for (const { path: before, file, base: was } of done) {
      const back = was && (await files.writeText({ path: before, base: file, text: was.text, approved: true }));
      if (back?.outcome !== 'written') left.push(before);
    }
    return left.length === 0
      ? `${why} Nothing was brought.`
      : `${why} What had been written before is as it was, except ${left.join(', ')}.`;
  }
  return undefined;
}
