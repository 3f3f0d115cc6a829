// Serves the built webview on a page like the host's, with VS Code's API and theme variables played by this file.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { bodyClasses, themeCss, type ThemeName } from './themes';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

export interface HarnessServer {
  /** The address of the page in a theme. */
  page(theme: ThemeName): string;
  /** The address of a page that removes what pages have kept. */
  readonly forget: string;
  close(): Promise<void>;
}

export async function startHarnessServer(dist: string): Promise<HarnessServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const theme = (url.searchParams.get('theme') ?? 'dark') as ThemeName;
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body);
    if (url.pathname === '/') return send('text/html', html(theme));
    if (url.pathname === '/forget')
      return send('text/html', '<!DOCTYPE html><title>Forget</title><script>sessionStorage.clear();</script>');
    if (url.pathname === '/favicon.ico') return response.writeHead(204).end();
    if (url.pathname === '/theme.css') return send('text/css', themeCss(theme));
    const file = path.join(dist, path.normalize(url.pathname));
    readFile(file).then(
      (body) => send(TYPES[path.extname(file)] ?? 'application/octet-stream', body),
      () => response.writeHead(404).end(),
    );
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    page: (theme) => `http://127.0.0.1:${port}/?theme=${theme}`,
    forget: `http://127.0.0.1:${port}/forget`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The same policy as the host's: what it forbids fails here too. */
function html(theme: ThemeName): string {
  const policy = [
    "default-src 'none'",
    "style-src 'self' 'nonce-harness'",
    "style-src-attr 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "script-src 'nonce-harness'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Deft</title>
    <link rel="stylesheet" href="/theme.css?theme=${theme}" />
    <link rel="stylesheet" href="/codicons/codicon.css" />
    <link rel="stylesheet" href="/webview-style.css" />
  </head>
  <body class="${bodyClasses[theme]}">
    <div id="root"></div>
    <script nonce="harness">
      window.posted = [];
      window.acquireVsCodeApi = () => ({
        postMessage: (message) => window.posted.push(message),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
      });
    </script>
    <script type="module" nonce="harness" src="/webview.js"></script>
  </body>
</html>
`;
}
