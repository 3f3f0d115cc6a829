// How long a file may be: lines of formatted text.
import { type SourceFile } from '../unit/tidy/source-files';

export const softLimit = 250;
export const hardLimit = 400;

/** Files that grow first, each with a limit of its own. */
export const smallFiles: readonly (readonly [path: string, limit: number])[] = [
  ['src/core/loop/loop.ts', 150],
  ['src/vscode/chat/messages/message-handlers.ts', 30],
  ['src/vscode/chat/messages/conversation-handlers.ts', 120],
  ['src/vscode/chat/messages/composer-handlers.ts', 120],
  ['src/vscode/chat/messages/editor-handlers.ts', 120],
  ['src/vscode/chat/messages/session-handlers.ts', 120],
  ['src/vscode/chat/messages/server-handlers.ts', 120],
  ['src/core/tools/edit/edit.ts', 200],
];

export function limitOf(path: string): number {
  return smallFiles.find(([small]) => small === path)?.[1] ?? hardLimit;
}

/** Those over their limit, the longest first. */
export function tooLong(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path, lines }) => lines > limitOf(path)).sort((a, b) => b.lines - a.lines);
}
