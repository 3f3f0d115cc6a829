// The demo: the scripted model on a copy of the sample workspace, everything else real.
import { cp, mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type ChatHost } from '../chat/chat-host';
import { type ModelSource } from '../model/model-source';
import { isSample, sampleMark } from './sample-mark';

const demoPrompt = 'Find out why the tests fail and fix the bug.';

/** In the sample the demo begins at once; elsewhere a copy of the sample opens in a window of its own. */
export async function startDemo(
  context: vscode.ExtensionContext,
  models: ModelSource,
  show: () => Promise<ChatHost>,
): Promise<void> {
  if (await inSample(context)) {
    models.demo = true;
    const host = await show();
    await host.chat.open(undefined);
    host.post({ type: 'insert', text: demoPrompt });
    return;
  }
  const target = path.join(demoFolder(context), String(Date.now()));
  await mkdir(path.dirname(target), { recursive: true });
  await cp(vscode.Uri.joinPath(context.extensionUri, 'media', 'sample').fsPath, target, { recursive: true });
  await vscode.workspace.fs.writeFile(
    vscode.Uri.file(path.join(target, sampleMark)),
    new TextEncoder().encode('demo\n'),
  );
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(target), {
    forceNewWindow: vscode.workspace.workspaceFolders !== undefined,
  });
}

/** A window on a copy of the sample opens its chat by itself, with the demo where no model is set up. */
export async function openChatAtStart(
  context: vscode.ExtensionContext,
  models: ModelSource,
  show: () => Promise<ChatHost>,
): Promise<void> {
  if (!(await inSample(context))) return;
  const opened = 'deft.sampleOpened';
  if (context.workspaceState.get(opened) === true) return;
  await context.workspaceState.update(opened, true);
  if (await models.needsSetup()) await startDemo(context, models, show);
  else (await show()).post({ type: 'focus' });
}

async function inSample(context: vscode.ExtensionContext): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder?.uri.scheme !== 'file') return false;
  return isSample(folder.uri.fsPath, { demoFolder: demoFolder(context), token: process.env['DEFT_SAMPLE_TOKEN'] });
}

/** The user's: no repository lies there. */
function demoFolder(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, 'demo');
}
