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
import { type KeyNote } from '../../core/settings/key-notes';
import { noSettings } from '../../core/settings/no-settings';
import { type SettingsTarget } from '../../core/settings/save-update';
import { type SettingsProblem } from '../../core/settings/settings-file';
import { type SettingsKey, type SettingsValues } from '../../core/settings/settings-keys';
import { localSettings } from '../../core/settings/settings-places';
import { createSettingsStore } from '../../core/settings/settings-store';
import { targetOf } from '../../core/settings/settings-target';
import { type StartStop } from '../../core/settings/start-stops';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import { findSettings, type SettingsOnDisk, watchSettings } from '../../node/settings-files';
import {
  type PermissionDestination,
  type PermissionMode,
  type RuleSource as PermissionRuleSource,
} from '../../shared/permission';
import { folderOf, pathOf } from '../host/uri-path';
import { type Agreements } from './agreements';
import { ProjectGrants } from './project-grants';
import { workspaceFolders } from '../host/workspace-facts';

type RuleContext = Pick<
  PermissionContext,
  'rules' | 'folders' | 'brokenSettings' | 'savesTo' | 'autoDisabled' | 'managedRulesOnly'
>;

export interface RuleSourceOptions {
  /** Of the window: reads what lies in a workspace that is on no disk. */
  files: Pick<FileSystem, 'readText' | 'realPath'>;
  agreements: Agreements;
  /** An organisation's folder; the platform's own where it is left out. */
  managedFolder?: string;
  log?: Pick<Log, 'warn'>;
}

const longestVetoMs = 10_000;

export class RuleSource implements vscode.Disposable {
  readonly grants: ProjectGrants;
  /** Where "Always allow" goes. */
  readonly store: PermissionStore;
  readonly #options: RuleSourceOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange: vscode.Event<void> = this.#changed.event;
  // Not what an editor holds: half of a rule that is being typed is not a rule.
  readonly #disk = createNodeFileSystem();
  readonly #watch = watchSettings((paths) => void this.#filesChanged(paths));
  readonly #subscriptions: readonly { dispose(): unknown }[];
  #settings = noSettings;
  #found: SettingsOnDisk = { places: [], projects: [], watched: [] };
  #folders: string[] = [];
  #present: ReadonlySet<string> = new Set();
  #loading: Promise<void> | undefined;
  #readings = 0;
  #mayApply: (source: PermissionRuleSource, file: string) => Promise<boolean> = async () => true;

  constructor(options: RuleSourceOptions) {
    this.#options = options;
    const { agreements } = options;
    this.grants = new ProjectGrants({
      agreements,
      ofSettings: () => this.#settings.pending,
      answered: () => this.reload(),
      noted: () => this.#changed.fire(),
    });
    this.store = createSettingsStore({
      files: this.#disk,
      target: (destination) => this.target(destination),
      consent: (grants) => agreements.answer(grants, true),
      reload: () => this.reload(),
      locked: () => this.#settings.managedRulesOnly,
    });
    this.#subscriptions = [...this.#followWindow(), this.#watch];
  }

  /** Reads the files where that has not been done yet. */
  load(): Promise<void> {
    return this.#loading ?? this.reload();
  }

