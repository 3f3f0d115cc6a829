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
  /** The chat names those that wait: no message of the window asks about them by itself. */
  told?: boolean;
  /** `reviewed`: the user has the page with all of them before them. */
  ask?: (hooks: HookQuestion, reviewed: boolean) => Promise<ConsentAnswer>;
}

export interface HookGate extends vscode.Disposable {
  /** Hooks of plugins that the user has agreed to: the same list as long as nothing changes. Each is looked at again before it runs. */
  addSource(entries: () => readonly HookEntry[], refuses: PluginCheck): void;
  judged(): JudgedHooks;
  /** The user has allowed some. */
  readonly onDidAllow: vscode.Event<void>;
  /** Right before something runs that is not a hook but is agreed to like one: why it may not run, as a sentence. Asks in parallel. */
  refuses(entry: HookEntry, cwd: string): Promise<string | undefined>;
  /** What agents' and skills' files of the project contain now, for the page and its questions. */
  setImported(list: () => Promise<readonly HookEntry[]>): void;
  readonly commands: Record<string, () => unknown>;
}

const scheme = 'deft-hooks';
const page = vscode.Uri.from({ scheme, path: '/Hooks.md' });

export function createHookGate(options: HookGateOptions): HookGate {
  return new Gate(options);
}

class Gate implements HookGate {
  readonly #rules: HookGateOptions['rules'];
  readonly #consent: HookGateOptions['consent'];
  readonly #trusted;
  readonly #ask;
  readonly #told;
  readonly #allowed = new vscode.EventEmitter<void>();
  readonly onDidAllow = this.#allowed.event;
  /** What was asked about in this window. */
  readonly #asked = new Set<string>();
  readonly #pageChanged = new vscode.EventEmitter<vscode.Uri>();
  #known: { settings: HookSettings; more: readonly HookEntry[]; trusted: boolean; judged: JudgedHooks } | undefined;
  #more = (): readonly HookEntry[] => none;
  #refusesPlugin: PluginCheck = async () => undefined;
  /** By the file that contains them, as they were last seen. */
  readonly #seen = new Map<string, ProjectHooks>();
  #listImported: () => Promise<readonly HookEntry[]> = async () => [];
  readonly #check;
  readonly #subscriptions;
  readonly commands = {
    'deft.showHooks': async () => {
      await this.#rules.load();
      this.#pageChanged.fire(page);
      await showPage();
      void this.#askWaiting(true);
    },
  };

