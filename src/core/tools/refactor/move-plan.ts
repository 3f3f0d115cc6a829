// What a move of a file or a folder would change: the files that go, and the imports that lead to them.
import { basename, dirname, join } from 'pathe';
import { isInside, isInsideAny } from '../../permissions/rules/workspace-path';
import { type FileProposal } from '../../ports/approver';
import { type TextFile } from '../../ports/files';
import { type Path } from '../../ports/path';
import { fail, readFailure } from '../../tool/file-failure';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { filePath } from '../files/file-path';
import { missingFile } from '../files/file-missing';
import { counted } from '../../../shared/counted';
import { shownPath } from '../grep/glob-root';
import { createMoving, editImports, type Moving } from './import-edits';
import { filesThatName, mentionsOf } from './importers';
import { createAliasReader } from './path-aliases';
import { type RefactorInput } from './refactor-input';
import { maxBytes, maxFiles, type MovedFile, type RefactorPlan, workspaceFolders } from './refactor-plan';
import { hasSpecifiers } from './specifiers';

const maxStrings = 10;

export async function planMove(input: RefactorInput, context: ToolContext): Promise<RefactorPlan | ToolFailure> {
  const { session } = context;
  const [from, to] = [filePath(input.from ?? '', session.cwd), filePath(input.to ?? '', session.cwd)].map(
    plainPath,
  ) as [Path, Path];
  const moves = await movesOf(from, to, context);
  if (isFailure(moves)) return moves;
  const folders = workspaceFolders(session);
  const moving = createMoving(
    new Map(moves.map((move) => [move.from, move.to])),
    context.ports.files,
    createAliasReader(context.ports.files, (folder) => isInsideAny(folder, folders, false)),
  );
  const { patterns = [] } = (await moving.aliases(moves[0]?.from ?? from)) ?? {};
  const aliases = patterns.map(({ pattern }) => pattern).filter((pattern) => !pattern.includes('*'));
  const importers = await filesThatName([...moving.moved.keys()], aliases, folders, context);
  if (isFailure(importers)) return importers;
  const changes = await changesOf(
    [...moving.moved.keys(), ...importers.filter((path) => !moving.moved.has(path)).sort()],
    moving,
    context,
  );
  if (isFailure(changes)) return changes;
  const { files, imports, strings } = changes;
  if (moves.some((move) => session.isHidden(move.to)))
    return fail(
      'hidden',
      'Permission rules would hide a file at its new place from you, so nothing was moved. Tell the user.',
    );
  const hidden = files.filter(({ path }) => session.isHidden(path)).length;
  if (hidden > 0)
    return fail(
      'hidden',
      `Permission rules hide ${counted(hidden, 'file')} whose imports would have to change, so nothing was moved. Tell the user.`,
    );
  if (files.length > maxFiles)
    return fail(
      'too-many-files',
      `This would change ${files.length} files; at most ${maxFiles} can be reviewed at once.`,
    );
  const changed = files.filter(({ base, text }) => base?.text !== text);
  const own = folders.filter((folder) => isInside(from, folder, false)).sort((a, b) => b.length - a.length)[0];
  return {
    title: `move ${shownPath(from, session.cwd)} to ${shownPath(to, session.cwd)}`,
    // What changes comes first: it is what the user has to look at.
    files: [...changed, ...files.filter((file) => !changed.includes(file))],
    moves,
    imports,
    notes: notesOf(strings, own === undefined ? [] : await mentionsOf(from, own, context)),
  };
}

