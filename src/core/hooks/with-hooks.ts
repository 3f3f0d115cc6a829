// The hooks of a session with those that its skills add: the same list as long as neither changes.
import { type HookEntry, isProjectHook } from './hook-entry';

interface Judged {
  active: readonly HookEntry[];
  off?: boolean;
  projectOff?: boolean;
}

export function withHooks<Own extends Judged>(
  hooks: (() => Own) | undefined,
  more: () => readonly HookEntry[],
): () => Own | Judged {
  let before: { own: Judged; extra: readonly HookEntry[]; active: readonly HookEntry[] } | undefined;
  return () => {
    const judged = hooks?.() ?? none;
    const extra = more();
    if (extra.length === 0) return judged;
    if (
      before?.own.active !== judged.active ||
      before.own.off !== judged.off ||
      before.own.projectOff !== judged.projectOff ||
      before.extra !== extra
    ) {
      // Switched off since a skill added them.
      const added = extra.filter(
        (entry) =>
          (judged.off !== true || entry.source === 'managedSettings') &&
          (judged.projectOff !== true || !isProjectHook(entry)),
      );
      before = { own: judged, extra, active: [...judged.active, ...added] };
    }
    return { ...judged, active: before.active };
  };
}

const none: Judged = { active: [] };
