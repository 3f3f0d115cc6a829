// "Show Background Work": what runs in the background of all sessions, each with its Stop; a choice opens its session.
import * as vscode from 'vscode';
import { uriOf } from '../host/uri-path';
import { type SessionWork } from './session-work';

export interface SessionWorkServices {
  work(): Promise<SessionWork[]>;
  /** Fires when something ends or begins. */
  onDidChange(listener: () => void): vscode.Disposable;
  stop(work: SessionWork): Promise<void>;
  openSession(session: string): Promise<void>;
}

interface Item extends vscode.QuickPickItem {
  work?: SessionWork;
}

const icons = { command: 'terminal', agent: 'hubot', teammate: 'organization' };
const stopButton = { iconPath: new vscode.ThemeIcon('debug-stop'), tooltip: 'Stop' };
const files = { command: 'output', agent: 'transcript', teammate: 'transcript' };

export async function showSessionWork(services: SessionWorkServices): Promise<void> {
  const first = await services.work();
  if (first.length === 0) {
    void vscode.window.showInformationMessage('Deft: nothing runs in the background of any session.');
    return;
  }
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = 'Background work of all sessions';
  pick.placeholder = 'Choose one to open its session';
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const show = (all: readonly SessionWork[]): void => {
    if (all.length === 0) pick.hide();
    else pick.items = itemsOf(all);
  };
  const subscriptions = [
    pick,
    services.onDidChange(() => void services.work().then(show, () => undefined)),
    pick.onDidTriggerItemButton(({ item: { work }, button }) => {
      if (work === undefined) return;
      if (button === stopButton) void services.stop(work).then(() => services.work().then(show, () => undefined));
      else if (work.item.output !== undefined)
        void vscode.commands.executeCommand('vscode.open', uriOf(work.item.output));
    }),
    pick.onDidAccept(() => {
      const work = pick.selectedItems[0]?.work;
      pick.hide();
      if (work !== undefined && work.session !== '') void services.openSession(work.session);
    }),
  ];
  pick.onDidHide(() => subscriptions.forEach((subscription) => void subscription.dispose()));
  show(first);
  pick.show();
}

function itemsOf(all: readonly SessionWork[]): Item[] {
  const sessions = new Map<string, SessionWork[]>();
  for (const work of all) sessions.set(work.session, [...(sessions.get(work.session) ?? []), work]);
  return [...sessions.values()].flatMap((own) => [
    { label: own[0]?.title ?? '', kind: vscode.QuickPickItemKind.Separator },
    ...own.map((work): Item => {
      const { kind, title, now, idle, startedAt, output } = work.item;
      const openButton = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: `Open the ${files[kind]}` };
      const doing = idle === true ? 'waits for messages' : now;
      return {
        label: `$(${icons[kind]}) ${title}`,
        description: [`since ${new Date(startedAt).toLocaleTimeString()}`, doing ?? '']
          .filter((part) => part !== '')
          .join(', '),
        buttons: [...(output === undefined ? [] : [openButton]), stopButton],
        work,
      };
    }),
  ]);
}
