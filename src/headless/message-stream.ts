// Reads --input-format stream-json as it comes: messages wait for their turn, lines of control do not.
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { DeftError } from '../core/text/errors';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { type ControlChannel } from './control/control-channel';
import { type ControlRequest } from './control/control-messages';
import { parseLine } from './input';

/** How long a run waits for the program's first line before it opens its session: programs send `initialize` at once. */
const firstLineMs = 2_000;

export interface MessageStream {
  /** The fields of `initialize` where that is the first line. Its answer is owed all the same: it is taken with the others. */
  initialize(): Promise<ControlRequest['fields'] | undefined>;
  /**
   * The user messages, one after the other; undefined where none waits and a report is due. Throws a DeftError for a line that is
   * neither a message nor of control, once the messages before it are played. Ends early when the signal fires.
   */
  play(isReportDue: () => boolean): AsyncGenerator<PromptInput | undefined>;
  /** Whether a report is due may be another answer now. */
  wake(): void;
  /** Messages wait for their turns. */
  waiting(): boolean;
  /** Control lines go there from now on, also while a message is played. */
  attach(control: Pick<ControlChannel, 'take' | 'close'>): void;
}

/** Reads from now on; nothing is lost before `play`. */
export function openMessageStream(stdin: Readable, signal: AbortSignal): MessageStream {
  return new Lines(stdin, signal);
}

class Lines implements MessageStream {
  readonly #signal: AbortSignal;
  readonly #lines: ReturnType<typeof createInterface>;
  readonly #early: string[] = [];
  readonly #waiting: (() => PromptInput)[] = [];
  #control: Pick<ControlChannel, 'take' | 'close'> | undefined;
  #number = 0;
  #spoken = false;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(stdin: Readable, signal: AbortSignal) {
    this.#signal = signal;
    this.#lines = createInterface({ input: stdin, crlfDelay: Infinity, signal });
    this.#lines.on('line', (line) => this.#take(line));
    this.#lines.once('close', () => {
      this.#ended = true;
      this.#control?.close();
      this.#wake?.();
    });
    stdin.once('error', (error) => this.#fail(error));
  }

  async initialize(): Promise<ControlRequest['fields'] | undefined> {
    if (this.#early.length === 0 && !this.#ended) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const given = new AbortController();
      await Promise.race([woken, setTimeout(firstLineMs, undefined, { signal: given.signal }).catch(() => undefined)]);
      given.abort();
      this.#wake = undefined;
    }
    const [first] = this.#early;
    if (first === undefined) return undefined;
    try {
      const read = parseLine(first, 1);
      const request = read.kind === 'control' && read.line.kind === 'request' ? read.line : undefined;
      return request?.subtype === 'initialize' ? request.fields : undefined;
    } catch {
      // It is reported when it is played.
      return undefined;
    }
  }

  attach(control: Pick<ControlChannel, 'take' | 'close'>): void {
    this.#control = control;
    for (const line of this.#early.splice(0)) this.#read(line);
    if (this.#ended) control.close();
  }

  wake(): void {
    this.#wake?.();
  }

  waiting(): boolean {
    return this.#waiting.length > 0;
  }

  async *play(isReportDue: () => boolean): AsyncGenerator<PromptInput | undefined> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next !== undefined) yield next();
        else if (this.#ended) break;
        else if (isReportDue()) yield undefined;
        else {
          await new Promise<void>((resolve) => (this.#wake = resolve));
          this.#wake = undefined;
        }
      }
      if (!this.#spoken && !this.#signal.aborted)
        throw new DeftError('prompt-empty', 'There is no message on standard input.', { audience: 'user' });
    } finally {
      this.#lines.close();
    }
  }

  #take(line: string): void {
    if (this.#control !== undefined) this.#read(line);
    else this.#early.push(line);
    this.#wake?.();
  }

  #read(line: string): void {
    this.#number++;
    if (line.trim() === '') return;
    this.#spoken = true;
    try {
      const read = parseLine(line, this.#number);
      if (read.kind === 'control') this.#control?.take(read.line);
      else this.#add(() => read.prompt);
    } catch (error) {
      this.#fail(error);
    }
  }

  #add(next: () => PromptInput): void {
    this.#waiting.push(next);
    this.#wake?.();
  }

  #fail(error: unknown): void {
    this.#add(() => {
      throw error;
    });
  }
}
