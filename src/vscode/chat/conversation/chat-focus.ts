// Whether a chat of this window has the focus, as the context key that keybindings ask for.
import * as vscode from 'vscode';

const focused = new Set<object>();

/** The focus may be in the next chat before the last one says that it has gone. */
export function noteFocus(chat: object, has: boolean): void {
  const before = focused.size > 0;
  if (has) focused.add(chat);
  else focused.delete(chat);
  const now = focused.size > 0;
  if (now !== before) void vscode.commands.executeCommand('setContext', 'deft.chatFocused', now);
}
