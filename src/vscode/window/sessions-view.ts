// The view of all sessions, and the same list to pick from: groups by who needs the user first, each session with its state, branch, changes and cost.
import * as vscode from 'vscode';
import { glanceFacts, type SessionState, stateWords } from '../../shared/session-glance';
import { type BoardRow, type SessionBoard } from './session-board';

export const sessionsViewId = 'deft.sessions';

export interface SessionsViewOptions {
  board: Pick<SessionBoard, 'rows' | 'onDidChange' | 'lookAgain'>;
  iconOf(state: SessionState): { light: vscode.Uri; dark: vscode.Uri };
  open(session: string): Promise<void>;
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
        const groups = groupsOf((await board.rows()).slice(0, maxRows), Date.now());
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
    vscode.commands.registerCommand('deft.openSession', (row: unknown) => {
      const id = typeof row === 'string' ? row : (row as Partial<BoardRow> | undefined)?.id;
      return id === undefined ? undefined : options.open(id);
    }),
  );
}

/** The session that the user picks from all that are in this folder; undefined for none. */
export async function pickSession(
  board: Pick<SessionBoard, 'rows'>,
  iconOf: SessionsViewOptions['iconOf'],
  title: string,
): Promise<BoardRow | undefined> {
  const groups = groupsOf(await board.rows(), Date.now());
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

function groupsOf(rows: readonly BoardRow[], now: number): [name: string, rows: BoardRow[]][] {
  const groups = new Map<string, BoardRow[]>();
  for (const row of rows) {
    const name = groupOf(row, now);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups];
}

function groupOf({ state, updatedAt }: BoardRow, now: number): string {
  if (state === 'waiting') return 'Waiting for you';
  if (state === 'working') return 'Working';
  return new Date(updatedAt).toDateString() === new Date(now).toDateString() ? 'Today' : 'Earlier';
}

function groupItem(group: string): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(group, group === 'Earlier' ? Collapsed : Expanded);
  item.id = group;
  return item;
}

function rowItem(row: BoardRow, { iconOf }: SessionsViewOptions): vscode.TreeItem {
  const item = new vscode.TreeItem(titleOf(row));
  const facts = factsOf(row);
  const line = row.glance?.line;
  item.id = row.id;
  item.contextValue = 'session';
  item.iconPath = iconOf(row.state);
  item.description = row.state === 'waiting' && line !== undefined ? line : facts;
  item.tooltip = [titleOf(row), stateWords[row.state], facts, line ?? ''].filter((part) => part !== '').join('\n');
  item.accessibilityInformation = {
    label: [titleOf(row), stateWords[row.state], line ?? '', facts].filter((part) => part !== '').join(', '),
  };
  item.command = { title: 'Open Session', command: 'deft.openSession', arguments: [row.id] };
  return item;
}

function titleOf(row: BoardRow): string {
  return row.glance?.title || row.title || 'Untitled session';
}

function factsOf({ glance, updatedAt }: BoardRow): string {
  const date = new Date(updatedAt);
  const when =
    Date.now() - updatedAt < dayMs
      ? date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
      : date.toLocaleDateString([], { month: 'short', day: 'numeric' });
  return [glance === undefined ? '' : glanceFacts(glance), when].filter((part) => part !== '').join(' · ');
}
