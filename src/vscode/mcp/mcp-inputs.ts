// What entries of `.vscode/mcp.json` want to know of the user, asked by VS Code's own boxes.
import * as vscode from 'vscode';
import { type McpInput } from '../../core/ports/mcp';
import { type AskInput, createInputAnswers, type McpInputs } from './input-answers';

export function createMcpInputs(
  secrets: Pick<vscode.SecretStorage, 'get' | 'store'>,
  ask: AskInput = askUser,
): McpInputs {
  return createInputAnswers(secrets, ask);
}

async function askUser(
  server: string,
  { id, description, isPassword, choices, initial }: McpInput,
  known: string | undefined,
): Promise<string | undefined> {
  const title = `MCP server ${server}: ${id}`;
  if (choices.length === 0)
    return vscode.window.showInputBox({
      title,
      prompt: description,
      password: isPassword,
      ignoreFocusOut: true,
      value: known ?? initial ?? '',
    });
  const items = choices.map(({ value, label }) => ({ label, description: value === initial ? 'default' : '', value }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: description, ignoreFocusOut: true });
  return picked?.value;
}
