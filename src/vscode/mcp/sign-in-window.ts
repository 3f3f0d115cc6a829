// The window's part of a sign-in: the browser, the address that it comes back to, and a field for those whose browser cannot.
import * as vscode from 'vscode';
import { type SignInWindow } from './sign-in';
import { listenForSignIn } from './sign-in-listener';

/** Where the browser cannot come back. */
export interface PasteField {
  afterMs: number;
  /** True where the user wants to paste the address; undefined where they close the message. */
  offer(server: string): Thenable<boolean | undefined>;
  /** `problemOf`: a sentence where the text is not such an address. */
  ask(server: string, problemOf: (text: string) => string | undefined): Thenable<string | undefined>;
}

export function createSignInWindow(extensionId: string, paste: PasteField = pasteField): SignInWindow {
  const plainRedirect = `${vscode.env.uriScheme}://${extensionId}/mcp-sign-in`;
  return {
    plainRedirect,
    folder: () => vscode.workspace.workspaceFolders?.[0]?.uri.toString(),
    async open(url) {
      if (!(await vscode.env.openExternal(vscode.Uri.parse(url, true))))
        throw new Error('The browser was not opened. Sign in again to retry.');
    },
    async wayBack(server, port, cameBack, signal) {
      const stop = new AbortController();
      const listening = port === undefined ? undefined : await listenForSignIn(port, cameBack);
      const redirect =
        port === undefined
          ? (await vscode.env.asExternalUri(vscode.Uri.parse(plainRedirect))).toString(true)
          : `http://localhost:${port}/callback`;
      let done: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (done = resolve));
      void vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: `Deft: sign in to ${server} in the browser…`,
          cancellable: true,
        },
        (_progress, token) => {
          token.onCancellationRequested(() => stop.abort());
          return ended;
        },
      );
      const pasting = setTimeout(() => void offerPaste(server, paste, stop.signal, ended, cameBack), paste.afterMs);
      return {
        redirect,
        signal: AbortSignal.any([signal, stop.signal]),
        dispose() {
          clearTimeout(pasting);
          done();
          listening?.close();
          listening?.closeAllConnections();
        },
      };
    },
    async discovery(server, metadataUrl) {
      if (metadataUrl === undefined) return undefined;
      return (await import('../../node/mcp/sign-in-metadata')).readSignInMetadata(server, metadataUrl);
    },
  };
}

const pasteField: PasteField = {
  afterMs: 20_000,
  async offer(server) {
    const yes = 'Paste Address';
    return (
      (await vscode.window.showInformationMessage(
        `Signed in to ${server}, and nothing happened here? Paste the address that the browser ended on.`,
        yes,
      )) === yes
    );
  },
  ask: (server, problemOf) =>
    vscode.window.showInputBox({
      title: `Sign in to ${server}`,
      prompt: 'The full address that the browser ended on',
      ignoreFocusOut: true,
      password: true,
      validateInput: problemOf,
    }),
};

/** For browsers that cannot come back: on another machine, or where the link is not led to VS Code. */
async function offerPaste(
  server: string,
  paste: PasteField,
  signal: AbortSignal,
  ended: Promise<void>,
  cameBack: (query: string) => void,
): Promise<void> {
  const wanted = await Promise.race([paste.offer(server), ended]);
  if (wanted !== true || signal.aborted) return;
  const address = await paste.ask(server, (text) =>
    queryOf(text) === undefined && text !== '' ? 'This address has no code and state in it.' : undefined,
  );
  const query = address === undefined ? undefined : queryOf(address);
  if (query !== undefined) cameBack(query);
}

function queryOf(text: string): string | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const { searchParams } = new URL(text.trim());
  return searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'))
    ? searchParams.toString()
    : undefined;
}
