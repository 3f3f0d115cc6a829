// What runs in the background, whatever kind it is: found by its id, read, waited for, ended.
import { defined } from '../../../shared/defined';
import { headOf } from '../../../shared/cut-text';
import { type CommandEnd } from '../../ports/command-end';
import { type Ports } from '../../ports/ports';
import { endText } from '../../tool/background-end';
import { type ToolSession } from '../../tool/tool';

export interface TaskPorts {
  ports: Pick<Ports, 'terminal'>;
  session: Pick<ToolSession, 'subagents'>;
}

export interface BackgroundTask {
  id: string;
  /** An agent's, in addition to its id. */
  name?: string;
  /** What it does: a command's text, an agent's description. */
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
const sources: readonly ((context: TaskPorts) => BackgroundTask[])[] = [commandTasks, agentTasks];

/** All that the session's host knows of, ended ones too. */
export function backgroundTasks(context: TaskPorts): BackgroundTask[] {
  return sources.flatMap((source) => source(context));
}

/** By id, else by an agent's name. */
export function findTask(id: string, tasks: readonly BackgroundTask[]): BackgroundTask | undefined {
  return tasks.find((task) => task.id === id) ?? tasks.findLast(({ name }) => name === id);
}

/** What to say where no task has this id: those that run, by name. */
export function unknownTask(id: string, tasks: readonly BackgroundTask[]): string {
  const running = tasks.filter(({ end }) => end === undefined).map((task) => `${task.id} (${taskTitle(task)})`);
  const list =
    running.length === 0 ? 'Nothing runs in the background.' : `Running in the background: ${running.join(', ')}.`;
  return `There is no background task ${JSON.stringify(id)}. ${list}`;
}

/** On one line, and not too long. */
export function taskTitle({ title }: Pick<BackgroundTask, 'title'>): string {
  const [first = '', ...more] = title.trim().split('\n');
  return first.length > maxTitle || more.length > 0 ? `${headOf(first, maxTitle)}…` : first;
}

const maxTitle = 100;

function commandTasks({ ports: { terminal } }: TaskPorts): BackgroundTask[] {
  return terminal.background().map(({ taskId, command, outputPath, end }) => ({
    id: taskId,
    title: command,
    outputPath,
    ...defined({ end: end && commandEnd(end) }),
    read: async (maxBytes) => (await terminal.output(taskId, maxBytes)) ?? { tail: '', totalBytes: 0 },
    onEnd: (listener) => terminal.onBackgroundEnd((ended) => void (ended.taskId === taskId && listener())),
    stop: () => terminal.stop(taskId, 'agent'),
  }));
}

function commandEnd(end: CommandEnd): TaskEnd {
  return {
    text: endText(end),
    state: end.state,
    ...('code' in end && end.code !== undefined ? { exitCode: end.code } : {}),
  };
}

const agentEnds = {
  completed: ['is done', 'exited', 0],
  stopped: ['was stopped', 'killed', undefined],
  failed: ['failed', 'exited', 1],
} as const;

function agentTasks({ session: { subagents } }: TaskPorts): BackgroundTask[] {
  return (subagents?.tasks() ?? []).map((agent) => {
    const { id, name, agentType, description, transcript, state } = agent;
    const [text, endState, exitCode] = state === 'running' ? [] : agentEnds[state];
    return {
      id,
      ...defined({ name }),
      title: `${agentType}: ${description}`,
      outputPath: transcript,
      ...(text === undefined ? {} : { end: { text, state: endState, ...defined({ exitCode }) } }),
      read: async (maxBytes) => ({ tail: agent.text.slice(-maxBytes), totalBytes: agent.text.length }),
      onEnd: (listener) => subagents?.onEnd(id, listener) ?? (() => undefined),
      stop: async () => (await subagents?.stop(id, 'agent')) === true,
    };
  });
}
