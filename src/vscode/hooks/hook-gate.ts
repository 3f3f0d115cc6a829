// The hooks that may run in this window; asks once about those of a project, and again when they or their scripts have changed.
import * as vscode from 'vscode';
import { describeHooks } from '../../core/hooks/describe-hooks';
import { agreedWith, handlerText, type HookEntry, isProjectHook } from '../../core/hooks/hook-entry';
import {
  type HookConsent,
  type HookQuestion,
  type HookSettings,
  judgeHooks,
  type JudgedHooks,
  type ProjectHooks,
  projectsOf,
} from '../../core/hooks/hook-settings';
import { type PluginCheck } from '../../core/ports/plugin-identity';
import { visible } from '../../core/settings/grant-text';
import { shortened } from '../../shared/cut-text';
import { workspaceFolders } from '../host/workspace-facts';
import { changedSince, createScriptCheck } from './script-check';

export type ConsentAnswer = 'allow' | 'review' | 'later';

export interface HookGateOptions {
  rules: { load(): Promise<void>; hooks(): HookSettings; readonly onDidChange: vscode.Event<void> };
  consent: HookConsent;
  trusted?: () => boolean;
  /** `reviewed`: the person has the page with all of them before them. */
  ask?: (hooks: HookQuestion, reviewed: boolean) => Promise<ConsentAnswer>;
}

export interface HookGate extends vscode.Disposable {
  /** Hooks of plugins that the person has agreed to: the same list as long as nothing changes. Each is looked at again before it runs. */
  addSource(entries: () => readonly HookEntry[], refuses: PluginCheck): void;
  judged(): JudgedHooks;
  /** Right before something runs that is no hook but is agreed to like one: the sentence that keeps it from running. Asks beside it. */
  refuses(entry: HookEntry, cwd: string): Promise<string | undefined>;
  /** What agents' and skills' files of the project bring now, for the page and its questions. */
  brings(list: () => Promise<readonly HookEntry[]>): void;
  readonly commands: Record<string, () => unknown>;
}

const scheme = 'deft-hooks';
const page = vscode.Uri.from({ scheme, path: '/Hooks.md' });

