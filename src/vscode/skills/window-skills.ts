// The skills of a window: where its folders keep them, and what the user's settings and consent say of them.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { hiddenNow } from '../../core/permissions/files/hidden-paths';
import { type FileSystem } from '../../core/ports/files';
import { pluginOnly } from '../../core/settings/plugin-only';
import { managedFolderOf } from '../../core/settings/settings-places';
import { createSkillCatalogue } from '../../core/skills/skill-catalogue';
import { type PluginSkills } from '../../core/skills/skill-reader';
import { type SkillFolder, skillFolders } from '../../core/skills/skill-folders';
import { type SessionSkillOptions } from '../../core/skills/skill-options';
import { portPath } from '../../node/files/port-path';
import { findRepository } from '../../node/repository';
import { personalFolder } from '../../node/settings-files';
import { panelCommands } from '../chat/panel/panel-commands';
import { type RuleSource } from '../session/rule-source';
import { workspaceFolders } from '../host/workspace-facts';
import { variablesNow } from '../session/variables-now';

export interface WindowSkillOptions {
  files: Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>;
  plugins?: () => Promise<readonly PluginSkills[]>;
  folders: () => Promise<readonly SkillFolder[]>;
  rules: Pick<RuleSource, 'current' | 'values' | 'grants' | 'environment'>;
}

/** The `.claude` folders of this window, the highest first. */
export function createClaudeFolders(rules: Pick<RuleSource, 'load'>): () => Promise<SkillFolder[]> {
  // Looked for anew each time, as for the rules: a checkout may be made while the window is open.
  const checkoutOf = (folder: string): Promise<string | undefined> =>
    findRepository(folder).then(
      (repository) => repository && portPath(repository.root),
      () => undefined,
    );
  const onDisk = (folder: string): boolean =>
    vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file' && portPath(uri.fsPath) === folder) ===
    true;
  return async () => {
    await rules.load().catch(() => undefined);
    const projects = await Promise.all(
      workspaceFolders().map(async ({ path: folder }) => {
        const checkout = onDisk(folder) ? await checkoutOf(folder) : undefined;
        return { folder, ...defined({ checkout }) };
      }),
    );
    return skillFolders({
      managedFolder: portPath(managedFolderOf(process.platform)),
      personalFolder: portPath(personalFolder(process.env, homeFolder())),
      projects,
    });
  };
}

/** What deny rules hide of a project's files. */
export function hiddenInWindow(rules: Pick<RuleSource, 'current'>): (path: string) => boolean {
  const home = portPath(homeFolder());
  return hiddenNow(() => ({
    ...rules.current(),
    mode: 'default',
    cwd: workspaceFolders()[0]?.path ?? home,
    home,
    ownFolders: [],
    ignoreCase: process.platform === 'win32' || process.platform === 'darwin',
    trusted: vscode.workspace.isTrusted,
  }));
}

export function createWindowSkills({ files, rules, folders, plugins }: WindowSkillOptions): SessionSkillOptions {
  const catalogue = createSkillCatalogue({
    files,
    folders,
    ...defined({ plugins }),
    workspace: () => workspaceFolders().map(({ path }) => path),
    trusted: () => vscode.workspace.isTrusted,
    isHidden: hiddenInWindow(rules),
    pluginOnly: () => pluginOnly(rules.values(), 'skills'),
    withoutBundled: () => rules.values().disableBundledSkills === true,
    overrides: () => rules.values().skillOverrides,
  });
  return {
    catalogue,
    agreed: (grant) => rules.grants.agreed(grant),
    wouldAllow: (_skill, grants) => rules.grants.note(grants),
    shellDisabled: () => rules.values().disableSkillShellExecution === true,
    otherNames: () => panelCommands.map(({ name }) => name),
    variables: () => variablesNow(rules),
  };
}
