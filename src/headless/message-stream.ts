// Reads --input-format stream-json as it comes: messages wait for their turn, lines of control do not.
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { DeftError } from '../core/text/errors';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { type ControlChannel } from './control-channel';
import { parseLine } from './input';

/**
 * The user messages, one after the other. Throws a DeftError for a line that is neither a message nor of control, once the messages
 * before it are played. Ends early when the signal fires.
 */
export async function* readMessages(
  stdin: Readable,
  signal: AbortSignal,
  control: Pick<ControlChannel, 'take' | 'close'>,
): AsyncGenerator<PromptInput> {
  const waiting: (() => PromptInput)[] = [];
  let number = 0;
  let spoken = false;
  let ended = false;
  let wake: (() => void) | undefined;
  const add = (next: () => PromptInput): void => {
    waiting.push(next);
    wake?.();
  };
  const fail = (error: unknown): void =>
    add(() => {
      throw error;
    });

  const lines = createInterface({ input: stdin, crlfDelay: Infinity, signal });
  lines.on('line', (line) => {
    number++;
    if (line.trim() === '') return;
    spoken = true;
    try {
      const read = parseLine(line, number);
      if (read.kind === 'control') control.take(read.line);
      else add(() => read.prompt);
    } catch (error) {
      fail(error);
    }
  });
  lines.once('close', () => {
    ended = true;
    control.close();
    wake?.();
  });
  stdin.once('error', fail);
  try {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next();
      else if (ended) break;
      else {
        await new Promise<void>((resolve) => (wake = resolve));
        wake = undefined;
      }
    }
    if (!spoken && !signal.aborted)
      throw new DeftError('prompt-empty', 'There is no message on standard input.', { audience: 'user' });
  } finally {
    lines.close();
  }
}
