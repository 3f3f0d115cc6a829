// Runs a reply's calls while the reply still streams: safe neighbours together, every other call alone, in call order. While one of these
// waits for the user, those that touch other files may ask, too: they run in their turn.
import { messageOf } from '../text/errors';
import { concurrencySafe } from '../tool/build-tool';
import { parseRepairedInput } from '../tool/input-repair';
import { type ToolRegistry } from '../tools/registry';

import { type ExecutedCall, notRunResult, type ToolCall, turnEndedText, useErrorResult } from './tool-call';

export const maxConcurrentTools = 10;

export interface ExecutorOptions {
  registry: ToolRegistry;
  /** `inTurn` is set where the call began ahead of its turn, to ask: it resolves when that has come, with a reason if it never will. */
  execute: (call: ToolCall, inTurn: InTurn | undefined) => Promise<ExecutedCall>;
  /** What the call changes, where that is one thing: it may ask ahead of its turn if no earlier call is on the same. */
  changesOnly?: (call: ToolCall) => string | undefined;
  /** As soon as a call has ended, in the order of their ends. */
  ended: (call: ToolCall, result: ExecutedCall) => void;
  /** In call order, once all earlier calls have ended: the place for changes to the session. */
  settled: (call: ToolCall, result: ExecutedCall) => void;
  /** `ended` or `settled` has thrown: a fault of Deft that must not keep the turn from its end. */
  fault: (call: ToolCall, error: unknown) => void;
  maxConcurrent?: number;
}

export type InTurn = () => Promise<string | undefined>;

interface Entry {
  call: ToolCall;
  safe: boolean;
  running: boolean;
  /** The user is asked about it, and has not answered yet. */
  asks: boolean;
  /** The user was asked about it, and has allowed it. */
  accepted: boolean;
  only: string | undefined;
  /** Set where it waits for its turn. */
  go?: (why: string | undefined) => void;
  result: ExecutedCall | undefined;
}

/** The schedule is that of partitionToolCalls: a call starts when every earlier batch has ended. */
export class StreamingToolExecutor {
  #entries: Entry[] = [];
  #settledCount = 0;
  #stopped: string | undefined;
  /** Of the calls before this one in the reply, those that the user had accepted are still made when a rejection has ended the turn. */
  #keptBefore = 0;
  #idle: (() => void)[] = [];
  readonly #turnOver = new AbortController();

  constructor(private readonly options: ExecutorOptions) {}

  /** Fires when a result ends the turn: nothing more of the reply is wanted. */
  get turnOver(): AbortSignal {
    return this.#turnOver.signal;
  }

