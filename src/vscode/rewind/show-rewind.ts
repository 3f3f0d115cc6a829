// The changes that a rewind makes, in VS Code's editor for many diffs: what is there, next to what will be there.
import * as vscode from 'vscode';
import { type RewindStep, type SessionCheckpoints } from '../../core/ports/checkpoints';
import { uriOf } from '../host/uri-path';

const scheme = 'deft-rewind';
const texts = new Map<string, string>();
let registration: vscode.Disposable | undefined;

/** The provider stays: VS Code asks again when a tab is restored to view. */
export async function showRewind(steps: readonly RewindStep[], checkpoints: SessionCheckpoints): Promise<void> {
  registration ??= vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  texts.clear();
  const number = Date.now();
  const resources: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
  for (const { path, from, to } of steps) {
    const uri = uriOf(path);
    const bytes = await checkpoints.bytes(to);
    const after = uri.with({ scheme, query: `${number}` });
    if (bytes !== undefined) texts.set(after.toString(), new TextDecoder().decode(bytes));
    resources.push([uri, from.kind === 'absent' ? undefined : uri, bytes === undefined ? undefined : after]);
  }
  await vscode.commands.executeCommand('vscode.changes', 'Rewind: now and then', resources);
}
