// The view of all sessions, and the same list to pick from: groups by who needs the user first, each session with its state, branch, changes and cost.
import * as vscode from 'vscode';
import { glanceFacts, type SessionState, stateWords } from '../../shared/session-glance';
import { type BoardRow } from './board-row';
import { type SessionBoard } from './session-board';
import { groupNames, groupsOf, type RowGroup } from './session-groups';
import { type SessionMark, type SessionMarks } from './session-marks';

export const sessionsViewId = 'deft.sessions';

export interface SessionsViewOptions {
  board: Pick<SessionBoard, 'rows' | 'onDidChange' | 'lookAgain'>;
  iconOf(state: SessionState): { light: vscode.Uri; dark: vscode.Uri };
  marks: SessionMarks;
  open(row: BoardRow): Promise<void>;
  rename(session: string, title: string): Promise<void>;
}

/** `hidden`: how many rows of this group are not shown. */
type Node = { group: RowGroup } | { hidden: number; of: RowGroup['key'] } | BoardRow;

/** Of a group that grows for ever. */
const maxRows = 200;
const dayMs = 86_400_000;

export function createSessionsView(options: SessionsViewOptions): vscode.Disposable {
  const { board } = options;
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<Node>(sessionsViewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (node) => {
        if ('group' in node) return groupItem(node.group);
        return 'hidden' in node ? hiddenItem(node) : rowItem(node, options);
      },
      getChildren: async (node) => {
        if (node !== undefined) return 'group' in node ? nodesOf(node.group) : [];
        return groupsOf(await board.rows(), options.marks, Date.now(), maxRows).map((group) => ({ group }));
      },
    },
  });
  return vscode.Disposable.from(
    view,
    changed,
    board.onDidChange(() => {
      if (view.visible) changed.fire();
    }),
    view.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      void board.lookAgain();
      changed.fire();
    }),
    ...Object.entries(rowCommands(options)).map(([name, act]) =>
      vscode.commands.registerCommand(name, (pressed?: BoardRow) => {
        const row = pressed ?? view.selection.find(isRow);
        if (row !== undefined) return act(row);
        return inform('select a session in the list first.');
      }),
    ),
  );
}

function isRow(node: Node): node is BoardRow {
  return !('group' in node) && !('hidden' in node);
}

function nodesOf({ key, rows, hidden }: RowGroup): Node[] {
  return hidden === 0 ? rows : [...rows, { hidden, of: key }];
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}

/** A mouse and a menu tell the row that they were used on; a key means the selected one. */
function rowCommands({ marks, open, rename }: SessionsViewOptions): Record<string, (row: BoardRow) => Promise<void>> {
  const mark = (how: SessionMark | undefined) => (row: BoardRow) => marks.set(row.id, how);
  return {
    'deft.openSession': open,
    'deft.pinSession': mark('pinned'),
    'deft.unpinSession': mark(undefined),
    'deft.archiveSession': mark('archived'),
    'deft.unarchiveSession': mark(undefined),
    'deft.renameSession': async (row) => {
      if (row.elsewhere !== undefined)
        return inform('a session of another folder is renamed in the window of that folder.');
      const title = await vscode.window.showInputBox({ title: `Rename “${titleOf(row)}”`, value: titleOf(row) });
      if (title !== undefined && title.trim() !== '') await rename(row.id, title);
    },
  };
}

/** The session that the user picks from all that are in this folder; undefined for none. */
export async function pickSession(
  rows: readonly BoardRow[],
  { iconOf, marks }: Pick<SessionsViewOptions, 'iconOf' | 'marks'>,
  title: string,
): Promise<BoardRow | undefined> {
  const groups = groupsOf(rows, marks, Date.now()).filter(({ key }) => key !== 'archived');
  if (groups.length === 0) {
    inform('there are no sessions in this folder yet.');
    return undefined;
  }
  const items = groups.flatMap(({ key, rows }) => [
    { label: groupNames[key], kind: vscode.QuickPickItemKind.Separator },
    ...rows.map((row) => ({
      label: titleOf(row),
      description: [stateWords[row.state], factsOf(row)].filter((part) => part !== '').join(' · '),
      detail: row.glance?.line ?? '',
      iconPath: iconOf(row.state),
      row,
    })),
  ]);
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { row?: BoardRow }>(items, {
    title,
    placeHolder: 'Waiting ones first',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.row;
}

const shut: readonly RowGroup['key'][] = ['earlier', 'elsewhere', 'archived'];

function groupItem({ key }: RowGroup): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(groupNames[key], shut.includes(key) ? Collapsed : Expanded);
  item.id = groupNames[key];
  return item;
}

/** The history has all of this folder; it does not have those of others. */
function hiddenItem({ hidden, of }: { hidden: number; of: RowGroup['key'] }): vscode.TreeItem {
  const inHistory = of === 'earlier';
  const item = new vscode.TreeItem(`${hidden.toLocaleString('en')} more ${inHistory ? 'in the history' : 'not shown'}`);
  item.id = `more ${of}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  if (inHistory) item.command = { title: 'Show History', command: 'deft.history' };
  return item;
}

function rowItem(row: BoardRow, { iconOf, marks }: SessionsViewOptions): vscode.TreeItem {
  const item = new vscode.TreeItem(titleOf(row));
  const facts = factsOf(row);
  const line = row.glance?.line;
  item.id = row.id;
  // A session of another folder is not this window's to name.
  item.contextValue = `${row.elsewhere === undefined ? 'session' : 'elsewhere'}-${marks.of(row.id) ?? 'plain'}`;
  item.iconPath = iconOf(row.state);
  item.description = row.state === 'waiting' && line !== undefined ? line : facts;
  item.tooltip = [titleOf(row), stateWords[row.state], facts, line ?? ''].filter((part) => part !== '').join('\n');
  item.accessibilityInformation = {
    label: [titleOf(row), stateWords[row.state], line ?? '', facts].filter((part) => part !== '').join(', '),
  };
  item.command = { title: 'Open Session', command: 'deft.openSession', arguments: [row] };
  return item;
}

function titleOf(row: BoardRow): string {
  return row.glance?.title || row.title || 'Untitled session';
}

function factsOf({ glance, updatedAt, elsewhere }: BoardRow): string {
  const date = new Date(updatedAt);
  const when =
    Date.now() - updatedAt < dayMs
      ? date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
      : date.toLocaleDateString([], { month: 'short', day: 'numeric' });
  const folder = elsewhere?.folder.slice(elsewhere.folder.lastIndexOf('/') + 1) ?? '';
  return [folder, glance === undefined ? '' : glanceFacts(glance), when].filter((part) => part !== '').join(' · ');
}