  add(call: ToolCall): void {
    this.#entries.push({
      call,
      safe: isSafe(call, this.options.registry),
      running: false,
      asks: false,
      accepted: false,
      only: this.options.changesOnly?.(call),
      result: undefined,
    });
    this.#pump();
  }

  /** The user is asked about this call. */
  asking({ id }: ToolCall): void {
    const entry = this.#entries.find(({ call }) => call.id === id);
    if (entry === undefined) return;
    entry.asks = true;
    entry.accepted = false;
    this.#askAhead();
  }

  /** The user has answered: what comes later waits for the call itself from now on. */
  answered({ id }: ToolCall, allowed: boolean): void {
    const entry = this.#entries.find(({ call }) => call.id === id);
    if (entry === undefined) return;
    entry.asks = false;
    entry.accepted = allowed;
  }

  /** Calls that have not started get a result that says why they never will. */
  stop(why: string): void {
    this.#stopped ??= why;
    this.#keptBefore = 0;
    this.#pump();
  }

  /** Every call's result, in call order. */
  async finish(): Promise<ExecutedCall[]> {
    while (this.#entries.some(({ result }) => result === undefined)) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    return this.#entries.flatMap(({ result }) => result ?? []);
  }

  #pump(): void {
    if (this.#stopped !== undefined) this.#endWaiting(this.#stopped);
    // The first batch that has not ended is the one that may run; it may still grow while the reply streams.
    const batch = partitionToolCalls(this.#entries, (entry) => entry.safe).find((entries) =>
      entries.some(({ result }) => result === undefined),
    );
    batch?.[0]?.go?.(undefined);
    if (this.#stopped !== undefined) return;
    let running = batch?.filter((entry) => entry.running).length ?? 0;
    for (const entry of batch ?? []) {
      if (entry.result !== undefined || entry.running) continue;
      if (running >= (this.options.maxConcurrent ?? maxConcurrentTools)) return;
      running++;
      this.#start(entry);
    }
    this.#askAhead();
  }

  #endWaiting(why: string): void {
    for (const [index, entry] of this.#entries.entries()) {
      if (entry.result !== undefined || (entry.accepted && index < this.#keptBefore)) continue;
      entry.go?.(why);
      if (!entry.running) this.#end(entry, notRunResult(entry.call, why));
    }
  }

  #askAhead(): void {
    if (this.#stopped !== undefined) return;
    const taken = new Set<string>();
    let asks = false;
    for (const entry of this.#entries) {
      if (entry.result !== undefined) continue;
      if (entry.only === undefined || taken.has(entry.only)) return;
      taken.add(entry.only);
      if (!entry.running) {
        if (!asks || taken.size > (this.options.maxConcurrent ?? maxConcurrentTools)) return;
        const turn = new Promise<string | undefined>((resolve) => (entry.go = resolve));
        this.#start(entry, () => turn);
      }
      asks ||= entry.asks;
    }
  }

  #start(entry: Entry, inTurn?: InTurn): void {
    entry.running = true;
    // A throw here is a fault of Deft: it must not keep the other results.
    const broken = (error: unknown): ExecutedCall =>
      useErrorResult(entry.call, `${entry.call.name} failed unexpectedly: ${messageOf(error)}`);
    const execute = async (): Promise<ExecutedCall> => this.options.execute(entry.call, inTurn);
    void execute()
      .catch(broken)
      .then((result) => {
        entry.running = false;
        if (result.endsTurn && this.#stopped === undefined) {
          this.#stopped = turnEndedText;
          this.#keptBefore = this.#entries.indexOf(entry);
        }
        this.#end(entry, result);
        this.#pump();
        if (result.endsTurn) this.#turnOver.abort();
      });
  }

  #end(entry: Entry, result: ExecutedCall): void {
    entry.result = result;
    this.#tell(this.options.ended, entry.call, result);
    for (
      let next = this.#entries[this.#settledCount];
      next?.result !== undefined;
      next = this.#entries[this.#settledCount]
    ) {
      this.#settledCount++;
      this.#tell(this.options.settled, next.call, next.result);
    }
    if (this.#entries.every(({ result: ended }) => ended !== undefined)) {
      const waiting = this.#idle;
      this.#idle = [];
      waiting.forEach((resolve) => resolve());
    }
  }

  #tell(of: ExecutorOptions['ended'], call: ToolCall, result: ExecutedCall): void {
    try {
      of(call, result);
    } catch (error) {
      this.options.fault(call, error);
    }
  }
}

/** What cannot run at all needs no place of its own in the order; a throw counts as unsafe. */
function isSafe(call: ToolCall, registry: ToolRegistry): boolean {
  const tool = registry.find(call.name);
  if (tool === undefined) return true;
  try {
    const parsed = parseRepairedInput(tool, call.input);
    return !parsed.success || concurrencySafe(tool, parsed.data);
  } catch {
    return false;
  }
}

/** Order is kept; the concatenation of the batches is the input. */
export function partitionToolCalls<Call>(calls: readonly Call[], isSafe: (call: Call) => boolean): Call[][] {
  const batches: Call[][] = [];
  let lastIsSafe = false;
  for (const call of calls) {
    const safe = isSafe(call);
    const last = batches.at(-1);
    if (safe && lastIsSafe && last !== undefined) last.push(call);
    else batches.push([call]);
    lastIsSafe = safe;
  }
  return batches;
}
