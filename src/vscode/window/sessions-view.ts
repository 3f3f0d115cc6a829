// The view of all sessions, and the same list to pick from: groups by who needs the user first, each session with its state, branch, changes and cost.
import * as vscode from 'vscode';
import { glanceFacts, type SessionState, stateWords } from '../../shared/session-glance';
import { type BoardRow } from './board-row';
import { type SessionBoard } from './session-board';
import { type SessionMark, type SessionMarks } from './session-marks';

export const sessionsViewId = 'deft.sessions';

export interface SessionsViewOptions {
  board: Pick<SessionBoard, 'rows' | 'onDidChange' | 'lookAgain'>;
  iconOf(state: SessionState): { light: vscode.Uri; dark: vscode.Uri };
  marks: SessionMarks;
  open(row: BoardRow): Promise<void>;
  rename(session: string, title: string): Promise<void>;
}

type Node = { group: string; rows: BoardRow[] } | BoardRow;

/** More of them are in the history. */
const maxRows = 200;
const dayMs = 86_400_000;

export function createSessionsView(options: SessionsViewOptions): vscode.Disposable {
  const { board } = options;
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<Node>(sessionsViewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (node) => ('group' in node ? groupItem(node.group) : rowItem(node, options)),
      getChildren: async (node) => {
        if (node !== undefined) return 'group' in node ? node.rows : [];
        const groups = groupsOf((await board.rows()).slice(0, maxRows), options.marks, Date.now());
        return groups.map(([group, rows]) => ({ group, rows }));
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
      vscode.commands.registerCommand(name, (row?: BoardRow) => (row === undefined ? undefined : act(row))),
    ),
  );
}

/** They are pressed on a row, which they get. */
function rowCommands({ marks, open, rename }: SessionsViewOptions): Record<string, (row: BoardRow) => Promise<void>> {
  const mark = (how: SessionMark | undefined) => (row: BoardRow) => marks.set(row.id, how);
  return {
    'deft.openSession': open,
    'deft.pinSession': mark('pinned'),
    'deft.unpinSession': mark(undefined),
    'deft.archiveSession': mark('archived'),
    'deft.unarchiveSession': mark(undefined),
    'deft.renameSession': async (row) => {
      const title = await vscode.window.showInputBox({ title: 'Rename session', value: titleOf(row) });
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
  const groups = groupsOf(rows, marks, Date.now()).filter(([name]) => name !== groupNames.archived);
  if (groups.length === 0) {
    void vscode.window.showInformationMessage('Deft: there are no sessions in this folder yet.');
    return undefined;
  }
  const items = groups.flatMap(([group, rows]) => [
    { label: group, kind: vscode.QuickPickItemKind.Separator },
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

const groupNames = {
  waiting: 'Waiting for you',
  working: 'Working',
  pinned: 'Pinned',
  today: 'Today',
  earlier: 'Earlier',
  elsewhere: 'Other folders of this repository',
  archived: 'Archived',
} as const;

const shut: readonly string[] = [groupNames.earlier, groupNames.elsewhere, groupNames.archived];

/** In the order of the names. */
function groupsOf(rows: readonly BoardRow[], marks: SessionMarks, now: number): [name: string, rows: BoardRow[]][] {
  const groups = new Map<string, BoardRow[]>(Object.values(groupNames).map((name) => [name, []]));
  for (const row of rows) groups.get(groupNames[groupOf(row, marks, now)])?.push(row);
  return [...groups].filter(([, own]) => own.length > 0);
}

function groupOf(
  { id, state, updatedAt, elsewhere }: BoardRow,
  marks: SessionMarks,
  now: number,
): keyof typeof groupNames {
  if (state === 'waiting' || state === 'working') return state;
  const mark = marks.of(id);
  if (mark !== undefined) return mark;
  if (elsewhere !== undefined) return 'elsewhere';
  return new Date(updatedAt).toDateString() === new Date(now).toDateString() ? 'today' : 'earlier';
}

function groupItem(group: string): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(group, shut.includes(group) ? Collapsed : Expanded);
  item.id = group;
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
