// Resolves what a call touches against the file system: links, and what only the disk can say about a command.
import { defined } from '../../shared/defined';
import { dirname, join } from 'pathe';
import { commandFiles, gitFolders, globsOf, type NamedFile, takenBy } from '../permissions/bash/command-scope';
import { type BashLine } from '../permissions/bash/bash-line';
import { type CommandLine, type CommandLines, isReadOnlyLine, readCommand } from '../permissions/command-lines';
import { powerShellFiles, type PowerShellLine } from '../permissions/power-shell/power-shell-line';
import { type PermissionCall, type PermissionTarget } from '../permissions/rules/verdict';
import { type Meanings, meaningsOf } from '../permissions/bash/name-meanings';
import { type ShellNames, usedNames } from '../permissions/bash/shell-names';
import { type FileSystem } from '../ports/files';
import { filesOfGlob } from './glob-files';
import { type Path } from '../ports/path';
import { type HookFiles, isGitHook } from './git-hooks';
import { takenFiles } from './taken-files';
import { type FolderStep, startFolder } from '../tools/bash/bash-folder';
import { type AnyTool, type FileToolTarget } from '../tool/tool';

type Files = HookFiles & Pick<FileSystem, 'list'>;

/** What the rules see of a call. A tool that mostly looks may change something with this input: then it is judged as one that writes. */
export function permissionCall(tool: AnyTool, input: unknown, resolved: Targets): PermissionCall {
  const readOnly = isReadOnlyCall(tool, input, resolved);
  const access = tool.accessOf?.(input) ?? tool.access;
  return {
    tool: tool.name,
    access: access === 'ReadOnly' && !readOnly ? 'WorkspaceWrite' : access,
    readOnly,
    targets: resolved.targets,
    input,
    ...defined({ names: tool.runs?.(input, resolved.cwd) }),
  };
}

/** Command lines that were read already say so themselves, each of them. */
export function isReadOnlyCall(tool: AnyTool, input: unknown, { targets, lines }: Targets): boolean {
  const commands = targets.flatMap((target) => (target.kind === 'command' ? [lines.get(target.command)] : []));
  const isRead = (line: CommandLine | undefined): line is CommandLine => line !== undefined;
  return commands.length > 0 && commands.every(isRead) ? commands.every(isReadOnlyLine) : tool.isReadOnly(input);
}

type Targets = Pick<ResolvedTargets, 'targets' | 'lines' | 'cwd'>;

export interface ResolvedTargets {
  targets: PermissionTarget[];
  /** The command lines among them, parsed. */
  lines: CommandLines;
  /** The folder that relative paths start at, and that a command will run in. */
  cwd: string;
  /** Why that is not the session's own. */
  note?: string;
}

/**
 * A command is followed by the files that it plainly names, so that a link in it cannot lead outside unseen. `known`: the
 * lines of the call, where they were read before.
 */
export async function resolveTargets(
  tool: Pick<AnyTool, 'name' | 'targets'>,
  input: unknown,
  session: {
    cwd: string;
    home: string;
    folders: readonly string[];
    allowedFolders?: () => readonly string[];
    shellNames?: (() => Promise<ShellNames>) | undefined;
  },
  files: Files,
  known: CommandLines = new Map(),
): Promise<ResolvedTargets> {
  const { home } = session;
  const here = tool.targets(input, session.cwd);
  const runs = here.some(({ kind }) => kind === 'command');
  const lines = new Map<string, CommandLine>();
  const read: ReadLine = (text) => {
    const line = lines.get(text) ?? known.get(text) ?? readCommand(tool.name, text);
    if (line !== undefined) lines.set(text, line);
    return line;
  };
  const { cwd, note }: FolderStep = runs ? await startFolder(session, files) : { cwd: session.cwd };
  const resolved = await Promise.all(
    (cwd === session.cwd ? here : tool.targets(input, cwd)).map(async (target): Promise<PermissionTarget[]> => {
      if (target.kind === 'file') return [await resolveFile(target, home, files)];
      if (target.kind !== 'command') return [target];
      const line = read(target.command);
      if (line === undefined) return [{ kind: 'command', command: target.command, cwd }];
      return line.shell === 'PowerShell'
        ? resolvePowerShell(line, cwd, home, files)
        : resolveBash(line, { cwd, home, folders: session.folders, names: await session.shellNames?.(), read }, files);
    }),
  );
  return { targets: resolved.flat(), lines, cwd, ...defined({ note }) };
}

/** With files that only a look could tell, where they are not among the others. */
export async function withFiles(
  resolved: ResolvedTargets,
  further: readonly FileToolTarget[],
  home: string,
  files: Files,
): Promise<ResolvedTargets> {
  const isKnown = ({ access, path }: FileToolTarget): boolean =>
    resolved.targets.some((target) => target.kind === 'file' && target.access === access && target.path === path);
  const others = further.filter((target) => !isKnown(target));
  const targets = await Promise.all(others.map((target) => resolveFile(target, home, files)));
  return { ...resolved, targets: [...resolved.targets, ...targets] };
}

/** Undefined where Deft does not read the language. */
type ReadLine = (text: string) => CommandLine | undefined;

async function resolvePowerShell(
  line: PowerShellLine,
  cwd: string,
  home: string,
  files: Files,
): Promise<PermissionTarget[]> {
  const named = await Promise.all(
    powerShellFiles(line, cwd, home).map(({ access, path }) =>
      resolveFile({ kind: 'file', access, path }, home, files),
    ),
  );
  return [{ kind: 'command', command: line.text, cwd }, ...named];
}

