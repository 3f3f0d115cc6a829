// What a debugger says of a program that stands still, as plain data: frames, scopes and variables by the Debug Adapter Protocol.
import { isObject } from '../../../shared/plain-object';
import { type Clock } from '../../ports/clock';
import { type Debuggee } from '../../ports/debugger';
import { answerWithin, noAnswer } from '../../tool/answer-within';

export interface Frame {
  id: number;
  name: string;
  /** As the debugger writes it; undefined where it has no file. */
  path?: string;
  line: number;
}

export interface Variable {
  name: string;
  value: string;
  /** 0 where nothing is in it. */
  reference: number;
  /** A getter that nobody has called. */
  lazy: boolean;
}

interface Scope {
  name: string;
  reference: number;
  expensive: boolean;
}

/** Asks one program, each question within a time. */
export interface Adapter {
  frames(thread: number, count: number): Promise<{ frames: Frame[]; total: number }>;
  scopes(frame: number): Promise<Scope[]>;
  variables(reference: number): Promise<Variable[]>;
  evaluate(expression: string, frame: number | undefined): Promise<Omit<Variable, 'name' | 'lazy'>>;
  exception(thread: number): Promise<string | undefined>;
}

/** Milliseconds for one question. */
const questionMs = 10_000;

export class NoAnswer extends Error {
  constructor(readonly command: string) {
    super(`The debugger did not answer (${command}) within ${questionMs / 1_000} seconds.`);
  }
}

export function adapterOf(debuggee: Debuggee, signal: AbortSignal, clock: Clock): Adapter {
  const ask = async (command: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> => {
    const answer = await answerWithin(questionMs, () => debuggee.request(command, input), signal, clock);
    if (answer === noAnswer) throw new NoAnswer(command);
    return isObject(answer) ? answer : {};
  };
  return {
    async frames(threadId, levels) {
      const body = await ask('stackTrace', { threadId, startFrame: 0, levels });
      const frames = listOf(body['stackFrames']).map(frameOf);
      return { frames, total: Math.max(numberOf(body['totalFrames']), frames.length) };
    },
    async scopes(frameId) {
      const body = await ask('scopes', { frameId });
      return listOf(body['scopes']).map((scope) => ({
        name: textOf(scope['name']),
        reference: numberOf(scope['variablesReference']),
        expensive: scope['expensive'] === true,
      }));
    },
    async variables(variablesReference) {
      const body = await ask('variables', { variablesReference });
      return listOf(body['variables'])
        .map((variable) => ({
          name: textOf(variable['name']),
          value: textOf(variable['value']),
          reference: numberOf(variable['variablesReference']),
          lazy: isObject(variable['presentationHint']) && variable['presentationHint']['lazy'] === true,
        }))
        .filter(({ name }) => !groups.has(name));
    },
    async evaluate(expression, frameId) {
      const body = await ask('evaluate', {
        expression,
        context: 'repl',
        ...(frameId === undefined ? {} : { frameId }),
      });
      return { value: textOf(body['result']), reference: numberOf(body['variablesReference']) };
    },
    async exception(threadId) {
      try {
        const { description, exceptionId } = await ask('exceptionInfo', { threadId });
        return textOf(description) || textOf(exceptionId) || undefined;
      } catch (error) {
        // Not every debugger has an answer to it.
        if (signal.aborted) throw error;
        return undefined;
      }
    },
  };
}

/** Folders of the variables view, not variables. */
const groups = new Set(['special variables', 'function variables', 'class variables']);

function frameOf(frame: Record<string, unknown>): Frame {
  const source = isObject(frame['source']) ? frame['source'] : {};
  // With a reference, the text is only in the debugger.
  const path = numberOf(source['sourceReference']) > 0 ? '' : textOf(source['path']);
  return {
    id: numberOf(frame['id']),
    name: textOf(frame['name']),
    ...(path === '' ? {} : { path }),
    line: numberOf(frame['line']),
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
