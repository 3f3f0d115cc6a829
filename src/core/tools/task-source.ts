// What runs in the background, whatever kind it is: found by its id, read, waited for, ended.
import { headOf } from '../../shared/cut-text';
import { type CommandEnd, type Ports } from '../ports';
import { endText } from './background-end';

export type TaskPorts = Pick<Ports, 'terminal'>;

export interface BackgroundTask {
  id: string;
  /** What it does: a command's text. */
  title: string;
  outputPath: string;
  /** Undefined while it runs. */
  end?: TaskEnd;
  /** The last part of its output. */
  read(maxBytes: number): Promise<{ tail: string; totalBytes: number }>;
  /** Calls once, when it has ended; returns the function that takes the listener away. */
  onEnd(listener: () => void): () => void;
  /** Resolves when it has ended; false where it had ended before. */
  stop(): Promise<boolean>;
}

export interface TaskEnd {
  /** Follows the task's name: "has ended with exit code 1". */
  text: string;
  state: CommandEnd['state'];
  exitCode?: number;
}

/** One entry a kind of task. */
const sources: readonly ((ports: TaskPorts) => BackgroundTask[])[] = [commandTasks];

/** All that the session's host knows of, ended ones too. */
export function backgroundTasks(ports: TaskPorts): BackgroundTask[] {
  return sources.flatMap((source) => source(ports));
}

/** What to say where no task has this id: those that run, by name. */
export function unknownTask(id: string, tasks: readonly BackgroundTask[]): string {
  const running = tasks.filter(({ end }) => end === undefined).map((task) => `${task.id} (${taskTitle(task)})`);
  const list = running.length === 0 ? 'Nothing runs in the background.' : `Running in the background: ${running.join(', ')}.`;
  return `There is no background task ${JSON.stringify(id)}. ${list}`;
}

/** On one line, and not too long. */
export function taskTitle({ title }: Pick<BackgroundTask, 'title'>): string {
  const [first = '', ...more] = title.trim().split('\n');
  return first.length > maxTitle || more.length > 0 ? `${headOf(first, maxTitle)}…` : first;
}

const maxTitle = 100;

function commandTasks({ terminal }: TaskPorts): BackgroundTask[] {
  return terminal.background().map(({ taskId, command, outputPath, end }) => ({
    id: taskId,
    title: command,
    outputPath,
    ...(end === undefined ? {} : { end: commandEnd(end) }),
    read: async (maxBytes) => (await terminal.output(taskId, maxBytes)) ?? { tail: '', totalBytes: 0 },
    onEnd: (listener) => terminal.onBackgroundEnd((ended) => void (ended.taskId === taskId && listener())),
    stop: () => terminal.stop(taskId, 'agent'),
  }));
}

function commandEnd(end: CommandEnd): TaskEnd {
  return { text: endText(end), state: end.state, ...('code' in end && end.code !== undefined ? { exitCode: end.code } : {}) };
}
