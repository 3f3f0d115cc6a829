// The memory files of this window: where they are, what settings say of them, and permission for files outside the workspace.
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { createMemory, type Memory, type OutsideImport } from '../../core/memory/memory';
import { agentsMdChoices } from '../../core/memory/memory-places';
import { type FileSystem } from '../../core/ports/files';
import { type Grant, visible } from '../../core/settings/grant-text';
import { managedFolderOf } from '../../core/settings/settings-places';
import { portPath } from '../../node/files/port-path';
import { personalFolder } from '../../node/settings-files';
import { type Agreements } from '../session/agreements';
import { type RuleSource } from '../session/rule-source';
import { workspaceFolders } from '../host/workspace-facts';

export interface WindowMemoryOptions {
  files: FileSystem;
  rules: Pick<RuleSource, 'values' | 'onDidChange'>;
  agreements: Agreements;
  /** Asks the user; resolves with what they chose. */
  ask?: (grant: Grant, outside: OutsideImport) => Promise<'allow' | 'never' | 'later'>;
}

export function createWindowMemory({ files, rules, agreements, ask = askUser }: WindowMemoryOptions): Memory {
  const asked = new Set<string>();
  const askOnce = async (outside: OutsideImport): Promise<void> => {
    const grant = grantOf(outside);
    const about = JSON.stringify(grant);
    if (asked.has(about) || agreements.declined(grant)) return;
    asked.add(about);
    const answer = await ask(grant, outside);
    if (answer !== 'later') await agreements.answer([grant], answer === 'allow');
  };
  return createMemory({
    files,
    home: portPath(homeFolder()),
    ignoreCase: process.platform === 'win32' || process.platform === 'darwin',
    managedFolder: managedFolderOf(process.platform),
    personalFolder: portPath(personalFolder(process.env, homeFolder())),
    folders: () => workspaceFolders().map(({ path }) => path),
    settings: () => {
      const { claudeMdExcludes: excludes = [], autoMemoryEnabled } = rules.values();
      const chosen = vscode.workspace.getConfiguration('deft').get<string>('memory.agentsMd');
      return {
        agentsMd: agentsMdChoices.find((one) => one === chosen) ?? 'whenNoClaudeMd',
        excludes,
        autoMemory: autoMemoryEnabled === true,
      };
    },
    trusted: () => vscode.workspace.isTrusted,
    agreed: (outside) => agreements.agreed(grantOf(outside)),
    waiting: (outside) => outside.forEach((one) => void askOnce(one)),
  });
}

/** Holds for this file of this project, whichever of its files names it. */
export function grantOf({ project, file, path }: OutsideImport): Grant {
  return { root: project, file, text: `read ${visible(path)} as instructions` };
}

async function askUser({ text }: Grant, { file }: OutsideImport): Promise<'allow' | 'never' | 'later'> {
  const words = `Deft: ${visible(vscode.workspace.asRelativePath(file))} wants to ${text}. It lies outside the workspace, and the model would get its text.`;
  const answer = await vscode.window.showWarningMessage(words, 'Allow', 'Never', 'Not Now');
  return answer === 'Allow' ? 'allow' : answer === 'Never' ? 'never' : 'later';
}
