// What the user wants: the prompt from arguments and standard input, or a stream of user messages.
import { fstatSync } from 'node:fs';
import { type Readable } from 'node:stream';
import { DeftError } from '../core/text/errors';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { isObject } from '../shared/plain-object';
import { type ControlLine, readControlLine } from './control/control-messages';
import { readContent } from './sent-blocks';

/** Whoever started us may have left a pipe open that nothing ever comes through. */
const silentPipeMs = 3_000;

export interface InputSource {
  stdin: Readable;
  /** True for a pipe, a socket or a file: something that was meant to be read. */
  piped: boolean;
  warn(message: string): void;
}

/** Standard input as it was given to this process. */
export function standardInput(warn: (message: string) => void): InputSource {
  return { stdin: process.stdin, piped: isPiped(), warn };
}

function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}

/** Throws a DeftError where there is nothing to do, and what the signal says where that fires meanwhile. */
export async function readPrompt(
  argument: string | undefined,
  source: InputSource,
  signal: AbortSignal,
): Promise<PromptInput> {
  const given = argument?.trim() === '' ? undefined : argument;
  const piped = source.piped ? await readAll(source, given !== undefined, signal) : '';
  const text = [piped.trim() === '' ? undefined : piped.trimEnd(), given]
    .filter((part) => part !== undefined)
    .join('\n\n');
  if (given === undefined && beginsWithControl(piped)) {
    throw new DeftError(
      'input-line',
      'Standard input holds control messages, which are read only with --input-format stream-json and --output-format stream-json.',
      {
        audience: 'user',
      },
    );
  }
  if (text === '') {
    throw new DeftError('prompt-empty', 'There is no prompt. Give one with -p "prompt", or on standard input.', {
      audience: 'user',
    });
  }
  // What another program piped in must not name files to attach.
  return { text, images: [], mentionsIn: given ?? '' };
}

/** A program speaks, and to the wrong runner: its words are not a prompt. */
function beginsWithControl(piped: string): boolean {
  const [first = ''] = piped.trimStart().split('\n', 1);
  try {
    return readControlLine(JSON.parse(first)) !== undefined;
  } catch {
    return false;
  }
}

async function readAll({ stdin, warn }: InputSource, optional: boolean, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      resolve(withoutMark(Buffer.concat(chunks).toString('utf8')));
    };
    const timer = optional
      ? setTimeout(() => {
          warn(
            `No data on standard input for ${silentPipeMs / 1000} s; continuing with the prompt alone. Redirect it from /dev/null to skip the wait.`,
          );
          stdin.destroy();
          finish();
        }, silentPipeMs)
      : undefined;
    stdin.on('data', (chunk: Buffer | string) => {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk));
    });
    stdin.once('end', finish);
    stdin.once('error', reject);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        stdin.destroy();
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

/** Some editors and shells begin a file with a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** A line of --input-format stream-json: a user message, `{"type":"user","message":{"role":"user","content":…}}`, or one of control. */
export type InputLine = { kind: 'message'; prompt: PromptInput } | { kind: 'control'; line: ControlLine };

/** Programs recognize their message by it when it is replayed, and name it to rewind. */
const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws a DeftError that names the line which is neither. */
export function parseLine(line: string, number: number): InputLine {
  let value: unknown;
  try {
    value = JSON.parse(number === 1 ? withoutMark(line) : line);
  } catch (error) {
    throw wrongLine(number, `is not JSON (${(error as Error).message})`);
  }
  const control = readControlLine(value);
  if (control !== undefined) return { kind: 'control', line: control };
  if (!isObject(value) || value['type'] !== 'user') throw wrongLine(number, 'is not a message of type "user"');
  const { message } = value;
  if (!isObject(message) || message['role'] !== 'user') throw wrongLine(number, 'has no message with the role "user"');
  const { content } = message;
  const given = typeof value['uuid'] === 'string' && isUuid.test(value['uuid']) ? { uuid: value['uuid'] } : {};
  if (typeof content === 'string' && content.trim() !== '')
    return { kind: 'message', prompt: { text: content, images: [], ...given } };
  if (!Array.isArray(content)) throw wrongLine(number, 'has no content: it takes a text or a list of blocks');
  const read = readContent(content);
  if ('wrong' in read) throw wrongLine(number, read.wrong);
  return { kind: 'message', prompt: { ...read.prompt, ...given } };
}

function wrongLine(number: number, what: string): DeftError {
  return new DeftError('input-line', `Line ${number} of standard input ${what}.`, { audience: 'user' });
}
