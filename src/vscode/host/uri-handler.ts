// vscode://deft-agent.deft/open?prompt=…&session=…: opens the chat and fills the composer, never sends. /mcp-sign-in: the browser comes back from a sign-in.
import * as vscode from 'vscode';
import { headOf } from '../../shared/cut-text';

const maxPromptChars = 10_000;

export interface UriTargets {
  openSession: (id: string) => Promise<void>;
  prefill: (text: string) => Promise<void>;
  /** The query holds the code; only a sign-in that waits for its state takes it. */
  signedIn: (query: string) => Promise<void>;
}

export function createUriHandler(targets: UriTargets): vscode.UriHandler {
  return {
    async handleUri(uri) {
      if (uri.path === '/mcp-sign-in') return targets.signedIn(uri.query);
      if (uri.path !== '/open') {
        void vscode.window.showWarningMessage(`Deft does not know the link ${uri.path}.`);
        return;
      }
      const { session, prompt } = readQuery(uri.query);
      if (session !== undefined) await targets.openSession(session);
      await targets.prefill(headOf(prompt, maxPromptChars));
    },
  };
}

/** VS Code has decoded the query already, so that it contains a prompt's `&` and `+` literally: it is taken whole. */
function readQuery(query: string): { session: string | undefined; prompt: string } {
  // Ids become file names: anything else is not one of ours.
  const found = /(?:^|&)session=([A-Za-z0-9-]{1,100})(?=&|$)/.exec(query);
  const rest = (found === null ? query : query.replace(found[0], '')).replace(/^&/, '');
  return { session: found?.[1], prompt: rest.startsWith('prompt=') ? rest.slice('prompt='.length) : '' };
}
