// The settings files of this window as rules and values: read again when a file, a folder, trust or consent changes.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { type HookEntry } from '../../core/hooks/hook-entry';
import { type HookSettings } from '../../core/hooks/hook-settings';
import { canonicalToolName } from '../../core/permissions/rules/rule-syntax';
import { isToolDenied } from '../../core/permissions/rules/tool-rules';
import { type PermissionContext } from '../../core/permissions/rules/verdict';
import { type PermissionStore, type SaveOutcome } from '../../core/ports/permission-store';
import { messageOf } from '../../core/text/errors';
import { type FileSystem } from '../../core/ports/files';
import { type Log } from '../../core/ports/log';
import { noSettings } from '../../core/settings/no-settings';
import { type Grant } from '../../core/settings/grant-text';
import { type SettingsTarget } from '../../core/settings/save-update';
import { type SettingsProblem } from '../../core/settings/settings-file';
import { type SettingsKey, type SettingsValues } from '../../core/settings/settings-keys';
import { localSettings } from '../../core/settings/settings-places';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import { findSettings, type SettingsOnDisk, watchSettings } from '../../node/settings-files';
import {
  type PermissionDestination,
  type PermissionMode,
  type RuleSource as PermissionRuleSource,
} from '../../shared/permission';
import { folderOf, pathOf } from '../host/uri-path';
import { type Agreements } from './agreements';
import { createSettingsStore } from './settings-store';
import { targetOf } from './settings-target';
import { workspaceFolders } from '../host/workspace-facts';

type RuleContext = Pick<PermissionContext, 'rules' | 'folders' | 'brokenSettings' | 'savesTo' | 'autoDisabled'>;

export interface RuleSource extends vscode.Disposable {
  /** Reads the files where that has not been done yet. */
  load(): Promise<void>;
  current(): RuleContext;
  /** The user's own default mode; a project's never counts. */
  defaultMode(): PermissionMode | undefined;
  removesTool(name: string): boolean;
  /** A rule that allows or asks names the tool: what is off by default is wanted then. */
  namesTool(name: string): boolean;
  /** What settings files set under `env`; a project's count only where it is trusted and the user agreed. */
  environment(): Readonly<Record<string, string>>;
  /** Every other key of the settings files. */
  values(): SettingsValues;
  /** The command of `statusLine`, where it is a project's. */
  projectStatusLine(): HookEntry | undefined;
  /** The same of `fileSuggestion`. */
  projectFileSuggestion(): HookEntry | undefined;
  /** A settings file forbids the mode that asks for nothing. */
  bypassDisabled(): boolean;
  hooks(): HookSettings;
  problems(): SettingsProblem[];
  /** Asked when a file has changed: where the answer is false, it is not read again for that. */
  onWillChange(mayApply: (source: PermissionRuleSource, file: string) => Promise<boolean>): void;
  /** What the project's files would grant and the user was never asked about. */
  newGrants(): Grant[];
  /** The same, and what the user did not want before. */
  grantsToReview(): Grant[];
  answer(grants: readonly Grant[], agreed: boolean): Promise<void>;
  /** The user has agreed to it. */
  agreed(grant: Grant): boolean;
  /** What else of the project would allow more, such as a skill: it waits beside that of the settings. */
  noteGrants(grants: readonly Grant[]): void;
  /** Into the user's own file of this project, where there is one; else into that of all their work. */
  saveSetting(name: SettingsKey, value: unknown): Promise<SaveOutcome>;
  /** The settings file that a destination means; undefined where this window has none. */
  target(destination: PermissionDestination): SettingsTarget | undefined;
  /** Reads all files again. */
  reload(): Promise<void>;
  /** Where "Always allow" goes. */
  readonly store: PermissionStore;
  readonly onDidChange: vscode.Event<void>;
}

export interface RuleSourceOptions {
  /** Of the window: reads what lies in a workspace that is on no disk. */
  files: Pick<FileSystem, 'readText' | 'realPath'>;
  agreements: Agreements;
  /** An organisation's folder; the platform's own where it is left out. */
  managedFolder?: string;
  log?: Pick<Log, 'warn'>;
}

const longestVetoMs = 10_000;