async function resolveBash(
  own: BashLine,
  {
    cwd,
    home,
    folders,
    names,
    read,
  }: {
    cwd: string;
    home: string;
    folders: readonly string[];
    names: ShellNames | undefined;
    read: ReadLine;
  },
  files: Files,
): Promise<PermissionTarget[]> {
  const used = names === undefined ? [] : usedNames(own, names);
  const { means, unclear }: Meanings = used.length === 0 ? { means: [] } : meaningsOf(own, used);
  // What the names stand for touches files as the line itself does.
  const lines = [own, ...means.flatMap(({ text }) => read(text) ?? [])].filter((line) => line.shell === 'Bash');
  const [named, repositories, globs, taken] = await Promise.all([
    Promise.all(
      unlike(lines.flatMap((line) => commandFiles(line, cwd, home))).map((file) => resolveNamed(file, home, files)),
    ),
    Promise.all(
      unlike(lines.flatMap((line) => gitFolders(line, cwd, home))).map((folder) => repositoryAbove(folder, files)),
    ),
    Promise.all(unlike(lines.flatMap((line) => globsOf(line, cwd, home))).map((glob) => filesOfGlob(glob, files))),
    Promise.all(unlike(lines.flatMap((line) => takenBy(line, cwd, home))).map((one) => takenFiles(one, home, files))),
  ]);
  const doubts = [
    ...named.flatMap(({ doubt }) => doubt ?? []),
    ...repositories
      .filter(({ bare }) => bare)
      .map(({ place }) => `git may treat \`${place}\` as a repository and obey its settings.`),
  ];
  const roots = await Promise.all(folders.map((folder) => files.realPath(folder)));
  const inOwnRepository = repositories
    .filter(({ bare, place }) => !bare && roots.some((root) => root === place || root.startsWith(`${place}/`)))
    .map(({ folder }) => folder);
  const found = {
    ...(doubts.length === 0 ? {} : { doubts }),
    ...(globs.length === 0 ? {} : { found: globs.flatMap((one) => one ?? []) }),
    ...(inOwnRepository.length === 0 ? {} : { inOwnRepository }),
    ...(means.length === 0 ? {} : { means }),
    ...defined({ unclear }),
  };
  return [{ kind: 'command', command: own.text, cwd, ...found }, ...named.map(({ target }) => target), ...taken.flat()];
}

type FileTarget = Extract<PermissionTarget, { kind: 'file' }>;

/** `place`: where it leads, if that is known. */
async function resolveFile(
  target: Omit<FileTarget, 'realPath'>,
  home: string,
  files: Files,
  place?: Path,
): Promise<FileTarget> {
  const realPath = place ?? (await files.realPath(target.path));
  const isHook = target.access === 'write' && (await isGitHook(realPath, home, files));
  return { ...target, realPath, ...(isHook ? { isHook } : {}) };
}

function unlike<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

async function resolveNamed(
  { access, path, by, climb }: NamedFile,
  home: string,
  files: Files,
): Promise<{ target: PermissionTarget; doubt?: string }> {
  const plain = await files.realPath(path);
  const realPath = climb === undefined ? plain : await climbedPath(climb, files);
  const target = await resolveFile({ kind: 'file', access, path }, home, files, realPath);
  if (by === 'cd' && realPath !== plain) {
    return {
      target,
      doubt: `\`${climb?.text ?? path}\` goes up from a symlink, and shells disagree about where that leads.`,
    };
  }
  if (by === 'diff' && (await files.stat(realPath))?.type === 'directory') {
    return {
      target,
      doubt: `\`diff\` follows symlinks inside the folder \`${path}\`, which may point outside the workspace.`,
    };
  }
  return { target };
}

/** As the system opens it: a `..` after a link is the folder above what the link leads to. */
async function climbedPath({ from, text }: NonNullable<NamedFile['climb']>, files: Files): Promise<Path> {
  let place = from;
  for (const name of text.split('/')) {
    if (name === '..') place = dirname(await files.realPath(place));
    else if (name !== '' && name !== '.') place = join(place, name);
  }
  return files.realPath(place);
}

/**
 * git looks for its repository from the folder upwards, and a folder that only looks like the inside of one counts: a
 * clone may contain such a folder. Returns the first place that does, or that has a `.git`.
 */
async function repositoryAbove(
  folder: Path,
  files: Files,
): Promise<{ folder: Path; place: Path | undefined; bare: boolean }> {
  for (let place = await files.realPath(folder); ; place = dirname(place)) {
    const [ordinary, bare] = await Promise.all([hasRepository(place, files), looksBare(place, files)]);
    if (ordinary || bare) return { folder, place, bare: bare && !ordinary };
    if (dirname(place) === place) return { folder, place: undefined, bare: false };
  }
}

/** A worktree's `.git` is a file. */
async function hasRepository(folder: Path, files: Files): Promise<boolean> {
  const found = await files.stat(join(folder, '.git'));
  return (
    found?.type === 'file' ||
    (found?.type === 'directory' && (await files.stat(join(folder, '.git/HEAD'))) !== undefined)
  );
}

/** HEAD may be a link that leads nowhere, and objects and refs may be where `commondir` says. */
async function looksBare(folder: Path, files: Files): Promise<boolean> {
  const has = async (name: string): Promise<boolean> => (await files.stat(join(folder, name))) !== undefined;
  const [head, common, objects, refs] = await Promise.all([has('HEAD'), has('commondir'), has('objects'), has('refs')]);
  return head || common || (objects && refs);
}