  constructor(options: HookGateOptions) {
    const { rules, consent, trusted = () => vscode.workspace.isTrusted, ask = askUser, told = false } = options;
    this.#told = told;
    this.#rules = rules;
    this.#consent = consent;
    this.#trusted = trusted;
    this.#ask = ask;
    this.#check = createScriptCheck(consent, () => workspaceFolders().map(({ path }) => path));
    this.#subscriptions = [
      this.#pageChanged,
      this.#allowed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#pageChanged.event,
        provideTextDocumentContent: () => this.#describe(),
      }),
      rules.onDidChange(() => {
        this.#pageChanged.fire(page);
        void this.#askWaiting(false);
      }),
    ];
  }

  readonly judged = (): JudgedHooks => {
    const now = { settings: this.#rules.hooks(), more: this.#more(), trusted: this.#trusted() };
    if (
      this.#known?.settings !== now.settings ||
      this.#known.more !== now.more ||
      this.#known.trusted !== now.trusted
    ) {
      const settings = { ...now.settings, entries: [...now.settings.entries, ...now.more] };
      this.#known = {
        ...now,
        judged: {
          ...judgeHooks(settings, { trusted: now.trusted, consent: this.#consent }),
          refuses: (entry, cwd) => this.#refuses(entry, cwd),
          wanted: (entries) => this.#wanted(entries),
        },
      };
    }
    return this.#known.judged;
  };

  setImported(list: () => Promise<readonly HookEntry[]>): void {
    this.#listImported = list;
  }

  refuses(entry: HookEntry, cwd: string): Promise<string | undefined> {
    for (const hooks of projectsOf([entry])) this.#seen.set(hooks.project, hooks);
    return this.#refuses(entry, cwd);
  }

  addSource(entries: () => readonly HookEntry[], check: PluginCheck): void {
    [this.#more, this.#refusesPlugin] = [entries, check];
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => subscription.dispose());
  }

  async #refuses(entry: HookEntry, cwd: string): Promise<string | undefined> {
    if (entry.plugin !== undefined) return this.#refusesPlugin(entry.plugin);
    const refused = await this.#check.refuses(entry, cwd);
    if (refused?.changed !== true) return refused?.message;
    const project = [...projectsOf(this.#rules.hooks().entries), ...this.#seen.values()].find(
      (one) => one.project === agreedWith(entry),
    );
    if (project !== undefined) void this.#question(project).then((hooks) => this.#askOnce(hooks, false));
    return refused.message;
  }

  #wanted(entries: readonly HookEntry[]): void {
    for (const hooks of projectsOf(entries)) {
      this.#seen.set(hooks.project, hooks);
      const [one] = judgeHooks(
        { ...this.#rules.hooks(), entries: hooks.entries },
        { trusted: this.#trusted(), consent: this.#consent },
      ).all;
      if (one?.state === 'waiting') void this.#question(hooks).then((asking) => this.#askOnce(asking, false));
    }
  }

  async #question(hooks: ProjectHooks): Promise<HookQuestion> {
    const scripts = await this.#check.scriptsOf(hooks.entries);
    return {
      ...hooks,
      scripts,
      changed: this.#consent.isApproved(hooks.project, hooks.text)
        ? changedSince(this.#consent.scripts(hooks.project), scripts)
        : [],
    };
  }

  async #askOnce(hooks: HookQuestion, again: boolean): Promise<void> {
    const about = JSON.stringify([hooks.project, hooks.text, hooks.scripts]);
    if (this.#asked.has(about) && !again) return;
    this.#asked.add(about);
    let answer = await this.#ask(hooks, false);
    if (answer === 'review') {
      await showPage();
      answer = await this.#ask(hooks, true);
    }
    if (answer !== 'allow') return;
    // What lay there when the question was asked: what has changed since asks again.
    await this.#consent.approve(hooks.project, hooks.text, hooks.scripts);
    this.#known = undefined;
    this.#pageChanged.fire(page);
    this.#allowed.fire();
  }

  /** With those of agents and skills, where `all` is wanted: that reads their files. */
  async #judgedNow(all: boolean): Promise<{ judged: Pick<JudgedHooks, 'all' | 'waiting'>; projects: ProjectHooks[] }> {
    const settings = this.#rules.hooks();
    const entries = all ? [...settings.entries, ...(await this.#listImported())] : settings.entries;
    const projects = projectsOf(entries);
    for (const hooks of projects) if (hooks.entries[0]?.owner !== undefined) this.#seen.set(hooks.project, hooks);
    return {
      judged: all
        ? judgeHooks({ ...settings, entries }, { trusted: this.#trusted(), consent: this.#consent })
        : this.judged(),
      projects,
    };
  }

  async #askWaiting(again: boolean): Promise<void> {
    const { judged: now, projects } = await this.#judgedNow(again);
    const { all, waiting } = now;
    const active = new Set(
      all
        .filter(({ entry, state }) => state === 'active' && isProjectHook(entry))
        .map(({ entry }) => agreedWith(entry)),
    );
    const questions = await Promise.all(
      projects
        .filter((hooks) => active.has(hooks.project) || waiting.some(({ project }) => project === hooks.project))
        .map((hooks) => this.#question(hooks)),
    );
    const asksWaiting = again || !this.#told;
    for (const hooks of questions)
      if (hooks.changed.length > 0 || (asksWaiting && waiting.some(({ project }) => project === hooks.project)))
        void this.#askOnce(hooks, again);
  }

  async #describe(): Promise<string> {
    const { all, waiting } = (await this.#judgedNow(true)).judged;
    const described = await Promise.all(
      all.map(async ({ entry, state }) => {
        const scripts = isProjectHook(entry) && state !== 'untrusted' ? await this.#check.scriptsOf([entry]) : {};
        const changed =
          state === 'active' && changedSince(this.#consent.scripts(agreedWith(entry)), scripts).length > 0;
        return { entry, state: changed ? ('changed' as const) : state, scripts: Object.keys(scripts) };
      }),
    );
    return describeHooks({ all: described, waiting });
  }
}

const none: readonly HookEntry[] = [];

async function showPage(): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page), { preview: true });
}

async function askUser(question: HookQuestion, reviewed: boolean): Promise<ConsentAnswer> {
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
  return `${name} contains hooks that Deft would run automatically: ${shown}${more}${paths.length === 0 ? '' : ` (with what is in ${listed(paths)})`}`;
}
