// Whether this extension host's window is still there: after a reload, or a connection that broke, the host may outlive it.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';

/** A window that works on something long answers later than usual, but hardly later than this. */
const patienceMs = 3_000;

export async function windowAnswers(): Promise<boolean> {
  const waiting = new AbortController();
  // Any question that only the window can answer, and that changes nothing.
  const answer = vscode.commands.executeCommand('vscode.getEditorLayout').then(
    () => true,
    () => true,
  );
  const silence = sleep(patienceMs, false, { signal: waiting.signal }).catch(() => false);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    waiting.abort();
  }
}
