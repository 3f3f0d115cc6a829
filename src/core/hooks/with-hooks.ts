// The hooks of a session with those that its skills bring: the same list as long as neither changes.
import { type HookEntry } from './hook-entry';

export function withHooks<Judged extends { active: readonly HookEntry[] }>(hooks: (() => Judged) | undefined, more: () => readonly HookEntry[]): () => Judged | { active: readonly HookEntry[] } {
  let before: { own: readonly HookEntry[]; added: readonly HookEntry[]; active: readonly HookEntry[] } | undefined;
  return () => {
    const judged = hooks?.() ?? { active: noEntries };
    const added = more();
    if (added.length === 0) return judged;
    if (before?.own !== judged.active || before.added !== added) before = { own: judged.active, added, active: [...judged.active, ...added] };
    return { ...judged, active: before.active };
  };
}

const noEntries: readonly HookEntry[] = [];
