// /import: shows what Codex and Gemini have, and takes over what the user picks of it.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { importItem } from '../../core/imports/import-picked';
import { type Importable, type ImportItem } from '../../core/imports/import-item';
import { importedWords } from '../../core/imports/import-words';
import { findImportable } from '../../core/imports/find-importable';
import { projectFileCheck } from '../../core/context/project-file';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import { portPath } from '../../node/files/port-path';
import { personalFolder } from '../../node/settings-files';
import { type Chat } from '../chat/conversation/chat';
import { showPage } from '../host/pages';
import { workspaceFolders } from '../host/workspace-facts';

export async function importFromOthers(chat: Chat): Promise<void> {
  const files = createNodeFileSystem();
  const home = homeFolder();
  const project =
    vscode.workspace.isTrusted && vscode.workspace.workspaceFolders?.[0]?.uri.scheme === 'file'
      ? workspaceFolders()[0]?.path
      : undefined;
  const { isHidden } = (await chat.session()).surroundings;
  const found = await findImportable({
    files,
    codex: portPath(process.env['CODEX_HOME'] || path.join(home, '.codex')),
    gemini: portPath(path.join(home, '.gemini')),
    personal: portPath(personalFolder(process.env, home)),
    servers: portPath(path.join(process.env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')),
    project,
    check: projectFileCheck({ files, roots: project === undefined ? [] : [project], isHidden }),
  });
  if (found.items.length === 0)
    return chat.notice(
      'info',
      'There is nothing to import.',
      found.left.join('\n') || 'Neither Codex nor Gemini has anything here.',
    );
  await showPage('Import', importPage(found));
  const picks = found.items.map((item) => ({
    label: item.title,
    description: item.program,
    detail: `to ${shown(item.to)}`,
    item,
  }));
  const picked = await vscode.window.showQuickPick(picks, {
    title: 'Import from Codex and Gemini',
    placeHolder: 'Choose what to import; the page next to this list shows it in full',
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined || picked.length === 0) return;
  const problems: string[] = [];
  const done: ImportItem[] = [];
  // One after the other: several go into one file.
  for (const { item } of picked) {
    const problem = await importItem(item, files);
    if (problem === undefined) done.push(item);
    else problems.push(`${item.title}: ${problem}`);
  }
  chat.notice(
    problems.length === 0 ? 'info' : 'warning',
    `${done.length} of ${picked.length} imported.`,
    [...problems, importedWords(done)].join('\n'),
  );
}

/** All that would be written, before anything is. */
function importPage({ items, left }: Importable): string {
  const section = (item: ImportItem): string =>
    `## ${item.title}\n\nFrom ${item.program}, ${shown(item.from)}, to ${shown(item.to)}:\n\n${item.text
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n')}`;
  return `${['# What can be imported', 'Nothing is written before you choose it, and nothing that exists is overwritten. “…” stands for a value that may be a secret; it is imported unchanged.', ...items.map(section), ...(left.length === 0 ? [] : [`## Left out\n\n${left.map((one) => `- ${one}`).join('\n')}`])].join('\n\n')}\n`;
}

function shown(file: string): string {
  const home = portPath(homeFolder());
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : vscode.workspace.asRelativePath(file);
}
