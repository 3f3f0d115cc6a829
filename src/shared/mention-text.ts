// How a path is written behind "@", so that the host reads the same path back.

/** What ends like lines, "#12" or "#L12-L30". */
export const linesAtEnd = /#L?(\d+)(?:-L?(\d+))?$/;

/** In quotes where a sign of it would end the mention or would count as lines; inside quotes every sign but \" stands for itself. */
export function mentionText(path: string, lines?: { start: number; end: number }): string {
  const plain = /^[^\s"'`,;()[\]{}<>]+$/.test(path) && !/[.:!?]$/.test(path) && !linesAtEnd.test(path);
  return `@${plain ? path : `"${path.replaceAll('"', '\\"')}"`}${lines === undefined ? '' : `#${lines.start}-${lines.end}`}`;
}

/** Typed behind "@", it stands for what language servers and linters report. */
export const problemsMention = 'problems';
/** What is in no commit yet. */
export const changesMention = 'changes';
/** The last command of the active terminal. */
export const terminalMention = 'terminal';
/** A definition, by a name behind it: "symbol:sum", "symbol:src/a.ts#sum". */
export const symbolMention = 'symbol:';
/** The last run of tests. */
export const testMention = 'test';
