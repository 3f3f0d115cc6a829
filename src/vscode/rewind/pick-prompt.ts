// The command "Rewind…": picks a prompt of the conversation, and what is to go back to it.
import * as vscode from 'vscode';
import { type RewindWhat } from '../../shared/protocol';
import { readOnlyText, rewindChat, type RewindServices } from './rewind-chat';

const choices: { label: string; what: RewindWhat }[] = [
  { label: '$(discard) Rewind code to here', what: 'code' },
  { label: '$(repo-forked) Edit and send from here', what: 'fork' },
  { label: '$(history) Edit from here and rewind code', what: 'both' },
];

export async function pickPrompt(services: RewindServices): Promise<void> {
  if (services.chat.readOnly) return void vscode.window.showInformationMessage(`Deft: ${readOnlyText}`);
  const { records } = await services.chat.session();
  const prompts = records.flatMap((record) =>
    record.type === 'user' && record.display !== undefined
      ? [
          {
            label: record.display.text.replace(/\s+/g, ' ').slice(0, 120) || 'A message without text',
            description: new Date(record.timestamp).toLocaleTimeString(),
            id: record.uuid,
          },
        ]
      : [],
  );
  if (prompts.length === 0) return void vscode.window.showInformationMessage('Deft: this session has no messages yet.');
  const prompt = await vscode.window.showQuickPick(prompts.reverse(), {
    title: 'Rewind',
    placeHolder: 'Rewind to before which message?',
  });
  if (prompt === undefined) return;
  const choice = await vscode.window.showQuickPick(choices, { title: 'Rewind', placeHolder: prompt.label });
  if (choice !== undefined) await rewindChat(prompt.id, choice.what, services);
}