  /** Reads all files again. */
  reload(): Promise<void> {
    const reading = (this.#loading = this.#read());
    // The next one who needs the settings tries again.
    reading.catch(() => {
      if (this.#loading === reading) this.#loading = undefined;
    });
    return reading;
  }

  current(): RuleContext {
    const first = this.#project();
    return {
      rules: this.#settings.rules,
      folders: this.#folders,
      brokenSettings: this.#settings.broken,
      autoDisabled: this.#settings.values.disableAutoMode === 'disable',
      managedRulesOnly: this.#settings.managedRulesOnly,
      ...(first === undefined || !vscode.workspace.isTrusted ? {} : { savesTo: localSettings(first).file }),
    };
  }

  /** The user's own default mode; a project's never counts. */
  defaultMode(): PermissionMode | undefined {
    return this.#settings.defaultMode;
  }

  removesTool(name: string): boolean {
    return isToolDenied(this.#settings.rules, name);
  }

  /** A rule that allows or asks names the tool: what is off by default is wanted then. */
  namesTool(name: string): boolean {
    return this.#settings.rules.some(
      ({ behavior, value }) => behavior !== 'deny' && canonicalToolName(value.toolName) === name,
    );
  }

  /** What settings files set under `env`; a project's count only where it is trusted and the user agreed. */
  environment(): Readonly<Record<string, string>> {
    return this.#settings.env;
  }

  /** Every other key of the settings files. */
  values(): SettingsValues {
    return this.#settings.values;
  }

  /** The command of `statusLine`, where it is a project's. */
  projectStatusLine(): HookEntry | undefined {
    return this.#settings.projectStatusLine;
  }

  /** The same of `fileSuggestion`. */
  projectFileSuggestion(): HookEntry | undefined {
    return this.#settings.projectFileSuggestion;
  }

  /** A settings file forbids the mode that asks for nothing. */
  bypassDisabled(): boolean {
    return this.#settings.bypassDisabled;
  }

  hooks(): HookSettings {
    return this.#settings.hooks;
  }

  problems(): SettingsProblem[] {
    return this.#settings.problems;
  }

  /** Keys of the files that Deft does not read. */
  notes(): KeyNote[] {
    return this.#settings.notes;
  }

  /** Locks of an organization that Deft cannot hold. */
  stops(): readonly StartStop[] {
    return this.#settings.stops;
  }

  /** The file that wants commands to run in a sandbox or not at all. */
  sandboxRequiredBy(): string | undefined {
    return this.#settings.sandboxRequiredBy;
  }

  /** Asked when a file has changed: where the answer is false, it is not read again for that. */
  onWillChange(mayApply: (source: PermissionRuleSource, file: string) => Promise<boolean>): void {
    this.#mayApply = mayApply;
  }

  /** Into the user's own file of this project, where there is one; else into that of all their work. */
  async saveSetting(name: SettingsKey, value: unknown): Promise<SaveOutcome> {
    const { places } = this.#found;
    const place =
      targetOf('localSettings', vscode.workspace.isTrusted ? this.#project() : undefined, places) ??
      targetOf('userSettings', undefined, places);
    if (place === undefined) return { saved: false, message: 'This window has no settings file to save to.' };
    const [{ saveEdit }, { setKey }] = await Promise.all([
      import('../../core/settings/save-update'),
      import('../../core/settings/edit-setting'),
    ]);
    const outcome = await saveEdit((text) => setKey(text, name, value), place, this.#disk);
    if (outcome.saved) await this.reload();
    return outcome;
  }

  /** The settings file that a destination means; undefined where this window has none. */
  target(destination: PermissionDestination): SettingsTarget | undefined {
    return targetOf(destination, this.#project(), this.#found.places);
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#changed.dispose();
  }

  #project(): SettingsOnDisk['projects'][number] | undefined {
    return this.#found.projects.find(({ folder }) => !isVirtual(folder));
  }

  async #read(): Promise<void> {
    const { files, agreements, managedFolder } = this.#options;
    const reading = ++this.#readings;
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
    if (reading === this.#readings) await this.#watch.follow(places.watched.filter((file) => !isVirtual(file)));
    const texts = await readSettings(
      places.places,
      { readText: (file, maxBytes) => (isVirtual(file) ? files : this.#disk).readText(file, maxBytes) },
      (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      this.#present,
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
    if (reading !== this.#readings) return this.load();
    this.#settings = loaded;
    this.#present = new Set(texts.map(({ file }) => file));
    this.#found = places;
    this.#folders = [...new Set([...named, ...resolved])];
    this.#changed.fire();
  }

  /** Nobody waits for it who could try again: what is known holds until a reading succeeds. */
  async #readAnew(): Promise<void> {
    try {
      await this.reload().catch(() => this.reload());
    } catch (error) {
      this.#options.log?.warn('The settings files could not be read anew.', messageOf(error));
    }
  }

  async #filesChanged(paths: readonly string[]): Promise<void> {
    const asked = await Promise.all(
      paths.map((path) => {
        const source = this.#found.places.find(({ file }) => file === path)?.source ?? 'managedSettings';
        // A hook that takes longer holds nothing up: a new deny rule has to count.
        return (
          source === 'managedSettings' ||
          Promise.race([
            this.#mayApply(source, path),
            new Promise<true>((resolve) => setTimeout(() => resolve(true), longestVetoMs).unref()),
          ])
        );
      }),
    );
    if (asked.includes(true)) await this.#readAnew();
  }

  #followWindow(): vscode.Disposable[] {
    const fileChanged = (uri: vscode.Uri): void => void this.#filesChanged([pathOf(uri)]);
    // Faster than looking now and then, and the only way where the workspace is on no disk.
    const watchers = ['**/.claude/settings.json', '**/.claude/settings.local.json'].map((pattern) =>
      vscode.workspace.createFileSystemWatcher(pattern),
    );
    return [
      ...watchers,
      ...watchers.flatMap((watcher) => [
        watcher.onDidChange(fileChanged),
        watcher.onDidCreate(fileChanged),
        watcher.onDidDelete(fileChanged),
      ]),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#readAnew()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#readAnew()),
    ];
  }
}

function isVirtual(path: string): boolean {
  return (folderOf(path)?.uri.scheme ?? 'file') !== 'file';
}
