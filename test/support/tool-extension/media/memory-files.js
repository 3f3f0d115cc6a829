// A file system that is on no disk, as extensions for remote repositories bring one: what a window writes there stays as long as the window.
const vscode = require('vscode');

const { File, Directory } = vscode.FileType;

exports.register = () => {
  const files = new Map([['/ws/readme.txt', Buffer.from('of the memory\n')]]);
  const changed = new vscode.EventEmitter();
  const below = (folder) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  const found = ({ path }) => files.get(path) ?? missing(path);
  const missing = (path) => {
    throw vscode.FileSystemError.FileNotFound(path);
  };
  const stat = (uri) =>
    below(uri.path).length > 0
      ? { type: Directory, ctime: 0, mtime: 0, size: 0 }
      : { type: File, ctime: 0, mtime: 1, size: found(uri).length };
  return vscode.workspace.registerFileSystemProvider('memory', {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat,
    readFile: found,
    readDirectory({ path }) {
      const names = new Set(below(path).map((file) => file.slice(path.length + 1).split('/')[0]));
      return [...names].map((name) => [name, files.has(`${path}/${name}`) ? File : Directory]);
    },
    writeFile(uri, content) {
      const type = files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
      files.set(uri.path, Buffer.from(content));
      changed.fire([{ type, uri }]);
    },
    createDirectory: () => undefined,
    delete: (uri) => void files.delete(uri.path),
    rename(from, to) {
      files.set(to.path, found(from));
      files.delete(from.path);
    },
  });
};
