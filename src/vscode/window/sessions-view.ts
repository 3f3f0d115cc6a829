// The view of all sessions, and the same list to pick from: groups by who needs the user first, each session with its state, branch, changes and cost.
import * as vscode from 'vscode';
import { glanceFacts, type SessionState, stateWords } from '../../shared/session-glance';
import { sourceNames } from '../../core/external-sessions/external-session';
import { type BoardRow } from './board-row';
import { type SessionBoard } from './session-board';
import { groupsOf, type RowGroup } from './session-groups';
import { type SessionMarks } from './session-marks';
import { groupCommands, inform, isOwnSession, rowCommands, titleOf } from './session-row-commands';

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
      vscode.commands.registerCommand(name, (pressed?: Node) => {
        const row = [pressed, ...view.selection].find((node) => node !== undefined && isRow(node));
        if (row !== undefined) return act(row);
        return inform('select a session in the list first.');
      }),
    ),
    ...Object.entries(groupCommands(options.marks)).map(([name, act]) =>
      vscode.commands.registerCommand(name, (pressed?: Node) => {
        const node = pressed ?? view.selection[0];
        if (node !== undefined && 'group' in node && node.group.key === 'own') return act(node.group.name);
        return inform('select a group of your own in the list first.');
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
  const items = groups.flatMap(({ name, rows }) => [
    { label: name, kind: vscode.QuickPickItemKind.Separator },
    ...rows.map((row) => ({
      label: titleOf(row),
      description: joined([whatIs(row), factsOf(row)]),
      detail: row.glance?.line ?? '',
      iconPath: row.source === undefined ? iconOf(row.state) : lookedAt,
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

const shut: readonly RowGroup['key'][] = ['earlier', 'claude-code', 'codex', 'elsewhere', 'archived'];
/** Nothing happens there that an icon could show. */
const lookedAt = new vscode.ThemeIcon('eye');

function groupItem({ key, name }: RowGroup): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name, shut.includes(key) ? Collapsed : Expanded);
  item.id = `${key} ${name}`;
  item.contextValue = key === 'own' ? 'group-own' : 'group';
  return item;
}

/** The history has all of this folder, and of other programs; it does not have those of other folders. */
function hiddenItem({ hidden, of }: { hidden: number; of: RowGroup['key'] }): vscode.TreeItem {
  const inHistory = of !== 'elsewhere';
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
  // A session of another folder or program is not this window's to name.
  item.contextValue = `${isOwnSession(row) ? 'session' : 'elsewhere'}-${marks.of(row.id) ?? 'plain'}`;
  item.iconPath = row.source === undefined ? iconOf(row.state) : lookedAt;
  item.description = row.state === 'waiting' && line !== undefined ? line : joined([facts, line ?? '']);
  item.tooltip = [titleOf(row), whatIs(row), facts, line ?? ''].filter((part) => part !== '').join('\n');
  item.accessibilityInformation = {
    label: [titleOf(row), whatIs(row), line ?? '', facts].filter((part) => part !== '').join(', '),
  };
  item.command = { title: 'Open Session', command: 'deft.openSession', arguments: [row] };
  return item;
}

function whatIs({ source, state }: BoardRow): string {
  return source === undefined ? stateWords[state] : `session of ${sourceNames[source]}, read-only`;
}

function factsOf({ glance, updatedAt, elsewhere }: BoardRow): string {
  const date = new Date(updatedAt);
  const when =
    Date.now() - updatedAt < dayMs
      ? date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
      : date.toLocaleDateString([], { month: 'short', day: 'numeric' });
  const folder = elsewhere?.folder.slice(elsewhere.folder.lastIndexOf('/') + 1) ?? '';
  return joined([folder, glance === undefined ? '' : glanceFacts(glance), when]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
