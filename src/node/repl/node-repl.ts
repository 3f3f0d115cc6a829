// The Repl port: one interpreter a session and language, started by its first call.
import { type Repl, type ReplLanguage, type ReplRequest, type ReplResult } from '../../core/ports/repl';
import javascript from './javascript-child.txt';
import python from './python-child.py';
import { type ReplProcess, startReplProcess } from './repl-process';

export interface NodeReplOptions {
  /** Asked for each new interpreter: complete, without credentials. */
  environment(): Promise<NodeJS.ProcessEnv>;
}

interface Interpreter {
  process: ReplProcess | undefined;
  /** Its session is over. */
  ended: boolean;
  /** The call before. */
  last: Promise<unknown>;
}

export function createNodeRepl(options: NodeReplOptions): Repl {
  const sessions = new Map<string, Map<ReplLanguage, Interpreter>>();
  let disposed = false;

  const interpreterOf = ({ session, language }: ReplRequest): Interpreter => {
    const own = sessions.get(session) ?? new Map<ReplLanguage, Interpreter>();
    sessions.set(session, own);
    const interpreter = own.get(language) ?? { process: undefined, ended: false, last: Promise.resolve() };
    own.set(language, interpreter);
    return interpreter;
  };

  async function run(request: ReplRequest, interpreter: Interpreter, signal: AbortSignal): Promise<ReplResult> {
    const started = Date.now();
    const fresh = interpreter.process?.alive() !== true;
    const result = (partial: Omit<ReplResult, 'durationMs' | 'fresh'>): ReplResult => ({
      ...partial,
      fresh,
      durationMs: Date.now() - started,
    });
    const none = (state: 'stopped' | 'not-started', value: string): ReplResult =>
      result({ state, output: '', value, late: '' });
    const over = (): boolean => disposed || interpreter.ended;
    if (signal.aborted) return none('stopped', '');
    if (over()) return none('not-started', 'The session has ended.');
    if (fresh) {
      const environment = await options.environment();
      if (over()) return none('not-started', 'The session has ended.');
      try {
        interpreter.process = startReplProcess({ ...programOf(request.language, environment), cwd: request.cwd });
      } catch (error) {
        return none('not-started', String(error));
      }
    }
    const answer = await interpreter.process?.evaluate(request.code, request.timeoutMs, signal);
    return answer === undefined ? none('not-started', '') : result(answer);
  }

  const end = async (session: string): Promise<void> => {
    const own = [...(sessions.get(session)?.values() ?? [])];
    sessions.delete(session);
    own.forEach((interpreter) => (interpreter.ended = true));
    await Promise.all(own.map(({ process: each }) => each?.end()));
  };

  return {
    evaluate(request, signal) {
      const interpreter = interpreterOf(request);
      const done = interpreter.last.then(() => run(request, interpreter, signal));
      interpreter.last = done.catch(() => undefined);
      return done;
    },
    end,
    async dispose() {
      disposed = true;
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

function programOf(language: ReplLanguage, environment: NodeJS.ProcessEnv) {
  if (language === 'python')
    return { command: process.platform === 'win32' ? 'python' : 'python3', args: ['-u', '-c', python], environment };
  // VS Code's own program runs as Node where this variable is set.
  const asNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return { command: process.execPath, args: ['-e', javascript], environment: { ...environment, ...asNode } };
}
