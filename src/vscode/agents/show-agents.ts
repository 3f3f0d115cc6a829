// "/agents": the agents that can be started and where each is defined, and the files that are none and why; a choice opens the file.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { type AgentDefinition } from '../../core/subagents/agent-definition';
import { type Chat } from '../chat/conversation/chat';
import { uriOf } from '../host/uri-path';
import { subagents } from '../../core/features/subagents/subagents-key';

interface Item extends vscode.QuickPickItem {
  file?: string;
}

export async function showAgents(chat: Chat): Promise<void> {
  const list = await (await chat.session()).feature(subagents)?.list();
  if (list === undefined) return;
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items: Item[] = [
    ...list.agents.map((agent): Item => ({
      label: `$(hubot) ${agent.name}`,
      description: placeOf(agent),
      detail: agent.description,
      ...defined({ file: agent.file }),
    })),
    ...(list.problems.length === 0 ? [] : [separator('Problems')]),
    ...list.problems.map(({ file, message }): Item => ({
      label: `$(warning) ${vscode.workspace.asRelativePath(uriOf(file))}`,
      detail: message,
      file,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Agents',
    placeHolder: 'Choose one to open its file',
    matchOnDetail: true,
  });
  if (picked?.file !== undefined) await vscode.commands.executeCommand('vscode.open', uriOf(picked.file));
}

function placeOf({ source, file }: AgentDefinition): string {
  if (file !== undefined) return vscode.workspace.asRelativePath(uriOf(file));
  return source === 'builtIn' ? 'built in' : 'command line';
}
