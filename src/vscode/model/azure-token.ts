// A Microsoft Entra token for Foundry, from the account that VS Code is signed in to: for users without an API key.
import * as vscode from 'vscode';

/** For the scope that it is given. VS Code renews the session, and asks the user to sign in only where it has none. */
export async function azureToken(scope: string): Promise<string> {
  const session = await vscode.authentication.getSession('microsoft', [scope], { silent: true });
  return (session ?? (await vscode.authentication.getSession('microsoft', [scope], { createIfNone: true })))
    .accessToken;
}
