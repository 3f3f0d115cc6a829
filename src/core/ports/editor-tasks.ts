// Tasks of the editor: those of tasks.json, of package.json and of other extensions, in terminals that the user sees.
import { type Diagnostic } from './diagnostics';

export interface EditorTask {
  /** As the editor's list of tasks shows it; with its folder behind it where several folders have one. */
  name: string;
  /** Who provides it: `Workspace`, `npm` … */
  source: string;
  /** `build`, `test` … */
  group?: string;
  /** Its command line as a shell would be given it; undefined where only the extension that provides it knows. */
  command?: string;
  /** The task keeps running: a server, a watcher. */
  background: boolean;
  /** Names of the tasks that run before it. */
  before: string[];
  /** Why it cannot be started unattended: a sentence. */
  obstacle?: string;
  /** All that defines it: equal where nothing has changed. */
  definition: string;
}

export interface TaskRun {
  /** `running`: it runs in the background, or the time was over. */
  end: { state: 'ended'; code?: number } | { state: 'running' };
  /** What problem matchers and language servers report since it began. */
  problems: Diagnostic[];
  /** How many errors and warnings stood there before and still do: whether it has found them too is not known. */
  unchanged: number;
}

export interface EditorTasks {
  list(): Promise<EditorTask[]>;
  /** Starts it as it was listed, or says in a sentence why not. Rejects at an abort, which ends the task. */
  run(task: EditorTask, timeoutMs: number, signal: AbortSignal): Promise<TaskRun | { problem: string }>;
  /** Ends what `run` started; false where nothing of that name runs. */
  stop(name: string): Promise<boolean>;
}
