// "Show Background Work": what runs in the background of all sessions, each with its Stop; a choice opens its session.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { uriOf } from '../host/uri-path';
import { type SessionWork } from './session-work';

export interface SessionWorkServices {
  work(): Promise<SessionWork[]>;
  /** Fires when something ends or begins. */
  onDidChange(listener: () => void): vscode.Disposable;
  /** False where it was not found any more. */
  stop(work: SessionWork): Promise<boolean>;
  openSession(session: string): Promise<void>;
  /** For the log. */
  failed(what: string, error: unknown): void;
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
    inform('nothing runs in the background of any session.');
    return;
  }
  const { failed } = services;
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = 'Background work of all sessions';
  pick.placeholder = 'Choose one to open its session';
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const show = (all: readonly SessionWork[]): void => {
    if (all.length === 0) pick.hide();
    else pick.items = itemsOf(all);
  };
  const showAgain = (): void =>
    void services
      .work()
      .then(show)
      .catch((error: unknown) => failed('Background work could not be listed.', error));
  const stop = async (work: SessionWork): Promise<void> => {
    if (!(await services.stop(work))) inform(`“${work.item.title}” was not found. It may have ended by itself.`);
    showAgain();
  };
  const subscriptions = [
    pick,
    services.onDidChange(showAgain),
    pick.onDidTriggerItemButton(({ item: { work }, button }) => {
      if (work === undefined) return;
      if (button === stopButton)
        stop(work).catch((error: unknown) => {
          failed('Background work could not be stopped.', error);
          inform(`“${work.item.title}” could not be stopped: ${messageOf(error)}`);
        });
      else if (work.item.output !== undefined)
        void vscode.commands.executeCommand('vscode.open', uriOf(work.item.output));
    }),
    pick.onDidAccept(() => {
      const work = pick.selectedItems[0]?.work;
      pick.hide();
      if (work === undefined) return;
      if (work.session === '') return inform('nobody knows any more which session this belongs to.');
      services.openSession(work.session).catch((error: unknown) => {
        failed('A session could not be opened.', error);
        inform(`“${work.title}” could not be opened: ${messageOf(error)}`);
      });
    }),
  ];
  pick.onDidHide(() => subscriptions.forEach((subscription) => void subscription.dispose()));
  show(first);
  pick.show();
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
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
