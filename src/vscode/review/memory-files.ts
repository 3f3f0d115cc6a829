// Files that exist in memory only, under a URI scheme of their own: the two sides of a proposal, and baselines.
import * as vscode from 'vscode';

/** In front of what is served where the user's settings would not let VS Code take it for UTF-8. */
const mark = '\uFEFF';
/** Comes out as other bytes in every other encoding. */
const probe = 'é世';
/** What decides how VS Code decodes a file. */
const encodingKeys = ['encoding', 'autoGuessEncoding', 'candidateGuessEncodings'];

/** Nobody has set one of these; no folder's settings apply to files in memory. Undefined where that has to be looked up: each lookup takes VS Code long. */
let utf8Everywhere: boolean | undefined;

interface MemoryFile {
  text: string;
  mtime: number;
  frozen: boolean;
}

export interface MemoryFiles extends vscode.Disposable {
  /** Open editors follow. */
  set(uri: vscode.Uri, text: string): void;
  text(uri: vscode.Uri): string | undefined;
  /** No more typing: the editor turns read-only. */
  freeze(uri: vscode.Uri): void;
  remove(uri: vscode.Uri): void;
  /** Called with what an editor saves. */
  readonly onDidSave: vscode.Event<{ uri: vscode.Uri; text: string }>;
}

/** Registers the scheme. Reads wait for `loaded`: after a reload editors ask before anything is there. */
export function registerMemoryFiles(scheme: string, isReadonly: boolean, loaded: Promise<void>): MemoryFiles {
  const files = new Map<string, MemoryFile>();
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const saved = new vscode.EventEmitter<{ uri: vscode.Uri; text: string }>();
  let clock = Date.now();
  /** Times must grow, or VS Code believes that nothing has changed. */
  const tick = (): number => (clock = Math.max(Date.now(), clock + 1));
  const find = async (uri: vscode.Uri): Promise<MemoryFile> => {
    await loaded;
    const file = files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  };
  const fire = (uri: vscode.Uri, type: vscode.FileChangeType): void => changed.fire([{ uri, type }]);

  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    async stat(uri) {
      const { text, mtime, frozen } = await find(uri);
      const permissions = isReadonly || frozen ? { permissions: vscode.FilePermission.Readonly } : {};
      return {
        type: vscode.FileType.File,
        ctime: mtime,
        mtime,
        size: (await bytesOf(uri, text)).length,
        ...permissions,
      };
    },
    readFile: async (uri) => bytesOf(uri, (await find(uri)).text),
    async writeFile(uri, content) {
      const file = await find(uri);
      if (isReadonly || file.frozen) throw vscode.FileSystemError.NoPermissions(uri);
      file.text = new TextDecoder().decode(content);
      file.mtime = tick();
      saved.fire({ uri, text: file.text });
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  const registration = vscode.workspace.registerFileSystemProvider(scheme, provider, {
    isCaseSensitive: true,
    isReadonly,
  });

  const configured = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('files')) utf8Everywhere = undefined;
  });

  return {
    onDidSave: saved.event,
    set(uri, text) {
      const before = files.get(uri.toString());
      if (before?.text === text) return;
      files.set(uri.toString(), { text, mtime: tick(), frozen: false });
      fire(uri, before === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed);
    },
    text: (uri) => files.get(uri.toString())?.text,
    freeze(uri) {
      const file = files.get(uri.toString());
      if (file === undefined) return;
      files.set(uri.toString(), { ...file, mtime: tick(), frozen: true });
      fire(uri, vscode.FileChangeType.Changed);
    },
    remove(uri) {
      if (files.delete(uri.toString())) fire(uri, vscode.FileChangeType.Deleted);
    },
    dispose() {
      registration.dispose();
      configured.dispose();
      changed.dispose();
      saved.dispose();
    },
  };
}

/**
 * UTF-8. Without a mark only where VS Code reads and writes it as such by itself: the status bar then names the encoding
 * that it has, and what is typed comes back whole.
 */
async function bytesOf(uri: vscode.Uri, text: string): Promise<Uint8Array> {
  const plain = new TextEncoder().encode(text);
  if (isReadAsUtf8(text)) return plain;
  const written = await vscode.workspace.encode(probe, { uri });
  const understood =
    Buffer.from(written).equals(Buffer.from(probe)) && (await vscode.workspace.decode(plain, { uri })) === text;
  return understood ? plain : new TextEncoder().encode(mark + text);
}

/** Without asking VS Code, which costs two round trips for each look at a file: hundreds are opened at once. Where anything is set, it is asked. */
function isReadAsUtf8(text: string): boolean {
  utf8Everywhere ??= encodingKeys.every((key) => isUnset(vscode.workspace.getConfiguration('files').inspect(key)));
  return utf8Everywhere && !/[\0\uFEFF]/.test(text);
}

function isUnset(found: ReturnType<vscode.WorkspaceConfiguration['inspect']>): boolean {
  return (
    found !== undefined &&
    (found.languageIds ?? []).length === 0 &&
    found.globalValue === undefined &&
    found.workspaceValue === undefined &&
    found.workspaceFolderValue === undefined
  );
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
