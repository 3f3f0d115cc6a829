// Files behind "@" from the command of `fileSuggestion`: it gets what has been typed as JSON, and prints a path a line, best first.
import { type HookEntry } from '../../../core/hooks/hook-entry';
import { type HookHandlers } from '../../../core/ports/hook-handlers';
import { type MentionSuggestion } from '../../../shared/answers';
import { maxSuggestions } from './mention-index';

/** Then Deft's own list is used instead. */
const timeoutMs = 5_000;

export interface FileSuggestions {
  /** Undefined where the command did not work: Deft's own list is used instead. A later question ends this one. */
  suggest(
    query: string,
    asked: { command: string; project: HookEntry | undefined; cwd: string },
  ): Promise<MentionSuggestion[] | undefined>;
}

export interface FileSuggestionServices {
  /** Runs it without credentials in its environment. */
  handlers: () => Promise<Pick<HookHandlers, 'command'>>;
  /** Asked before each run of a project's command: its scripts may be others than those that were agreed to. */
  gate: { refuses(entry: HookEntry, cwd: string): Promise<string | undefined> };
  onProblem: (problem: string) => void;
  timeoutMs?: number;
}

export function createFileSuggestions({
  handlers,
  gate,
  onProblem,
  timeoutMs: limit = timeoutMs,
}: FileSuggestionServices): FileSuggestions {
  let running: AbortController | undefined;
  return {
    async suggest(query, { command, project, cwd }) {
      running?.abort();
      const own = (running = new AbortController());
      const refused = project === undefined ? undefined : await gate.refuses(project, cwd);
      if (refused !== undefined) return void onProblem(refused);
      const late = AbortSignal.timeout(limit);
      const input = JSON.stringify({ query });
      const result = await (
        await handlers()
      ).command(
        { command, cwd, input, variables: { CLAUDE_PROJECT_DIR: cwd } },
        () => undefined,
        AbortSignal.any([own.signal, late]),
      );
      if (own.signal.aborted) return [];
      if (late.aborted) return void onProblem(`It took longer than ${limit / 1_000} s.`);
      if (result.kind !== 'ended')
        return void onProblem(result.kind === 'failed' ? result.message : 'It did not finish.');
      if (result.exitCode !== 0) return void onProblem(`It ended with exit code ${result.exitCode}.`);
      return suggestedPaths(result.stdout, cwd);
    },
  };
}

/** Relative to the folder, forward slashes; one that ends with a slash is a folder. */
function suggestedPaths(output: string, cwd: string): MentionSuggestion[] {
  const paths = output.split('\n').flatMap((line) => {
    const path = line.trim().replaceAll('\\', '/');
    const relative = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path.replace(/^\.\//, '');
    return relative === '' ? [] : [relative];
  });
  return [...new Set(paths)]
    .slice(0, maxSuggestions)
    .map((path) => ({ path, kind: path.endsWith('/') ? 'folder' : 'file' }));
}
