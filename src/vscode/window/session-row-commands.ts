// What the rows and the groups in the view of sessions can do: pin, archive, rename, and move into groups of the user's own.
import * as vscode from 'vscode';
import { type BoardRow } from './board-row';
import { type SessionMark, type SessionMarks } from './session-marks';

export interface RowActions {
  marks: SessionMarks;
  open(row: BoardRow): Promise<void>;
  rename(session: string, title: string): Promise<void>;
}

export function titleOf(row: BoardRow): string {
  return row.glance?.title || row.title || 'Untitled session';
}

/** Deft itself writes it, in this folder. */
export function isOwnSession({ elsewhere, source }: BoardRow): boolean {
  return elsewhere === undefined && source === undefined;
}

export function rowCommands({ marks, open, rename }: RowActions): Record<string, (row: BoardRow) => Promise<void>> {
  const mark = (how: SessionMark | undefined) => (row: BoardRow) => marks.set(row.id, how);
  return {
    'deft.openSession': open,
    'deft.pinSession': mark('pinned'),
    'deft.unpinSession': mark(undefined),
    'deft.archiveSession': mark('archived'),
    'deft.unarchiveSession': mark(undefined),
    'deft.renameSession': async (row) => {
      if (!isOwnSession(row)) return inform('a session of another folder or program is renamed where it was made.');
      const title = await vscode.window.showInputBox({
        title: `Rename “${titleOf(row)}”`,
        value: titleOf(row),
        ignoreFocusOut: true,
      });
      if (title !== undefined && title.trim() !== '') await rename(row.id, title);
    },
    'deft.groupSession': async (row) => {
      const picked = await pickGroup(marks, row);
      if (picked !== undefined) await marks.setGroup(row.id, picked === noGroup ? undefined : picked);
    },
  };
}

/** They get the group's name. */
export function groupCommands(marks: SessionMarks): Record<string, (name: string) => Promise<void>> {
  return {
    'deft.renameSessionGroup': async (name) => {
      const given = await askName(`Rename the group “${name}”`, name);
      if (given !== undefined) await marks.renameGroup(name, given);
    },
    'deft.removeSessionGroup': (name) => marks.renameGroup(name, undefined),
  };
}

/** No group has this name. */
const noGroup = '';

/** Undefined where the user picks nothing. */
async function pickGroup(marks: SessionMarks, row: BoardRow): Promise<string | undefined> {
  const title = `Move “${titleOf(row)}” to a group`;
  const present = marks.groupOf(row.id);
  const others = marks.groups().filter((name) => name !== present);
  if (others.length === 0 && present === undefined) return askName(title, '');
  const items: (vscode.QuickPickItem & { group: string | undefined })[] = [
    ...others.map((group) => ({ label: group, group })),
    { label: '$(add) New group…', group: undefined },
    ...(present === undefined ? [] : [{ label: `$(close) Out of “${present}”`, group: noGroup }]),
  ];
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'The group' });
  return picked === undefined ? undefined : (picked.group ?? askName(title, ''));
}

async function askName(title: string, value: string): Promise<string | undefined> {
  const name = (
    await vscode.window.showInputBox({ title, value, prompt: 'Name of the group', ignoreFocusOut: true })
  )?.trim();
  return name === '' ? undefined : name;
}

export function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