export function createRuleSource({ files, agreements, managedFolder, log }: RuleSourceOptions): RuleSource {
  const changed = new vscode.EventEmitter<void>();
  // Not what an editor holds: half of a rule that is being typed is no rule.
  const disk = createNodeFileSystem();
  const readText: FileSystem['readText'] = (file, maxBytes) =>
    (isVirtual(file) ? files : disk).readText(file, maxBytes);
  let settings = noSettings;
  let found: SettingsOnDisk = { places: [], projects: [], watched: [] };
  let folders: string[] = [];
  let present: ReadonlySet<string> = new Set();
  let loading: Promise<void> | undefined;
  let readings = 0;
  let noted: readonly Grant[] = [];
  const waiting = (): Grant[] => [...settings.pending, ...noted.filter((grant) => !agreements.agreed(grant))];

  const read = async (): Promise<void> => {
    const reading = ++readings;
    // With the shapes of all keys: not read before the window is open.
    const [{ loadSettings }, { readSettings }] = await Promise.all([
      import('../../core/settings/load-settings'),
      import('../../core/settings/read-settings'),
    ]);
    const paths = workspaceFolders().map(({ path }) => path);
    const places = await findSettings({
      folders: paths.filter((path) => !isVirtual(path)),
      virtualFolders: paths.filter(isVirtual),
      environment: process.env,
      ...defined({ managedFolder }),
    });
    // Before the files are read: what changes meanwhile is seen.
    if (reading === readings) await watch.follow(places.watched.filter((file) => !isVirtual(file)));
    const texts = await readSettings(
      places.places,
      { readText },
      (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      present,
    );
    // The project never chooses how much is asked: not in a window, where somebody can.
    const loaded = loadSettings(texts, {
      trusted: vscode.workspace.isTrusted,
      agreed: agreements.agreed,
      projectSetsMode: false,
    });
    const named = [...paths, ...loaded.additionalDirectories];
    // As written and with links resolved: a path counts as inside only where both of its own forms are.
    const resolved = await Promise.all(named.map((path) => files.realPath(path)));
    // A reading that began later knows better.
    if (reading !== readings) return load();
    settings = loaded;
    present = new Set(texts.map(({ file }) => file));
    found = places;
    folders = [...new Set([...named, ...resolved])];
    changed.fire();
  };
  let mayApply: (source: PermissionRuleSource, file: string) => Promise<boolean> = async () => true;
  const reload = (): Promise<void> => {
    const reading = (loading = read());
    // The next one who needs the settings tries again.
    reading.catch(() => {
      if (loading === reading) loading = undefined;
    });
    return reading;
  };
  const load = (): Promise<void> => loading ?? reload();
  /** Nobody waits for it who could try again: what is known holds until a reading succeeds. */
  const readAnew = async (): Promise<void> => {
    try {
      await reload().catch(reload);
    } catch (error) {
      log?.warn('The settings files could not be read anew.', messageOf(error));
    }
  };
  const filesChanged = async (paths: readonly string[]): Promise<void> => {
    const asked = await Promise.all(
      paths.map((path) => {
        const source = found.places.find(({ file }) => file === path)?.source ?? 'managedSettings';
        // A hook that takes longer holds nothing up: a new deny rule has to count.
        return (
          source === 'managedSettings' ||
          Promise.race([
            mayApply(source, path),
            new Promise<true>((resolve) => setTimeout(() => resolve(true), longestVetoMs).unref()),
          ])
        );
      }),
    );
    if (asked.includes(true)) await readAnew();
  };
  const watch = watchSettings((paths) => void filesChanged(paths));

  const fileChanged = (uri: vscode.Uri): void => void filesChanged([pathOf(uri)]);
  // Faster than looking now and then, and the only way where the workspace is on no disk.
  const watchers = ['**/.claude/settings.json', '**/.claude/settings.local.json'].map((pattern) =>
    vscode.workspace.createFileSystemWatcher(pattern),
  );
  const subscriptions: vscode.Disposable[] = [
    ...watchers,
    ...watchers.flatMap((watcher) => [
      watcher.onDidChange(fileChanged),
      watcher.onDidCreate(fileChanged),
      watcher.onDidDelete(fileChanged),
    ]),
    vscode.workspace.onDidChangeWorkspaceFolders(readAnew),
    vscode.workspace.onDidGrantWorkspaceTrust(readAnew),
    watch,
  ];

  const project = () => found.projects.find(({ folder }) => !isVirtual(folder));
  const savesTo = (): { savesTo?: string } => {
    const first = project();
    return first === undefined || !vscode.workspace.isTrusted ? {} : { savesTo: localSettings(first).file };
  };
  const answer = async (grants: readonly Grant[], agreed: boolean): Promise<void> => {
    await agreements.answer(grants, agreed);
    await reload();
  };

  return {
    load,
    current: () => ({
      rules: settings.rules,
      folders,
      brokenSettings: settings.broken,
      autoDisabled: settings.values.disableAutoMode === 'disable',
      ...savesTo(),
    }),
    defaultMode: () => settings.defaultMode,
    removesTool: (name) => isToolDenied(settings.rules, name),
    namesTool: (name) =>
      settings.rules.some(({ behavior, value }) => behavior !== 'deny' && canonicalToolName(value.toolName) === name),
    environment: () => settings.env,
    values: () => settings.values,
    projectStatusLine: () => settings.projectStatusLine,
    projectFileSuggestion: () => settings.projectFileSuggestion,
    bypassDisabled: () => settings.bypassDisabled,
    hooks: () => settings.hooks,
    problems: () => settings.problems,
    onWillChange: (ask) => void (mayApply = ask),
    newGrants: () => waiting().filter((grant) => !agreements.declined(grant)),
    grantsToReview: waiting,
    agreed: agreements.agreed,
    noteGrants(grants) {
      const fresh = grants.filter(
        (grant) => !noted.some(({ root, text }) => root === grant.root && text === grant.text),
      );
      if (fresh.length === 0) return;
      noted = [...noted, ...fresh];
      changed.fire();
    },
    answer,
    async saveSetting(name, value) {
      const place =
        targetOf('localSettings', vscode.workspace.isTrusted ? project() : undefined, found.places) ??
        targetOf('userSettings', undefined, found.places);
      if (place === undefined) return { saved: false, message: 'This window has no settings file to save to.' };
      const [{ saveEdit }, { setKey }] = await Promise.all([
        import('../../core/settings/save-update'),
        import('../../core/settings/edit-setting'),
      ]);
      const outcome = await saveEdit((text) => setKey(text, name, value), place, disk);
      if (outcome.saved) await reload();
      return outcome;
    },
    target: (destination) => targetOf(destination, project(), found.places),
    reload,
    store: createSettingsStore({
      files: disk,
      target: (destination) => targetOf(destination, project(), found.places),
      consent: (grants) => agreements.answer(grants, true),
      reload,
    }),
    onDidChange: changed.event,
    dispose() {
      subscriptions.forEach((subscription) => subscription.dispose());
      changed.dispose();
    },
  };
}

function isVirtual(path: string): boolean {
  return (folderOf(path)?.uri.scheme ?? 'file') !== 'file';
}
