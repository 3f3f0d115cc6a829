// What a recorded task wants, step by step, without saying by which tool: the player turns it into calls of the tools that are offered.

/** What one call does. */
export type CallIntent =
  | { readonly kind: 'list'; readonly pattern: string }
  | {
      readonly kind: 'find';
      readonly text: string;
      readonly lines: boolean;
      readonly glob?: string;
      readonly around?: number;
      /** Outside the workspace. */
      readonly path?: string;
    }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'read'; readonly path: string; readonly from?: number; readonly count?: number }
  | ChangeIntent
  | RunIntent
  | SenseIntent;

export type Intent = CallIntent | TrackIntent;

/** How the list of tasks should stand now: subjects in their order, the first `done` of them done and the next one begun. */
export interface TrackIntent {
  readonly kind: 'track';
  readonly subjects: readonly string[];
  readonly done: number;
}

export type ChangeIntent =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly old: string;
      readonly text: string;
      readonly everywhere: boolean;
      /** Recorded as a mistake: it changes nothing, and the next step shows how the model went on. */
      readonly slip: boolean;
    };

export interface RunIntent {
  readonly kind: 'run';
  readonly command: string;
  /** What the command printed when the task was recorded; without it the command runs for real. */
  readonly recorded?: { readonly output: string; readonly code: number };
  /** What the model has to see of it: where the result lacks one, it looks for them in the file of the whole output. */
  readonly needs?: readonly string[];
}

/** By a tool of its own for it; the programs that it runs print what they printed when the task was recorded, in this order. */
export interface SenseIntent {
  readonly kind: 'sense';
  readonly tool: 'Tests' | 'Problems';
  readonly input: Readonly<Record<string, unknown>>;
  readonly programs: readonly { readonly program: string; readonly output: string; readonly code: number }[];
}

/** One reply of the model: its calls, in order. */
export type Step = readonly Intent[];

export interface Task {
  readonly name: string;
  /** A file of test/replay/repositories, without its ending. */
  readonly repository: string;
  readonly prompt: string;
  readonly steps: readonly Step[];
  readonly answer: string;
  /** The user's settings file. */
  readonly settings?: object;
}

/** Ends the name of a task that is also there without it: the same work by a sense of the agent's own. */
export const bySense = '-by-sense';

export const list = (pattern: string): Intent => ({ kind: 'list', pattern });

/** Which files hold it. */
export const find = (text: string, glob?: string): Intent => ({
  kind: 'find',
  text,
  lines: false,
  ...(glob === undefined ? {} : { glob }),
});

/** The lines that hold it. */
export const lines = (text: string, glob?: string, around?: number): Intent => ({
  kind: 'find',
  text,
  lines: true,
  ...(glob === undefined ? {} : { glob }),
  ...(around === undefined ? {} : { around }),
});

export const symbol = (name: string): CallIntent => ({ kind: 'symbol', name });

export const read = (...paths: string[]): CallIntent[] => paths.map((path) => ({ kind: 'read', path }));

export const readLines = (path: string, from: number, count: number): Intent => ({ kind: 'read', path, from, count });

export const edit = (path: string, old: string, text: string): CallIntent => ({
  kind: 'edit',
  path,
  old,
  text,
  everywhere: false,
  slip: false,
});

export const editAll = (path: string, old: string, text: string): Intent => ({
  kind: 'edit',
  path,
  old,
  text,
  everywhere: true,
  slip: false,
});

/** An edit that the file refuses, as it happened when the task was recorded. */
export const slip = (path: string, old: string, text: string): Intent => ({
  kind: 'edit',
  path,
  old,
  text,
  everywhere: false,
  slip: true,
});

export const write = (path: string, text: string): Intent => ({ kind: 'write', path, text });

/** Runs for real. */
export const run = (command: string): Intent => ({ kind: 'run', command });

/** Played back: not every machine has the program, and its times differ. */
export const recorded = (command: string, output: string, code = 0): Intent => ({
  kind: 'run',
  command,
  recorded: { output, code },
});

/** The same task by a model that keeps a list: a subject for each step, and at the end one more reply that says that all is done. */
export function withList(task: Task, subjects: readonly string[]): Task {
  if (subjects.length !== task.steps.length) throw new Error(`${task.name} has ${task.steps.length} steps.`);
  const track = (done: number): Intent => ({ kind: 'track', subjects, done });
  const steps = task.steps.map((step, index): Step => [track(index), ...step]);
  return { ...task, name: `${task.name}-by-list`, steps: [...steps, [track(subjects.length)]] };
}

/** Played back; the model cannot go on before it has seen these texts. */
export const needed = (command: string, output: string, code: number, ...needs: string[]): Intent => ({
  kind: 'run',
  command,
  recorded: { output, code },
  needs,
});