function plainPath(path: Path): Path {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** All files that go, or why none may. */
async function movesOf(from: Path, to: Path, context: ToolContext): Promise<MovedFile[] | ToolFailure> {
  const { ports, session } = context;
  const { files } = ports;
  if (files.move === undefined) return fail('no-editor', 'Files can be moved only in the editor.');
  const folders = workspaceFolders(session);
  const outside = [from, to].filter((path) => !isInsideAny(path, folders, false) || folders.includes(path));
  if (outside.length > 0)
    return fail(
      'outside-workspace',
      `Only what is inside the workspace's folders can be moved, and only to a place inside them; not ${outside.join(' and ')}.`,
    );
  if (session.isHidden(from)) return fail('hidden', `Permission rules hide ${from} from you. Tell the user.`);
  if (from === to) return fail('same-name', 'from and to are the same path: there is nothing to move.');
  if (isInside(to, from, false)) return fail('inside-itself', `A folder cannot be moved into itself: ${to}.`);
  const stat = await files.stat(from);
  if (stat === undefined) return missingFile(from, files, session);
  const present = await files.stat(to);
  // On a disk that does not tell capitals apart it is the file itself; the host finds out.
  if (present !== undefined && from.toLowerCase() !== to.toLowerCase())
    return fail(
      'exists',
      present.type === 'directory'
        ? `${to} is a folder that exists. Give the whole new path, such as ${join(to, basename(from))}.`
        : `${to} exists already. Nothing was moved; choose another name, or ask the user.`,
    );
  const found = stat.type === 'directory' ? await filesBelow(from, context) : [from];
  if (isFailure(found)) return found;
  for (const path of found) {
    const refused = await hindrance(path, context);
    if (refused !== undefined) return refused;
  }
  if (found.length === 0) return fail('nothing-to-change', `${from} is an empty folder: there is nothing to move.`);
  return found.map((path) => ({ from: path, to: to + path.slice(from.length) }));
}

async function filesBelow(folder: Path, context: ToolContext): Promise<Path[] | ToolFailure> {
  const found: Path[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    context.signal.throwIfAborted();
    if ((await context.ports.files.realPath(next)) !== (await realBelow(next, context))) return isLink(next);
    for (const { name, type } of await context.ports.files.list(next)) {
      if (type === 'directory') folders.push(join(next, name));
      else found.push(join(next, name));
    }
    if (found.length + folders.length > maxFiles)
      return fail(
        'too-many-files',
        `${folder} has more than ${maxFiles} files; so many cannot be reviewed at once. Move parts of it, or ask the user.`,
      );
  }
  return found.sort();
}

async function hindrance(path: Path, context: ToolContext): Promise<ToolFailure | undefined> {
  const { ports, session } = context;
  // Its name is not told.
  if (session.isHidden(path))
    return fail(
      'hidden',
      'This would also move files that permission rules hide from you, so nothing was moved. Tell the user.',
    );
  if ((await ports.files.stat(path))?.type === 'other')
    return fail('not-a-file', `${path} is a device, pipe, socket or broken link, so nothing was moved.`);
  if ((await ports.files.realPath(path)) !== (await realBelow(path, context))) return isLink(path);
  return ports.files.isUnsaved?.(path) === true
    ? fail(
        'unsaved',
        `${shownPath(path, session.cwd)} has changes in an editor that are not saved, so nothing was moved. Ask the user to save or revert it.`,
      )
    : undefined;
}

/** Where a path leads that is no link itself, whatever the folders above it are. */
async function realBelow(path: Path, { ports }: ToolContext): Promise<Path> {
  return join(await ports.files.realPath(dirname(path)), basename(path));
}

function isLink(path: Path): ToolFailure {
  return fail('link', `${path} is a link. Links are not moved, so nothing was changed; ask the user.`);
}

interface Changes {
  files: FileProposal[];
  imports: Map<Path, string[]>;
  strings: string[];
}

/** Of moved files all that have text, of others those whose imports change. */
async function changesOf(paths: readonly Path[], moving: Moving, context: ToolContext): Promise<Changes | ToolFailure> {
  const { ports, session } = context;
  const changes: Changes = { files: [], imports: new Map(), strings: [] };
  for (const path of paths) {
    context.signal.throwIfAborted();
    const target = moving.moved.get(path);
    const read = await ports.files.readText(path, maxBytes);
    if (read.outcome === 'refused') {
      // A picture moves as it is; what cannot be read at all is told by the move.
      if (target !== undefined && !hasSpecifiers(path)) continue;
      return readFailure(read);
    }
    const edited = await editImports(path, read.file.text, moving);
    changes.strings.push(
      ...edited.strings.map(({ line, text }) => `${shownPath(target ?? path, session.cwd)}:${line} ${text}`),
    );
    if (target === undefined && edited.replaced.length === 0) continue;
    changes.files.push(proposalOf(target ?? path, read.file, edited.text));
    if (edited.replaced.length > 0) changes.imports.set(target ?? path, edited.replaced);
  }
  return changes;
}

function proposalOf(path: Path, base: TextFile, text: string): FileProposal {
  return { path, base, text, ...(base.path === path ? {} : { movedFrom: base.path }) };
}

function notesOf(strings: readonly string[], mentions: readonly string[]): string[] {
  const listed = (lines: readonly string[]): string =>
    [
      ...lines.slice(0, maxStrings),
      ...(lines.length > maxStrings ? [`… and ${lines.length - maxStrings} more`] : []),
    ].join('\n');
  return [
    ...(strings.length === 0
      ? []
      : [`These strings may name what moved; they are no imports, and were left as they are:\n${listed(strings)}`]),
    ...(mentions.length === 0
      ? []
      : [`These lines have the old path, and were left as they are:\n${listed(mentions)}`]),
  ];
}
