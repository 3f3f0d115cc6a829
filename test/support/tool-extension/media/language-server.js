// A language server behind VS Code's API, as the extension of a language has it: the real protocol over the pipes of its process.
const { spawn } = require('node:child_process');
const vscode = require('vscode');

/** `server`: a program for Node that speaks LSP with --stdio. Resolves when it is ready. */
exports.serve = async ({ server, languageId, folder }) => {
  const child = spawn(process.execPath, [server, '--stdio'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: ['pipe', 'pipe', 'inherit'] });
  const diagnostics = vscode.languages.createDiagnosticCollection(`deft-test-${languageId}`);
  const rpc = connect(child, {
    'textDocument/publishDiagnostics': ({ uri, diagnostics: found }) => diagnostics.set(vscode.Uri.parse(uri), found.map(diagnosticOf)),
    'workspace/configuration': ({ items }) => items.map(() => null),
  });
  const root = { uri: vscode.Uri.file(folder).toString(), name: 'test' };
  const textDocument = { rename: { prepareSupport: true }, synchronization: {}, publishDiagnostics: {}, references: {}, documentSymbol: { hierarchicalDocumentSymbolSupport: true } };
  await rpc.request('initialize', { processId: process.pid, rootUri: root.uri, workspaceFolders: [root], capabilities: { textDocument, workspace: { workspaceFolders: true } } });
  rpc.notify('initialized', {});

  const isOwn = ({ uri, languageId: id }) => id === languageId && uri.scheme === 'file' && uri.path.startsWith(`${folder}/`);
  const idOf = ({ uri }) => ({ uri: uri.toString() });
  const open = (document) => isOwn(document) && rpc.notify('textDocument/didOpen', { textDocument: { ...idOf(document), languageId, version: document.version, text: document.getText() } });
  const changed = (uri, type) => uri.path.startsWith(`${folder}/`) && rpc.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] });
  const at = (document, { line, character }) => ({ textDocument: idOf(document), position: { line, character } });
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  vscode.workspace.textDocuments.forEach(open);
  const selector = { language: languageId, scheme: 'file', pattern: `${folder}/**` };
  return vscode.Disposable.from(
    diagnostics,
    watcher,
    watcher.onDidCreate((uri) => changed(uri, 1)),
    watcher.onDidChange((uri) => changed(uri, 2)),
    watcher.onDidDelete((uri) => changed(uri, 3)),
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument((document) => isOwn(document) && rpc.notify('textDocument/didClose', { textDocument: idOf(document) })),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isOwn(document)) rpc.notify('textDocument/didChange', { textDocument: { ...idOf(document), version: document.version }, contentChanges: [{ text: document.getText() }] });
    }),
    vscode.languages.registerRenameProvider(selector, {
      async prepareRename(document, position) {
        const found = await rpc.request('textDocument/prepareRename', at(document, position));
        if (found === null) throw new Error('This cannot be renamed.');
        return rangeOf(found.range ?? found);
      },
      provideRenameEdits: async (document, position, newName) => editOf(await rpc.request('textDocument/rename', { ...at(document, position), newName })),
    }),
    vscode.languages.registerReferenceProvider(selector, {
      provideReferences: async (document, position, context) => ((await rpc.request('textDocument/references', { ...at(document, position), context })) ?? []).map(locationOf),
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, position) => [(await rpc.request('textDocument/definition', at(document, position))) ?? []].flat().map(locationOf),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (document) => ((await rpc.request('textDocument/documentSymbol', { textDocument: idOf(document) })) ?? []).map(symbolOf),
    }),
    { dispose: () => child.kill() },
  );
};

/** Messages with a Content-Length in front. */
function connect(child, handlers) {
  const waiting = new Map();
  let received = Buffer.alloc(0);
  let last = 0;
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const take = ({ id, method, params, result, error }) => {
    if (method === undefined) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      return error === undefined ? resolve(result) : reject(new Error(error.message));
    }
    const answer = handlers[method]?.(params) ?? null;
    if (id !== undefined) send({ id, result: answer });
  };
  child.stdout.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const start = head + 4;
      const end = start + Number(/Content-Length: (\d+)/i.exec(received.toString('ascii', 0, head))[1]);
      if (received.length < end) return;
      const message = JSON.parse(received.toString('utf8', start, end));
      received = received.subarray(end);
      take(message);
    }
  });
  return {
    notify: (method, params) => send({ method, params }),
    request: (method, params) => new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      send({ id: last, method, params });
    }),
  };
}

const rangeOf = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);

function locationOf({ uri, range, targetUri, targetSelectionRange }) {
  return new vscode.Location(vscode.Uri.parse(uri ?? targetUri), rangeOf(range ?? targetSelectionRange));
}

function editOf(found) {
  const edit = new vscode.WorkspaceEdit();
  const texts = found?.documentChanges?.map(({ textDocument, edits }) => [textDocument.uri, edits]) ?? Object.entries(found?.changes ?? {});
  for (const [uri, edits] of texts) edit.set(vscode.Uri.parse(uri), edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)));
  return edit;
}

function symbolOf({ name, detail, kind, range, selectionRange, children }) {
  const symbol = new vscode.DocumentSymbol(name, detail ?? '', kind - 1, rangeOf(range), rangeOf(selectionRange));
  symbol.children = (children ?? []).map(symbolOf);
  return symbol;
}

function diagnosticOf({ range, message, severity, source, code }) {
  const diagnostic = new vscode.Diagnostic(rangeOf(range), message, (severity ?? 1) - 1);
  diagnostic.source = source;
  diagnostic.code = code;
  return diagnostic;
}
