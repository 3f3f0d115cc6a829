// What the user has made of sessions in the lists: pinned ones stay on top, archived ones are put away.
import type * as vscode from 'vscode';

export type SessionMark = 'pinned' | 'archived';

export interface SessionMarks {
  of(session: string): SessionMark | undefined;
  /** Undefined takes the mark away. */
  set(session: string, mark: SessionMark | undefined): Promise<void>;
}

const key = 'deft.sessionMarks';

/** Of this workspace; those of sessions that are gone cost a line each. */
export function createSessionMarks(state: vscode.Memento, changed: () => void): SessionMarks {
  const all = (): Readonly<Record<string, SessionMark>> => state.get(key, {});
  return {
    of: (session) => (Object.hasOwn(all(), session) ? all()[session] : undefined),
    async set(session, mark) {
      const { [session]: _, ...others } = all();
      await state.update(key, mark === undefined ? others : { ...others, [session]: mark });
      changed();
    },
  };
}
