// What the classifier of auto mode is asked, and how its answer is read: what is not plainly an answer is none.
import instructions from './classifier.md';

export interface AutoAction {
  tool: string;
  input: unknown;
  cwd: string;
}

/** Never results or contents of files: who could write those could talk the classifier round. */
export interface AutoHistory {
  /** What the user typed, oldest first. */
  messages: readonly string[];
  actions: readonly AutoAction[];
}

export interface ClassifierAnswer {
  block: boolean;
  reason: string;
}

export const classifierInstructions = instructions.trim();

const maxActionLength = 20_000;
const maxMessageLength = 4_000;
const maxMessages = 30;
/** So many of the agent's actions are asked about, the newest. */
export const maxEarlier = 20;
const maxEarlierLength = 600;

/** Undefined where the action is too long to be judged whole: the end that is cut off might be what matters. */
export function classifierQuestion(action: AutoAction, history: AutoHistory): string | undefined {
  const judged = JSON.stringify(action);
  if (judged.length > maxActionLength) return undefined;
  const { messages } = history;
  // The first message often holds the task, the latest ones what came of it.
  const kept =
    messages.length <= maxMessages ? messages : [...messages.slice(0, 1), ...messages.slice(1 - maxMessages)];
  const words = kept.map((text) => JSON.stringify(cut(text, maxMessageLength)));
  const earlier = history.actions.slice(-maxEarlier).map((one) => cut(JSON.stringify(one), maxEarlierLength));
  return [
    section('What the user wrote, oldest first', words),
    section('What the agent did before, oldest first', earlier),
    section('The action to judge', [judged]),
  ].join('\n\n');
}

/** Undefined for anything but the one object that was asked for. */
export function readAnswer(text: string): ClassifierAnswer | undefined {
  const found = /^\s*\{\s*"block"\s*:\s*(true|false)\s*,\s*"reason"\s*:\s*("(?:[^"\\\n]|\\.)*")\s*\}\s*$/.exec(text);
  if (found === null) return undefined;
  try {
    const reason: unknown = JSON.parse(found[2] ?? '');
    return typeof reason === 'string' && reason.trim() !== ''
      ? { block: found[1] === 'true', reason: cut(reason.trim(), 500) }
      : undefined;
  } catch {
    return undefined;
  }
}

function section(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.length === 0 ? '(nothing)' : lines.join('\n')}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (cut)` : text;
}
