// What a path in the chat opens: files of the workspace, Deft's own results and output, and others after a question.
import * as vscode from 'vscode';
import { type Chat } from '../chat/conversation/chat';
import { type LinkPlace, pathOfCard, placeOf } from '../chat/messages/link-place';
import { uriOf } from '../host/uri-path';
import { type Folder } from '../host/workspace-facts';
import { type ChatWindowOptions } from './window-parts';

/** Undefined where it opens nothing, and the user knows why. */
export async function linkTarget(
  path: string,
  chat: Chat,
  { rules, terminal, folders }: Pick<ChatWindowOptions, 'rules' | 'terminal'> & { folders: Folder[] },
): Promise<vscode.Uri | undefined> {
  // Deft's own words, not the model's.
  if (rules.problems().some(({ file }) => file === path)) return uriOf(path);
  if (chat.poster.state.background.some(({ output }) => output === path)) return uriOf(path);
  const { ports, surroundings } = await chat.session();
  const own = [surroundings.resultsDirectory, ...terminal.outputDirectories()] as const;
  return confirmedUri(path, await placeOf(path, { files: ports.files, folders, own }));
}

/** Of a path as a card shows it. */
export async function filePathOf(path: string, folders: Folder[]): Promise<string> {
  const exists = (candidate: string): Promise<boolean> =>
    Promise.resolve(vscode.workspace.fs.stat(uriOf(candidate))).then(
      () => true,
      () => false,
    );
  return pathOfCard(path, folders, exists);
}

/** What the user is shown or asked before a path of the chat opens; undefined where it does not. */
async function confirmedUri(path: string, place: LinkPlace): Promise<vscode.Uri | undefined> {
  switch (place.kind) {
    case 'inside':
      return uriOf(place.path);
    case 'missing':
      void vscode.window.showWarningMessage(`Deft: ${path} was not found.`);
      return undefined;
    case 'network':
      void vscode.window.showWarningMessage(
        `Deft: ${path} is on another machine, so a link in the chat does not open it.`,
      );
      return undefined;
    case 'outside': {
      const detail = place.realPath === place.path ? place.path : `${place.path}\nleads to ${place.realPath}`;
      const answer = await vscode.window.showWarningMessage(
        'Open a file outside the workspace?',
        { modal: true, detail },
        'Open',
      );
      return answer === undefined ? undefined : uriOf(place.path);
    }
  }
}
