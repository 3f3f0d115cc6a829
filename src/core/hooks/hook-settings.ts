// The hooks of all settings files together: which of them may run, and which wait for trust or for the user's permission.
import { defined } from '../../shared/defined';
import { type RuleSource } from '../../shared/permission';
import { agreedWith, type HookEntry, isProjectHook } from './hook-entry';
import { type FileHooks } from './read-hooks';

/** An organization lets only its own hooks run, or those of plugins too. */
export type HookLock = 'managed' | 'plugins';

export interface HookSettings {
  /** Those of higher files come first. */
  entries: HookEntry[];
  /** Switched off, all but those of the managed settings; or all. The program's own are none of a settings file's. */
  disabled: 'none' | 'project' | 'unmanaged' | 'all';
  lock?: HookLock;
  /** Ids of plugins that an organization switches on: their hooks count as its own. */
  forced?: readonly string[];
  /** Undefined: any address. */
  allowedUrls?: string[];
  /** Undefined: those that a hook names. */
  allowedVariables?: string[];
}

export const noHookSettings: HookSettings = { entries: [], disabled: 'none' };

/** `files` from the highest to the lowest. A folder that is not trusted neither switches hooks off nor widens a list. */
export function mergeHooks(
  files: readonly { source: RuleSource; hooks: FileHooks }[],
  { trusted, lock, forced = [] }: Pick<HookSettings, 'forced'> & { trusted: boolean; lock?: HookLock | undefined },
): HookSettings {
  const granting = files.filter((file) => trusted || !isProjectHook(file));
  const managed = files.some(({ source, hooks }) => source === 'managedSettings' && hooks.disableAll === true);
  const personal = granting.filter((file) => !isProjectHook(file));
  const off = personal.find(({ hooks }) => hooks.disableAll !== undefined)?.hooks.disableAll === true;
  // A project switches off its own: the user's guards are not its business.
  const projectOff = granting.some((file) => isProjectHook(file) && file.hooks.disableAll === true);
  const all = (pick: (hooks: FileHooks) => string[] | undefined): string[] | undefined => {
    const own = personal.some(({ hooks }) => pick(hooks) !== undefined);
    // Where the user or an organisation has a list, no project widens it.
    const lists = (own ? personal : granting).flatMap(({ hooks }) =>
      [pick(hooks)].filter((list) => list !== undefined),
    );
    return lists.length === 0 ? undefined : [...new Set(lists.flat())];
  };
  const allowedUrls = all((hooks) => hooks.allowedUrls);
  const allowedVariables = all((hooks) => hooks.allowedVariables);
  return {
    entries: files.flatMap(({ hooks }) => hooks.entries),
    disabled: managed ? 'all' : off ? 'unmanaged' : projectOff ? 'project' : 'none',
    ...(forced.length === 0 ? {} : { forced }),
    ...defined({ allowedUrls, allowedVariables, lock }),
  };
}

/** Remembers which hooks of a project the user has allowed, by their exact text and what their scripts hold. */
export interface HookConsent {
  isApproved(project: string, hooks: string): boolean;
  /** What the scripts held when they were allowed, by path. */
  scripts(project: string): Readonly<Record<string, string>>;
  approve(project: string, hooks: string, scripts: Readonly<Record<string, string>>): Promise<void>;
}

export type HookState = 'active' | 'disabled' | 'locked' | 'untrusted' | 'waiting';

export interface ProjectHooks {
  /** Its folder; for hooks that an agent's or a skill's file contains, that file. */
  project: string;
  entries: HookEntry[];
  /** All of them as one text: whatever is changed in it asks again. */
  text: string;
}

/** What the user is asked about. */
export interface HookQuestion extends ProjectHooks {
  /** By path, what each holds; as far as they are in the workspace. */
  scripts: Readonly<Record<string, string>>;
  /** Those that are not as they were allowed, where the hooks themselves are. */
  changed: readonly string[];
}

