// What the user has made of sessions in the lists: pinned ones stay on top, archived ones are put away, and groups have names of the user's own.
import type * as vscode from 'vscode';

export type SessionMark = 'pinned' | 'archived';

export interface SessionMarks {
  of(session: string): SessionMark | undefined;
  /** Undefined takes the mark away. */
  set(session: string, mark: SessionMark | undefined): Promise<void>;
  /** The name of the group that the user put the session into. */
  groupOf(session: string): string | undefined;
  /** Undefined takes the session out of its group. A group is there while a session is in it. */
  setGroup(session: string, name: string | undefined): Promise<void>;
  /** Of all groups, sorted. */
  groups(): string[];
  /** All sessions of the group get into the other one, or out of any. */
  renameGroup(name: string, to: string | undefined): Promise<void>;
}

const marksKey = 'deft.sessionMarks';
const groupsKey = 'deft.sessionGroups';

/** Of this workspace; those of sessions that are gone cost a line each. */
export function createSessionMarks(state: vscode.Memento, changed: () => void): SessionMarks {
  const marks = (): Readonly<Record<string, SessionMark>> => state.get(marksKey, {});
  const groups = (): Readonly<Record<string, string>> => state.get(groupsKey, {});
  const own = <Value>(all: Readonly<Record<string, Value>>, session: string): Value | undefined =>
    Object.hasOwn(all, session) ? all[session] : undefined;
  const put = async <Value>(key: string, all: Readonly<Record<string, Value>>, session: string, value?: Value) => {
    const { [session]: _, ...others } = all;
    await state.update(key, value === undefined ? others : { ...others, [session]: value });
    changed();
  };
  return {
    of: (session) => own(marks(), session),
    set: (session, mark) => put(marksKey, marks(), session, mark),
    groupOf: (session) => own(groups(), session),
    setGroup: (session, name) => put(groupsKey, groups(), session, name),
    groups: () => [...new Set(Object.values(groups()))].sort((a, b) => a.localeCompare(b)),
    async renameGroup(name, to) {
      const next = Object.entries(groups()).flatMap(([session, group]) => {
        if (group !== name) return [[session, group]];
        return to === undefined ? [] : [[session, to]];
      });
      await state.update(groupsKey, Object.fromEntries(next));
      changed();
    },
  };
}
