// The Diagnostics port in VS Code: what language servers report, waited for only where somebody may answer.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { type Diagnostic, type Diagnostics } from '../../core/ports/diagnostics';
import { type Path } from '../../core/ports/path';
import { type Problems } from '../../core/ports/problems';
import { isInTab, openDocument } from '../files/open-documents';
import { filePathOf, uriOf } from '../host/uri-path';
import { type CellPlace, cellsOf, notebookOfCell } from '../notebooks/cell-places';
import { createAnswerRecord } from './answer-record';
import { fixWithDeft } from './fix-action';
import { hasLanguageServer } from './language-servers';
import { createLateProblems, type LateReport } from './late-problems';
import { addedDiagnostics } from '../../core/tools/edit/compare-diagnostics';
import { createSurvey } from './survey';

export interface VscodeDiagnostics extends Diagnostics, Problems, vscode.Disposable {
  /** As one session asks: it gets what comes after newSince() had answered. */
  of(session: string): Diagnostics & Problems;
  /** New problems that came too late for the answer, a moment after they came. */
  onLate(listener: (report: LateReport) => void): vscode.Disposable;
  /** The quick fix "Fix with Deft". */
  readonly codeActions: vscode.CodeActionProvider;
}

export interface DiagnosticsOptions {
  /** Milliseconds that newSince() waits at most. */
  delay: () => number;
}

/** Servers report in several steps; after this pause they have said all for now. */
const quietMs = 150;
/** Late ones are gathered for this long before they are reported. */
const lateMs = 1_000;
/** Of so many files the last report is kept: a forgotten one is only waited for again. */
const maxReports = 2_000;

export function createDiagnostics({ delay }: DiagnosticsOptions): VscodeDiagnostics {
  const record = createAnswerRecord();
  const reported = new Set<(paths: Path[]) => void>();
  /** The number of each file's last report, the latest last: to see what happened between a snapshot and the wait. */
  let counted = 0;
  const reports = new Map<Path, number>();
  const snapshots = new WeakMap<Diagnostic[], Map<Path, number>>();
  const lateReports = new vscode.EventEmitter<LateReport>();

  const current = (paths: Path[]): Diagnostic[] =>
    paths.flatMap((path) =>
      [{ uri: uriOf(path) }, ...cellsOf(path)].flatMap(({ uri, id }: CellPlace) =>
        vscode.languages.getDiagnostics(uri).map((found) => portDiagnostic(path, id, found)),
      ),
    );
  const late = createLateProblems({
    current,
    onLate: (report) => lateReports.fire(report),
    now: Date.now,
    later(callback) {
      const timer = setTimeout(callback, lateMs);
      return () => clearTimeout(timer);
    },
  });
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    const paths = [
      ...new Set(uris.map((uri) => filePathOf(uri) ?? notebookOfCell(uri)).filter((path) => path !== undefined)),
    ];
    for (const path of paths) {
      reports.delete(path);
      reports.set(path, ++counted);
      record.answered(path, isOpen(path));
    }
    for (const path of reports.keys()) {
      if (reports.size <= maxReports) break;
      reports.delete(path);
    }
    late.reported(paths);
    reported.forEach((listener) => listener(paths));
  });

  /** Resolves with those of which nothing came. */
  const wake = async (paths: Path[], signal: AbortSignal): Promise<Path[]> => {
    if (paths.length === 0) return [];
    await Promise.all(
      paths.map((path) => vscode.workspace.openTextDocument(uriOf(path)).then(undefined, () => undefined)),
    );
    const awaited = paths.filter((path) => record.worthWaiting(path, isOpen(path), hasServer(path)));
    if (awaited.length === 0) return paths;
    const silent = await untilQuiet(awaited, (path) => reports.has(path), Math.max(0, delay()), reported, signal);
    return paths.filter((path) => silent.includes(path) || !awaited.includes(path));
  };

  const of = (session: string | undefined): Diagnostics & Problems => {
    const survey = createSurvey({ current, isOpen, isReported: (path) => reports.has(path), wake });
    return {
      survey: survey.survey,
      current(paths) {
        survey.keep(paths);
        const found = current(paths);
        snapshots.set(found, new Map(paths.map((path) => [path, reports.get(path) ?? 0])));
        return found;
      },
      async newSince(before, paths, signal) {
        signal.throwIfAborted();
        const seen = snapshots.get(before);
        const hasReport = (path: Path): boolean => (reports.get(path) ?? 0) > (seen?.get(path) ?? Infinity);
        const awaited = paths.filter(
          (path) => hasReport(path) || record.worthWaiting(path, isOpen(path), hasServer(path)),
        );
        if (awaited.length > 0) {
          const silent = await untilQuiet(awaited, hasReport, Math.max(0, delay()), reported, signal);
          for (const path of silent) record.silent(path, isOpen(path));
        }
        const now = current(paths);
        if (session !== undefined)
          for (const path of paths)
            late.watch(
              session,
              path,
              now.filter((found) => found.path === path),
            );
        return addedDiagnostics(before, now);
      },
    };
  };

  return {
    ...of(undefined),
    of,
    onLate: lateReports.event,
    codeActions: fixWithDeft,
    dispose() {
      subscription.dispose();
      late.dispose();
      lateReports.dispose();
    },
  };
}

/** Waits until every path was reported and a pause followed, at most `delay`; returns the paths that were not. */
function untilQuiet(
  paths: Path[],
  hasReport: (path: Path) => boolean,
  delay: number,
  reported: Set<(paths: Path[]) => void>,
  signal: AbortSignal,
): Promise<Path[]> {
  return new Promise((resolve, reject) => {
    const missing = new Set(paths.filter((path) => !hasReport(path)));
    let quiet: NodeJS.Timeout | undefined;
    const clean = (): void => {
      clearTimeout(quiet);
      clearTimeout(end);
      reported.delete(listen);
      signal.removeEventListener('abort', abort);
    };
    const finish = (): void => {
      clean();
      resolve([...missing]);
    };
    const abort = (): void => {
      clean();
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    const pause = (): void => {
      clearTimeout(quiet);
      if (missing.size === 0) quiet = setTimeout(finish, quietMs);
    };
    const listen = (changed: Path[]): void => {
      if (!changed.some((path) => paths.includes(path))) return;
      changed.forEach((path) => missing.delete(path));
      pause();
    };
    const end = setTimeout(finish, delay);
    reported.add(listen);
    signal.addEventListener('abort', abort, { once: true });
    pause();
  });
}

function isOpen(path: Path): boolean {
  if (cellsOf(path).length > 0) return true;
  const document = openDocument([uriOf(path)]);
  return document !== undefined && isInTab(document);
}

function hasServer(path: Path): boolean {
  return hasLanguageServer(
    vscode.extensions.all,
    path,
    openDocument([uriOf(path)])?.languageId ?? cellsOf(path)[0]?.languageId,
  );
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

function portDiagnostic(
  path: Path,
  cell: string | undefined,
  { range, severity, message, source, code }: vscode.Diagnostic,
): Diagnostic {
  const value = typeof code === 'object' ? code.value : code;
  return {
    path,
    ...defined({ cell }),
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity],
    message,
    ...defined({ source, code: value?.toString() }),
  };
}
