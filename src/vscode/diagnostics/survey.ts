// What is reported of files, folders or everything, and what was known of them before: one session's looks at VS Code's problems.
import { isInside } from '../../core/permissions/rules/workspace-path';
import * as vscode from 'vscode';
import { type Diagnostic } from '../../core/ports/diagnostics';
import { type Path } from '../../core/ports/path';
import { type ProblemSurvey, type Problems } from '../../core/ports/problems';
import { filePathOf, pathOf, uriOf } from '../host/uri-path';
import { notebookOfCell } from '../notebooks/cell-places';
import { isScript, scriptPattern, typeErrors } from './typescript-server';

export interface SurveyServices {
  current: (paths: Path[]) => Diagnostic[];
  /** An editor shows it, so its servers report by themselves. */
  isOpen: (path: Path) => boolean;
  /** Something has been reported of it since the window opened. */
  isReported: (path: Path) => boolean;
  /** Opens files unseen and waits for a first report, as long as the setting says; those of which nothing came. */
  wake: (paths: Path[], signal: AbortSignal) => Promise<Path[]>;
}

export interface Survey extends Problems {
  /** Before an edit of these files: what is known of them stays what the next look compares with. */
  keep(paths: readonly Path[]): void;
}

/** Files that are asked for one by one. */
const maxAsked = 100;
/** Milliseconds that this may take. */
const askMs = 8_000;
/** Files that are opened to wake their servers. */
const maxWoken = 20;

export function createSurvey({ current, isOpen, isReported, wake }: SurveyServices): Survey {
  const known = new Map<Path, readonly Diagnostic[]>();
  return {
    keep(paths) {
      for (const path of paths)
        if (!known.has(path) && (isOpen(path) || isReported(path))) known.set(path, current([path]));
    },
    async survey(places, signal) {
      const within = (path: Path): boolean =>
        places.length === 0 || places.some((place) => isInside(path, place, false));
      const plain = await filesOf(places.filter((path) => !isScript(path)));
      const scripts = await scriptsIn(
        places.filter((path) => !plain.includes(path)),
        { isAll: places.length === 0, known: [...known.keys()].filter(within) },
        signal,
      );
      const asked = await askEach(
        scripts.paths.filter((path) => !isOpen(path)),
        signal,
      );
      const silent = await wake(plain.filter((path) => !isOpen(path) && !isReported(path)).slice(0, maxWoken), signal);
      const reported = reportedPaths().filter((path) => within(path) && !asked.found.has(path));
      const open = [...known.keys(), ...scripts.paths, ...plain].filter((path) => within(path) && isOpen(path));
      const looked = new Set([...reported, ...open, ...plain.filter((path) => !silent.includes(path))]);
      const now = new Map<Path, readonly Diagnostic[]>(
        // Linters report on it as before.
        [...asked.found].map(([path, errors]) => [path, [...errors, ...current([path]).filter(isOfOthers)]]),
      );
      for (const path of looked) if (!now.has(path)) now.set(path, current([path]));
      const before = new Map(
        [...now.keys()].flatMap((path) => {
          const old = known.get(path);
          return old === undefined ? [] : [[path, old] as const];
        }),
      );
      for (const [path, problems] of now) known.set(path, problems);
      return {
        problems: [...now.values()].flat(),
        before,
        notes: notesOf({ silent, left: scripts.left + asked.left, unanswered: asked.unanswered }),
      } satisfies ProblemSurvey;
    },
  };
}

function isOfOthers({ source }: Diagnostic): boolean {
  return source !== 'ts' && source !== 'js';
}

/** All that has a report now. */
function reportedPaths(): Path[] {
  return [
    ...new Set(
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, found]) => (found.length === 0 ? [] : (filePathOf(uri) ?? notebookOfCell(uri) ?? []))),
    ),
  ];
}

/** TypeScript reports by itself only on what an editor shows. `known`: those that a look before had, which come first. */
async function scriptsIn(
  places: readonly Path[],
  { isAll, known }: { isAll: boolean; known: readonly Path[] },
  signal: AbortSignal,
): Promise<{ paths: Path[]; left: number }> {
  const folders = isAll
    ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)
    : places.filter((place) => !isScript(place)).map(uriOf);
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  signal.addEventListener('abort', stop, { once: true });
  const found = await Promise.all(
    folders.map((folder) =>
      vscode.workspace.findFiles(
        new vscode.RelativePattern(folder, scriptPattern),
        '**/node_modules/**',
        maxAsked * 5,
        cancel.token,
      ),
    ),
  ).finally(() => {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
  });
  signal.throwIfAborted();
  const all = [...new Set([...places.filter(isScript), ...known.filter(isScript), ...found.flat().map(pathOf)])];
  return { paths: all.slice(0, maxAsked), left: Math.max(0, all.length - maxAsked) };
}

async function askEach(
  paths: readonly Path[],
  signal: AbortSignal,
): Promise<{ found: Map<Path, Diagnostic[]>; left: number; unanswered: Path[] }> {
  const found = new Map<Path, Diagnostic[]>();
  const unanswered: Path[] = [];
  const end = Date.now() + askMs;
  for (const [index, path] of paths.entries()) {
    signal.throwIfAborted();
    if (Date.now() >= end) return { found, left: paths.length - index, unanswered };
    const problems = await typeErrors(path);
    if (problems === undefined) unanswered.push(path);
    else found.set(path, problems);
  }
  return { found, left: 0, unanswered };
}

/** Those of the places that are files. */
async function filesOf(places: readonly Path[]): Promise<Path[]> {
  const types = await Promise.all(
    places.map((place) =>
      vscode.workspace.fs.stat(uriOf(place)).then(
        ({ type }) => type,
        () => vscode.FileType.Unknown,
      ),
    ),
  );
  return places.filter((_place, index) => ((types[index] ?? 0) & vscode.FileType.File) !== 0);
}

function notesOf({ silent, left, unanswered }: { silent: Path[]; left: number; unanswered: Path[] }): string[] {
  return [
    ...(left === 0
      ? []
      : [
          `${left} JavaScript and TypeScript files were not looked at: there are too many for one call. Name folders or files.`,
        ]),
    ...(unanswered.length === 0
      ? []
      : [`TypeScript gave no answer about ${listed(unanswered)}. Open them in an editor, or run the compiler.`]),
    ...(silent.length === 0
      ? []
      : [`Nothing has reported on ${listed(silent)}: it may have no language server, or one that is still starting.`]),
  ];
}

function listed(paths: readonly Path[]): string {
  return paths.length <= 3 ? paths.join(', ') : `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more files`;
}
