// A Microsoft Entra token for Foundry, from the account that VS Code is signed in to: for people without an API key.
import * as vscode from 'vscode';

export type AzureAdTokenProvider = () => Promise<string>;

const scopes = ['https://cognitiveservices.azure.com/.default'];

/** Undefined where a key is set, which is asked with then. VS Code renews the session and asks the person to sign in where it must. */
export function azureTokenProvider(variables: Readonly<Record<string, string | undefined>>): AzureAdTokenProvider | undefined {
  if (variables['ANTHROPIC_FOUNDRY_API_KEY']) return undefined;
  return async () => (await vscode.authentication.getSession('microsoft', scopes, { createIfNone: true })).accessToken;
}
