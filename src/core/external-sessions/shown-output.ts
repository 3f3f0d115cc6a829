// What a card shows of an external result: the outputs that have the shape of Deft's own, rebuilt from what can be relied on.
import { type DiffHunk } from '../../shared/tool-view';
import { type Fields, textOf } from './external-session';
import { type Sidechain } from './sidechains';
import { isObject } from '../../shared/plain-object';

const maxNewLines = 200;

/**
 * Undefined where the result's text says it all. Nothing is passed through: a log's outputs are also what Deft reads back as
 * files that it knows and as commands that still run.
 */
export function shownOutput(name: string, input: unknown, output: unknown): Fields | undefined {
  if (!isObject(output) || !isObject(input)) return undefined;
  switch (name) {
    case 'Bash':
      return typeof input['command'] === 'string' ? commandOutput(output) : undefined;
    case 'Edit':
    case 'Write':
      return changeOutput(output);
    case 'TodoWrite':
      return todoOutput(output);
    default:
      return undefined;
  }
}

export function isAgentCall(name: string): boolean {
  return name === 'Task' || name === 'Agent';
}

/** Nobody can continue it: it has no id. */
export function agentOutput(input: unknown, { steps, report, toolUses, tokens, durationMs }: Sidechain): Fields {
  const given = isObject(input) ? input : {};
  return {
    status: 'completed',
    agentId: '',
    agentType: textOf(given['subagent_type']) ?? 'general-purpose',
    description: textOf(given['description']) ?? '',
    content: report,
    steps,
    totalTokens: tokens,
    totalToolUseCount: toolUses,
    totalDurationMs: durationMs,
  };
}

function commandOutput({ stdout, stderr, interrupted }: Fields): Fields | undefined {
  if (typeof stdout !== 'string') return undefined;
  const stopped = interrupted === true;
  return {
    stdout: [stdout, textOf(stderr)].filter((text) => text !== undefined && text !== '').join('\n'),
    stderr: '',
    interrupted: stopped,
    ...(stopped ? { state: 'interrupted' } : { state: 'exited', exitCode: 0 }),
    incomplete: false,
    outputPath: '',
    totalBytes: stdout.length,
    durationMs: 0,
  };
}

function changeOutput({ type, filePath, structuredPatch, content }: Fields): Fields | undefined {
  if (typeof filePath !== 'string' || !Array.isArray(structuredPatch)) return undefined;
  const given = structuredPatch.filter(isHunk);
  const hunks = given.length > 0 || typeof content !== 'string' ? given : [wholeFile(content)];
  const count = (sign: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { filePath, created: type === 'create', structuredPatch: hunks, added: count('+'), removed: count('-') };
}

function wholeFile(content: string): DiffHunk {
  const lines = content.replace(/\n$/, '').split('\n').slice(0, maxNewLines);
  return { oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines: lines.map((line) => `+${line}`) };
}

function isHunk(value: unknown): value is DiffHunk {
  if (!isObject(value)) return false;
  const { lines } = value;
  const numbers = [value['oldStart'], value['oldLines'], value['newStart'], value['newLines']];
  return (
    numbers.every((number) => typeof number === 'number') &&
    Array.isArray(lines) &&
    lines.every((line) => typeof line === 'string')
  );
}

function todoOutput({ newTodos }: Fields): Fields | undefined {
  if (!Array.isArray(newTodos)) return undefined;
  const states: unknown[] = ['pending', 'in_progress', 'completed'];
  const items = newTodos.flatMap((todo: unknown) => {
    if (!isObject(todo) || typeof todo['content'] !== 'string' || !states.includes(todo['status'])) return [];
    return [
      { content: todo['content'], activeForm: textOf(todo['activeForm']) ?? todo['content'], status: todo['status'] },
    ];
  });
  return { oldTodos: [], newTodos: items };
}
