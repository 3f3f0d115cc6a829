// What commands changed besides edits that were undone: since which prompt, and where. Pure.
import { type CheckpointEntry, type FileState } from '../ports/checkpoints';
import { type Path } from '../ports/path';
import { sameState } from './plan-rewind';

/** The last prompt before the first of the edits that made these files what they were before they were undone; `undone` has what they are now. */
export function promptBeforeEdits(
  entries: readonly CheckpointEntry[],
  undone: ReadonlyMap<Path, FileState>,
): string | undefined {
  let at = entries.length;
  for (const [path, now] of undone) {
    const isOf = (entry: CheckpointEntry): boolean => entry.type === 'before' && entry.path === path;
    const isBack = (entry: CheckpointEntry): boolean =>
      entry.type === 'before' && entry.path === path && sameState(entry.state, now);
    // The same text may have been undone before: the edits since the last time count.
    const index = entries.findLastIndex(isBack);
    const edited = index === -1 ? entries.findIndex(isOf) : index;
    if (edited !== -1) at = Math.min(at, edited);
  }
  const isPrompt = (entry: CheckpointEntry): boolean => entry.type === 'point' && entry.kind === 'prompt';
  const prompt = entries.slice(0, at).findLast(isPrompt) ?? entries.find(isPrompt);
  return prompt?.type === 'point' ? prompt.id : undefined;
}

/** What calls changed since that checkpoint that may change anything. */
export function changedByCommands(entries: readonly CheckpointEntry[], since: string): Set<Path> {
  const at = entries.findIndex((entry) => entry.type === 'point' && entry.id === since);
  const later = at === -1 ? [] : entries.slice(at);
  const commands = new Set(later.flatMap((entry) => (entry.type === 'began' ? [entry.by] : [])));
  return new Set(later.flatMap((entry) => (entry.type === 'before' && commands.has(entry.by) ? [entry.path] : [])));
}
