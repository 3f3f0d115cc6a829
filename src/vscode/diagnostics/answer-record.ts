// Learns whether waiting for a language server is worth it: which kinds of files have been answered in this window. Pure.
import { basename, extname } from 'pathe';

export interface AnswerRecord {
  /** True where an answer may come: one came before, or a server is there and has not stayed silent too often. */
  worthWaiting(path: string, open: boolean, hasServer: boolean): boolean;
  answered(path: string, open: boolean): void;
  /** Waited in vain. */
  silent(path: string, open: boolean): void;
}

/** Waits without an answer before a kind of file is given up. */
const patience = 2;

/** Servers often look at open files only, so open and closed ones are learnt apart. */
export function createAnswerRecord(): AnswerRecord {
  const counts = new Map<string, { answers: number; silences: number }>();
  const countOf = (path: string, open: boolean): { answers: number; silences: number } => {
    const key = `${open ? 'open' : 'closed'} ${extname(path) || basename(path)}`;
    const found = counts.get(key) ?? { answers: 0, silences: 0 };
    counts.set(key, found);
    return found;
  };
  return {
    worthWaiting(path, open, hasServer) {
      const { answers, silences } = countOf(path, open);
      // A server that looks at open files may have nothing to say of a clean one, and that is an answer too.
      if (answers > 0) return open || silences < patience;
      return hasServer && silences < patience;
    },
    answered(path, open) {
      const count = countOf(path, open);
      count.answers++;
      count.silences = 0;
    },
    silent: (path, open) => void countOf(path, open).silences++,
  };
}
