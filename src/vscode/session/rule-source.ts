// The permission rules of this window, from the settings files that people have; read again when one changes.
import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { loadSettings, type LoadedSettings } from '../../core/settings/load-settings';
import { maxSettingsBytes, type SettingsProblem, type SettingsText } from '../../core/settings/settings-file';
import { type PermissionContext } from '../../core/permissions/verdict';
import { canonicalToolName } from '../../core/permissions/rule-syntax';
import { isToolDenied } from '../../core/permissions/tool-rules';
import { type FileSystem } from '../../core/ports';
import { portPath } from '../../node/port-path';
import { type PermissionMode } from '../../shared/permission';
import { workspaceFolders } from './workspace-facts';

type RuleContext = Pick<PermissionContext, 'rules' | 'folders' | 'brokenSettings' | 'autoDisabled'>;

export interface RuleSource extends vscode.Disposable {
  /** Reads the files where that has not been done yet. */
  load(): Promise<void>;
  current(): RuleContext;
  /** The person's own default mode; a project's never counts. */
  defaultMode(): PermissionMode | undefined;
  removesTool(name: string): boolean;
  /** A rule that allows or asks names the tool: what is off by default is wanted then. */
  namesTool(name: string): boolean;
  /** What settings files set under `env`; a project's count only where it is trusted. */
  environment(): Readonly<Record<string, string>>;
  /** How long questions to the person wait; undefined where they wait for ever. */
  questionTimeoutMs(): number | undefined;
  /** A settings file forbids the mode that asks for nothing. */
  bypassDisabled(): boolean;
  problems(): SettingsProblem[];
  readonly onDidChange: vscode.Event<void>;
}

const personalSettingsIntervalMs = 1_000;

const empty: LoadedSettings = { rules: [], additionalDirectories: [], env: {}, bypassDisabled: false, problems: [], broken: [] };

export function createRuleSource(files: Pick<FileSystem, 'stat' | 'readText' | 'realPath'>): RuleSource {
  const changed = new vscode.EventEmitter<void>();
  let settings = empty;
  let folders: string[] = [];
  let loading: Promise<void> | undefined;
  let readings = 0;

  const read = async (): Promise<void> => {
    const reading = ++readings;
    const texts = await Promise.all(settingsFiles().map((place) => readPlace(place, files)));
    const loaded = loadSettings(
      texts.filter((text) => text !== undefined),
      // The project never chooses how much is asked: not in a window, where somebody can.
      { trusted: vscode.workspace.isTrusted, projectSetsMode: false },
    );
    const named = [...workspaceFolders().map(({ path }) => path), ...loaded.additionalDirectories];
    // As written and with links resolved: a path counts as inside only where both of its own forms are.
    const resolved = await Promise.all(named.map((path) => files.realPath(path)));
    // A reading that began later knows better.
    if (reading !== readings) return loading;
    settings = loaded;
    folders = [...new Set([...named, ...resolved])];
    changed.fire();
  };
  const load = (): Promise<void> => (loading ??= read());
  const reload = (): void => {
    loading = read();
  };

  const watchers = ['**/.claude/settings.json', '**/.claude/settings.local.json'].map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
  const subscriptions: vscode.Disposable[] = [
    ...watchers,
    ...watchers.flatMap((watcher) => [watcher.onDidChange(reload), watcher.onDidCreate(reload), watcher.onDidDelete(reload)]),
    vscode.workspace.onDidChangeWorkspaceFolders(reload),
    vscode.workspace.onDidGrantWorkspaceTrust(reload),
    watchPersonalSettings(reload),
  ];

  return {
    load,
    current: () => ({ rules: settings.rules, folders, brokenSettings: settings.broken }),
    defaultMode: () => settings.defaultMode,
    removesTool: (name) => isToolDenied(settings.rules, name),
    namesTool: (name) => settings.rules.some(({ behavior, value }) => behavior !== 'deny' && canonicalToolName(value.toolName) === name),
    environment: () => settings.env,
    questionTimeoutMs: () => settings.questionTimeoutMs,
    bypassDisabled: () => settings.bypassDisabled,
    problems: () => settings.problems,
    onDidChange: changed.event,
    dispose() {
      subscriptions.forEach((subscription) => subscription.dispose());
      changed.dispose();
    },
  };
}

type Place = Omit<SettingsText, 'text' | 'home'>;

function settingsFiles(): Place[] {
  const home = personalFolder();
  const project = workspaceFolders().flatMap(({ path }): Place[] => [
    { source: 'localSettings', file: `${path}/.claude/settings.local.json`, root: path },
    { source: 'projectSettings', file: `${path}/.claude/settings.json`, root: path },
  ]);
  return [...project, { source: 'userSettings', file: `${home}/settings.json`, root: home }];
}

/** By looking at it now and then: it lies outside the workspace, where VS Code's own watchers are of little use, and may not exist yet. */
function watchPersonalSettings(changed: () => void): vscode.Disposable {
  const file = `${personalFolder()}/settings.json`;
  const listener: StatsListener = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) changed();
  };
  watchFile(file, { interval: personalSettingsIntervalMs, persistent: false }, listener);
  return new vscode.Disposable(() => unwatchFile(file, listener));
}

function personalFolder(): string {
  const named = process.env['CLAUDE_CONFIG_DIR'];
  return named === undefined ? `${portPath(os.homedir())}/.claude` : portPath(named);
}

async function readPlace(place: Place, files: Pick<FileSystem, 'stat' | 'readText'>): Promise<SettingsText | undefined> {
  if ((await files.stat(place.file)) === undefined) return undefined;
  const read = await files.readText(place.file, maxSettingsBytes);
  // A file that cannot be read may hold deny rules: it counts as one that does not parse.
  const home = portPath(os.homedir());
  return { ...place, home, text: read.outcome === 'read' ? read.file.text : '\u0000' };
}
