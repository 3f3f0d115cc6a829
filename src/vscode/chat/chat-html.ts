// The page that the webview loads: strict content security policy, one script with those that it imports, two style sheets.
import * as vscode from 'vscode';

export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const asset = (path: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', path)).toString();
  const nonce = createNonce();
  const policy = [
    "default-src 'none'",
    // Diagrams are measured in the page before they become pictures: with a style of theirs, and styles at their elements.
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data: blob:`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${asset('codicons/codicon.css')}">
<link rel="stylesheet" href="${asset('webview-style.css')}">
<title>Deft</title>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${asset('webview.js')}"></script>
</body>
</html>`;
}

function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Buffer.from(bytes).toString('base64url');
}