export interface JudgedHooks extends Omit<HookSettings, 'entries' | 'disabled' | 'lock' | 'forced'> {
  /** The same list as long as nothing changes. */
  active: readonly HookEntry[];
  all: readonly { entry: HookEntry; state: HookState }[];
  /** Projects whose hooks the user has not allowed as they are now. */
  waiting: readonly ProjectHooks[];
  /** Asked right before a hook of a project or of a plugin runs: the sentence that keeps it from running, where there is one. */
  refuses?: (entry: HookEntry, cwd: string) => Promise<string | undefined>;
  /** The user or an organisation has switched all of the user's off. */
  off?: boolean;
  /** None of a project's run, agreed to or not: it is not trusted, or they are switched off. */
  projectOff?: boolean;
  /** Which of the hooks in an agent's or a skill's file may run now. */
  judgeAdded?: (entries: readonly HookEntry[]) => readonly HookEntry[];
  /** Such a file is about to be used: where its hooks wait, the user is asked while the session continues. */
  wanted?: (entries: readonly HookEntry[]) => void;
}

/** Without `consent` nobody can be asked, and hooks of projects stay inert. */
export function judgeHooks(
  settings: HookSettings,
  judge: { trusted: boolean; consent?: Pick<HookConsent, 'isApproved'> },
): JudgedHooks {
  const { trusted, consent } = judge;
  const projects = new Map(projectsOf(settings.entries).map((project) => [project.project, project]));
  const approved = new Map(
    [...projects.values()].map(({ project, text }) => [project, consent?.isApproved(project, text) === true]),
  );
  const all = settings.entries.map((entry) => ({
    entry,
    state: stateOf(entry, settings, trusted && consent !== undefined, approved),
  }));
  const waiting = new Set(all.filter(({ state }) => state === 'waiting').map(({ entry }) => agreedWith(entry)));
  const { entries: _entries, disabled: _disabled, lock, forced: _forced, ...lists } = settings;
  return {
    ...lists,
    ...(settings.disabled === 'all' || settings.disabled === 'unmanaged' || lock === 'managed' ? { off: true } : {}),
    ...(settings.disabled !== 'none' || lock !== undefined || !trusted || consent === undefined
      ? { projectOff: true }
      : {}),
    judgeAdded: (entries) => judgeHooks({ ...settings, entries: [...entries] }, judge).active,
    active: all.filter(({ state }) => state === 'active').map(({ entry }) => entry),
    all,
    waiting: [...projects.values()].filter(({ project }) => waiting.has(project)),
  };
}

function stateOf(
  entry: HookEntry,
  { disabled, lock, forced = [] }: HookSettings,
  trusted: boolean,
  approved: ReadonlyMap<string, boolean>,
): HookState {
  // The program that runs Deft guards its own calls.
  if (entry.handler.type === 'callback') return 'active';
  if (disabled === 'all') return 'disabled';
  const isManaged =
    entry.source === 'managedSettings' || (entry.plugin !== undefined && forced.includes(entry.plugin.id));
  if (disabled === 'unmanaged' && !isManaged) return 'disabled';
  if (lock !== undefined && !isManaged && !(lock === 'plugins' && entry.plugin !== undefined)) return 'locked';
  if (disabled === 'project' && isProjectHook(entry)) return 'disabled';
  if (!isProjectHook(entry)) return 'active';
  if (!trusted) return 'untrusted';
  return approved.get(agreedWith(entry)) === true ? 'active' : 'waiting';
}

export function projectsOf(entries: readonly HookEntry[]): ProjectHooks[] {
  const projects = [...new Set(entries.filter(isProjectHook).map(agreedWith))];
  return projects.map((project) => {
    const own = entries.filter((entry) => isProjectHook(entry) && agreedWith(entry) === project);
    const text = JSON.stringify(
      own.map(({ event, matcher, handler, condition, timeoutSeconds, failClosed }) => [
        event,
        matcher,
        handler,
        condition,
        timeoutSeconds,
        // Only where it is set: what was agreed to before there was such a key still holds.
        ...(failClosed === true ? ['failClosed'] : []),
      ]),
    );
    return { project, entries: own, text };
  });
}