export function createHookGate({
  rules,
  consent,
  trusted = () => vscode.workspace.isTrusted,
  ask = askPerson,
}: HookGateOptions): HookGate {
  /** What was asked about in this window. */
  const asked = new Set<string>();
  const pageChanged = new vscode.EventEmitter<vscode.Uri>();
  let known: { settings: HookSettings; more: readonly HookEntry[]; trusted: boolean; judged: JudgedHooks } | undefined;
  let more = (): readonly HookEntry[] => none;
  let refusesPlugin: PluginCheck = async () => undefined;

  /** By the file that brings them, as they were last seen. */
  const brought = new Map<string, ProjectHooks>();
  let listBrought: () => Promise<readonly HookEntry[]> = async () => [];

  const judged = (): JudgedHooks => {
    const now = { settings: rules.hooks(), more: more(), trusted: trusted() };
    if (known?.settings !== now.settings || known.more !== now.more || known.trusted !== now.trusted) {
      const settings = { ...now.settings, entries: [...now.settings.entries, ...now.more] };
      known = { ...now, judged: { ...judgeHooks(settings, { trusted: now.trusted, consent }), refuses, wanted } };
    }
    return known.judged;
  };
  const check = createScriptCheck(consent, () => workspaceFolders().map(({ path }) => path));
  const { scriptsOf } = check;
  const refuses = async (entry: HookEntry, cwd: string): Promise<string | undefined> => {
    if (entry.plugin !== undefined) return refusesPlugin(entry.plugin);
    const refused = await check.refuses(entry, cwd);
    if (refused?.changed !== true) return refused?.message;
    const project = [...projectsOf(rules.hooks().entries), ...brought.values()].find(
      (one) => one.project === agreedWith(entry),
    );
    if (project !== undefined) void question(project).then((hooks) => askOnce(hooks, false));
    return refused.message;
  };
  const wanted = (entries: readonly HookEntry[]): void => {
    for (const hooks of projectsOf(entries)) {
      brought.set(hooks.project, hooks);
      const [one] = judgeHooks({ ...rules.hooks(), entries: hooks.entries }, { trusted: trusted(), consent }).all;
      if (one?.state === 'waiting') void question(hooks).then((asking) => askOnce(asking, false));
    }
  };
  const question = async (hooks: ProjectHooks): Promise<HookQuestion> => {
    const scripts = await scriptsOf(hooks.entries);
    return {
      ...hooks,
      scripts,
      changed: consent.isApproved(hooks.project, hooks.text)
        ? changedSince(consent.scripts(hooks.project), scripts)
        : [],
    };
  };
  const askOnce = async (hooks: HookQuestion, again: boolean): Promise<void> => {
    const about = JSON.stringify([hooks.project, hooks.text, hooks.scripts]);
    if (asked.has(about) && !again) return;
    asked.add(about);
    let answer = await ask(hooks, false);
    if (answer === 'review') {
      await showPage();
      answer = await ask(hooks, true);
    }
    if (answer !== 'allow') return;
    // What lay there when the question was asked: what has changed since asks again.
    await consent.approve(hooks.project, hooks.text, hooks.scripts);
    known = undefined;
    pageChanged.fire(page);
  };
  /** With those that agents and skills bring, where `all` is wanted: that reads their files. */
  const judgedNow = async (
    all: boolean,
  ): Promise<{ judged: Pick<JudgedHooks, 'all' | 'waiting'>; projects: ProjectHooks[] }> => {
    const settings = rules.hooks();
    const entries = all ? [...settings.entries, ...(await listBrought())] : settings.entries;
    const projects = projectsOf(entries);
    for (const hooks of projects) if (hooks.entries[0]?.owner !== undefined) brought.set(hooks.project, hooks);
    return { judged: all ? judgeHooks({ ...settings, entries }, { trusted: trusted(), consent }) : judged(), projects };
  };
  const askWaiting = async (again: boolean): Promise<void> => {
    const { judged: now, projects } = await judgedNow(again);
    const { all, waiting } = now;
    const active = new Set(
      all
        .filter(({ entry, state }) => state === 'active' && isProjectHook(entry))
        .map(({ entry }) => agreedWith(entry)),
    );
    const questions = await Promise.all(
      projects
        .filter((hooks) => active.has(hooks.project) || waiting.some(({ project }) => project === hooks.project))
        .map(question),
    );
    for (const hooks of questions)
      if (hooks.changed.length > 0 || waiting.some(({ project }) => project === hooks.project))
        void askOnce(hooks, again);
  };
  const describe = async (): Promise<string> => {
    const { all, waiting } = (await judgedNow(true)).judged;
    const described = await Promise.all(
      all.map(async ({ entry, state }) => {
        const scripts = isProjectHook(entry) && state !== 'untrusted' ? await scriptsOf([entry]) : {};
        const changed = state === 'active' && changedSince(consent.scripts(agreedWith(entry)), scripts).length > 0;
        return { entry, state: changed ? ('changed' as const) : state, scripts: Object.keys(scripts) };
      }),
    );
    return describeHooks({ all: described, waiting });
  };
  const subscriptions = [
    pageChanged,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: pageChanged.event,
      provideTextDocumentContent: describe,
    }),
    rules.onDidChange(() => {
      pageChanged.fire(page);
      void askWaiting(false);
    }),
  ];
  return {
    judged,
    brings: (list) => void (listBrought = list),
    refuses: (entry, cwd) => {
      for (const hooks of projectsOf([entry])) brought.set(hooks.project, hooks);
      return refuses(entry, cwd);
    },
    addSource: (entries, check) => void ([more, refusesPlugin] = [entries, check]),
    commands: {
      'deft.showHooks': async () => {
        await rules.load();
        pageChanged.fire(page);
        await showPage();
        void askWaiting(true);
      },
    },
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}

const none: readonly HookEntry[] = [];

async function showPage(): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page), { preview: true });
}

async function askPerson(question: HookQuestion, reviewed: boolean): Promise<ConsentAnswer> {
  const { entries } = question;
  const commands = entries.map(({ event, label, handler }) => visible(`${label ?? event}: ${handlerText(handler)}`));
  // What is not all there to read is not agreed to by one click: the page shows it whole.
  const isWhole =
    reviewed ||
    (commands.length <= 4 &&
      commands.every(({ length }) => length <= 160) &&
      entries.every(({ handler }) => handler.type === 'command'));
  const choices: Record<string, ConsentAnswer> = {
    Review: 'review',
    ...(isWhole ? { 'Allow These Hooks': 'allow' } : {}),
    'Not Now': 'later',
  };
  const chosen = await vscode.window.showWarningMessage(consentText(question, commands), ...Object.keys(choices));
  return (chosen === undefined ? undefined : choices[chosen]) ?? 'later';
}

export function consentText({ project, entries, scripts, changed }: HookQuestion, commands: readonly string[]): string {
  const root = entries[0]?.root ?? project;
  const folder = root.slice(root.lastIndexOf('/') + 1);
  const name = root === project ? folder : `${visible(project.slice(root.length + 1))} of ${folder}`;
  const listed = (paths: readonly string[]): string => {
    const names = paths.map((path) => visible(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
    return `${names
      .slice(0, 4)
      .map((path) => shortened(path, 100))
      .join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;
  };
  const shown = commands
    .slice(0, 4)
    .map((command) => shortened(command, 160))
    .join(' · ');
  const more = commands.length > 4 ? ` · and ${commands.length - 4} more` : '';
  if (changed.length > 0)
    return `${name}: ${listed(changed)} changed since you allowed the hooks that run it: ${shown}${more}`;
  const paths = Object.keys(scripts);
  return `${name} brings hooks that Deft would run by itself: ${shown}${more}${paths.length === 0 ? '' : ` (with what is in ${listed(paths)})`}`;
}
