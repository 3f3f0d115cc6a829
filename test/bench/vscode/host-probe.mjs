// An extension of the benchmark's own: how long the extension host's event loop is blocked, and what its memory consists of.
// On SIGUSR2 it writes a reading to the folder in DEFT_HOST_PROBE and begins anew. Its view shows what VS Code needs for any view, and its commands
// what it needs for edits of a large file and for a diff of many files.
import { renameSync, writeFileSync } from 'node:fs';
import { getHeapSpaceStatistics } from 'node:v8';
import { commands, Range, Uri, window, workspace, WorkspaceEdit } from 'vscode';

/** A block shorter than this is not seen whole. */
const tickMs = 5;
/** Blocks from this length on are listed. */
const listedMs = 30;

export function activate() {
  const folder = process.env['DEFT_HOST_PROBE'];
  let readings = 0;
  let blocks = [];
  let longest = 0;
  let busiest = 0;
  let last = performance.now();
  let lastWorked = workedMs();
  const look = () => {
    const now = performance.now();
    const worked = workedMs();
    const blocked = now - last - tickMs;
    longest = Math.max(longest, blocked);
    busiest = Math.max(busiest, Math.min(blocked, worked - lastWorked));
    if (blocked >= listedMs) blocks.push(Math.round(blocked));
    last = now;
    lastWorked = worked;
  };
  setInterval(look, tickMs).unref();
  window.registerWebviewViewProvider('blank.view', {
    resolveWebviewView: ({ webview }) => void (webview.html = '<p>There it is.</p>'),
  });
  commands.registerCommand('blank.editLargeFile', async () => {
    await editLargeFile(Number(process.env['DEFT_HOST_EDITS']));
    writeFileSync(`${folder}/edited`, '');
  });
  const texts = new Map();
  workspace.registerTextDocumentContentProvider('blank-text', {
    provideTextDocumentContent: (uri) => texts.get(uri.path),
  });
  commands.registerCommand('blank.compareFiles', async () => {
    const files = (await workspace.findFiles('src/*')).sort((one, other) => (one.path < other.path ? -1 : 1));
    for (const file of files) {
      const text = new TextDecoder().decode(await workspace.fs.readFile(file));
      texts.set(file.path, text.replaceAll('changed', 'line'));
    }
    writeFileSync(`${folder}/compares`, String(Date.now()));
    const sides = files.map((file) => [file, file.with({ scheme: 'blank-text' }), file]);
    await commands.executeCommand('vscode.changes', 'Bare', sides);
  });
  process.on('SIGUSR2', () => {
    look();
    const memory = mebibytes({ ...process.memoryUsage(), young: youngHeap() });
    const file = `${folder}/${process.pid}-${++readings}.json`;
    writeFileSync(`${file}.part`, JSON.stringify({ longest, busiest, blocks, memory, own: ownTimes() }));
    renameSync(`${file}.part`, file);
    blocks = [];
    longest = 0;
    busiest = 0;
    last = performance.now();
    lastWorked = workedMs();
  });
  writeFileSync(`${folder}/${process.pid}-listens`, '');
}

/** As little as an extension can do: the number in the first line is replaced, and the file saved. */
async function editLargeFile(edits) {
  const file = Uri.joinPath(workspace.workspaceFolders[0].uri, 'large.txt');
  for (let edit = 1; edit <= edits; edit++) {
    const document = await workspace.openTextDocument(file);
    const change = new WorkspaceEdit();
    change.replace(file, new Range(0, 0, 0, document.lineAt(0).text.length), `let state = ${edit};`);
    await workspace.applyEdit(change);
    await document.save();
  }
}

/** Processor time of this thread: on a busy machine a block is longer than the work in it. */
function workedMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of loading and of activating Deft: VS Code's own figure begins earlier, and other extensions load within it. */
function ownTimes() {
  const marks = globalThis.MonacoPerformanceMarks?.getMarks() ?? [];
  const at = (name) => marks.find((mark) => mark.name === `code/extHost/${name}/deft-agent.deft`)?.startTime;
  return {
    load: at('didLoadExtensionCode') - at('willLoadExtensionCode'),
    activate: at('didActivateExtension') - at('willActivateExtension'),
  };
}

/** What V8 keeps for new objects: it grows while much is made, whether or not anything is held. */
function youngHeap() {
  return getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_size }) => (space_name.startsWith('new_') ? sum + space_size : sum),
    0,
  );
}

function mebibytes(memory) {
  return Object.fromEntries(Object.entries(memory).map(([name, bytes]) => [name, bytes / 2 ** 20]));
}
