// The hooks that may run in this window; asks once about those of a project, and again when they have changed.
import * as vscode from 'vscode';
import { describeHooks } from '../../core/hooks/describe-hooks';
import { handlerText } from '../../core/hooks/hook-entry';
import { visible } from '../../core/settings/grant-text';
import { shortened } from '../../shared/cut-text';
import { type HookConsent, type HookSettings, judgeHooks, type JudgedHooks, type ProjectHooks } from '../../core/hooks/hook-settings';

export type ConsentAnswer = 'allow' | 'review' | 'later';

export interface HookGateOptions {
  rules: { load(): Promise<void>; hooks(): HookSettings; readonly onDidChange: vscode.Event<void> };
  consent: HookConsent;
  trusted?: () => boolean;
  /** `reviewed`: the person has the page with all of them before them. */
  ask?: (hooks: ProjectHooks, reviewed: boolean) => Promise<ConsentAnswer>;
}

export interface HookGate extends vscode.Disposable {
  judged(): JudgedHooks;
  readonly commands: Record<string, () => unknown>;
}

const scheme = 'deft-hooks';
const page = vscode.Uri.from({ scheme, path: '/Hooks.md' });

export function createHookGate({ rules, consent, trusted = () => vscode.workspace.isTrusted, ask = askPerson }: HookGateOptions): HookGate {
  /** Texts that were asked about in this window. */
  const asked = new Set<string>();
  const pageChanged = new vscode.EventEmitter<vscode.Uri>();
  let known: { settings: HookSettings; trusted: boolean; judged: JudgedHooks } | undefined;

  const judged = (): JudgedHooks => {
    const now = { settings: rules.hooks(), trusted: trusted() };
    if (known?.settings !== now.settings || known.trusted !== now.trusted) known = { ...now, judged: judgeHooks(now.settings, { trusted: now.trusted, consent }) };
    return known.judged;
  };
  const settle = async (hooks: ProjectHooks): Promise<void> => {
    asked.add(`${hooks.project}\0${hooks.text}`);
    let answer = await ask(hooks, false);
    if (answer === 'review') {
      await showPage();
      answer = await ask(hooks, true);
    }
    if (answer !== 'allow') return;
    await consent.approve(hooks.project, hooks.text);
    known = undefined;
    pageChanged.fire(page);
  };
  const askWaiting = (again: boolean): void => {
    for (const hooks of judged().waiting) if (again || !asked.has(`${hooks.project}\0${hooks.text}`)) void settle(hooks);
  };
  const subscriptions = [
    pageChanged,
    vscode.workspace.registerTextDocumentContentProvider(scheme, { onDidChange: pageChanged.event, provideTextDocumentContent: () => describeHooks(judged()) }),
    rules.onDidChange(() => {
      pageChanged.fire(page);
      askWaiting(false);
    }),
  ];
  return {
    judged,
    commands: {
      'deft.showHooks': async () => {
        await rules.load();
        pageChanged.fire(page);
        await showPage();
        askWaiting(true);
      },
    },
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}

async function showPage(): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page), { preview: true });
}

async function askPerson({ project, entries }: ProjectHooks, reviewed: boolean): Promise<ConsentAnswer> {
  const commands = entries.map(({ event, handler }) => visible(`${event}: ${handlerText(handler)}`));
  // What is not all there to read is not agreed to by one click: the page shows it whole.
  const isWhole = reviewed || (commands.length <= 4 && commands.every(({ length }) => length <= 160) && entries.every(({ handler }) => handler.type === 'command'));
  const shown = commands.slice(0, 4).map((command) => shortened(command, 160)).join(' · ');
  const more = commands.length > 4 ? ` · and ${commands.length - 4} more` : '';
  const text = `${project.slice(project.lastIndexOf('/') + 1)} brings hooks that Deft would run by itself: ${shown}${more}`;
  const choices: Record<string, ConsentAnswer> = { Review: 'review', ...(isWhole ? { 'Allow These Hooks': 'allow' } : {}), 'Not Now': 'later' };
  const chosen = await vscode.window.showWarningMessage(text, ...Object.keys(choices));
  return (chosen === undefined ? undefined : choices[chosen]) ?? 'later';
}
