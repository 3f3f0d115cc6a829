// The extension's entry: registers everything that must be there at activation; the rest waits until it is needed.
import type * as vscode from 'vscode';
import { type DeftWindow, openWindow } from './window/window';

let window: DeftWindow | undefined;

export function activate(context: vscode.ExtensionContext): void {
  window = openWindow(context);
}

export async function deactivate(): Promise<void> {
  await window?.close();
}
