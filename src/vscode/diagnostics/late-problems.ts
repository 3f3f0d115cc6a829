// Problems that are reported after an edit had its answer: passed on once, only to the session that made the edit.
import { type Diagnostic } from '../../core/ports/diagnostics';
import { type Path } from '../../core/ports/path';
import { diagnosticPlace } from '../../core/tools/edit/file-diagnostics';
import { addedDiagnostics } from '../../core/tools/edit/compare-diagnostics';

export interface LateReport {
  /** The session that edited the files. */
  session: string;
  /** For its model. */
  text: string;
}

export interface LateProblems {
  /** The session has edited the file and knows of these problems in it. */
  watch(session: string, path: Path, known: Diagnostic[]): void;
  /** The files were reported on. */
  reported(paths: readonly Path[]): void;
  dispose(): void;
}

export interface LateProblemsOptions {
  current: (paths: Path[]) => Diagnostic[];
  onLate: (report: LateReport) => void;
  now: () => number;
  /** Calls back a moment later, once; returns what calls it off. */
  later: (callback: () => void) => () => void;
}

/** Problems that come later than this after an edit are not its consequence. */
const windowMs = 60_000;

interface Watched {
  known: Diagnostic[];
  until: number;
  fresh: boolean;
}

export function createLateProblems({ current, onLate, now, later }: LateProblemsOptions): LateProblems {
  const sessions = new Map<string, Map<Path, Watched>>();
  let cancel: (() => void) | undefined;

  const prune = (): void => {
    for (const [session, files] of sessions) {
      for (const [path, { until, fresh }] of files) if (!fresh && now() > until) files.delete(path);
      if (files.size === 0) sessions.delete(session);
    }
  };
  const found = (files: Map<Path, Watched>): Diagnostic[] =>
    [...files].flatMap(([path, watched]) => {
      if (!watched.fresh) return [];
      const problems = current([path]);
      const fresh = addedDiagnostics(watched.known, problems);
      files.set(path, { ...watched, known: problems, fresh: false });
      return fresh.filter(({ severity }) => severity === 'error' || severity === 'warning');
    });
  const reportAll = (): void => {
    cancel = undefined;
    for (const [session, files] of sessions) {
      const late = found(files);
      if (late.length > 0) onLate({ session, text: lateText(late) });
    }
    prune();
  };

  return {
    watch(session, path, known) {
      prune();
      const files = sessions.get(session) ?? new Map<Path, Watched>();
      sessions.set(session, files);
      files.set(path, { known, until: now() + windowMs, fresh: false });
    },
    reported(paths) {
      prune();
      for (const files of sessions.values()) {
        for (const path of paths) {
          const watched = files.get(path);
          if (watched === undefined) continue;
          watched.fresh = true;
          cancel ??= later(reportAll);
        }
      }
    },
    dispose: () => cancel?.(),
  };
}

function lateText(found: Diagnostic[]): string {
  const lines = found
    .slice(0, 20)
    .map(
      (diagnostic) =>
        `${diagnosticPlace(diagnostic)} ${diagnostic.severity}: ${diagnostic.message.replace(/\s*[\r\n]+\s*/g, ' ')}`,
    );
  if (found.length > 20) lines.push(`… and ${found.length - 20} more`);
  return `New problems were reported after your last edits:\n${lines.join('\n')}`;
}
