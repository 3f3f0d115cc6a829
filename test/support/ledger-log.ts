// Logs for tests of the ledger, a line for each thing that happened: "edit src/a.ts", "npm test => 0 41 passed", "says All done."
import { type SessionRecord } from '../../src/core/ports/record';

export const root = '/w';

export type Step =
  | { prompt: string }
  | { edit: string; hash?: string }
  | { read: string; hash: string }
  | { run: string; exit?: number; out?: string; background?: true; state?: string }
  | { call: string; input?: Record<string, unknown>; result?: unknown; denied?: 'user' | 'rule' }
  | { says: string }
  | { record: Record<string, unknown> }
  | 'end';

/** Results come right behind their calls. */
export function ledgerLog(steps: readonly Step[]): SessionRecord[] {
  const log = new Log();
  for (const step of steps) log.add(step);
  return log.records;
}

class Log {
  readonly records: SessionRecord[] = [];
  #ids = 0;

  add(step: Step): void {
    if (step === 'end') return this.#write({ type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 1 });
    if ('record' in step) return this.#write(step.record);
    if ('prompt' in step) return this.#write({ type: 'user', message: { role: 'user', content: step.prompt } });
    if ('says' in step) return this.#reply({ type: 'text', text: step.says });
    if ('edit' in step) {
      const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }];
      const output = { filePath: `${root}/${step.edit}`, structuredPatch, hash: step.hash ?? `h${this.#ids}` };
      return this.#call('Edit', { file_path: `${root}/${step.edit}` }, output);
    }
    if ('read' in step)
      return this.#call(
        'Read',
        { file_path: `${root}/${step.read}` },
        { type: 'text', file: { filePath: `${root}/${step.read}`, hash: step.hash } },
      );
    if ('call' in step) return this.#call(step.call, step.input ?? {}, step.result ?? {}, step.denied);
    const { run, exit = 0, out = '', background, state } = step;
    const ended =
      background === true
        ? { state: 'background', backgroundTaskId: 'b1' }
        : { state: state ?? 'exited', exitCode: exit };
    return this.#call('Bash', { command: run }, { stdout: out, stderr: '', interrupted: false, ...ended });
  }

  #call(name: string, input: unknown, output: unknown, denied?: 'user' | 'rule'): void {
    const id = `toolu_${++this.#ids}`;
    this.#reply({ type: 'tool_use', id, name, input });
    if (denied === undefined) this.#write({ type: 'system', subtype: 'tool_started', toolUseId: id });
    else
      this.#write({
        type: 'system',
        subtype: 'decision',
        toolUseId: id,
        by: denied,
        behavior: 'deny',
        code: 'no-rule',
        reason: 'No.',
      });
    this.#write({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      ...(denied === undefined ? { toolUseResult: output } : {}),
      toolState: denied === undefined ? 'done' : 'denied',
    });
  }

  #reply(block: unknown): void {
    this.#write({
      type: 'assistant',
      message: { id: `msg_${++this.#ids}`, role: 'assistant', model: 'm', content: [block], stop_reason: null },
    });
  }

  #write(content: Record<string, unknown>): void {
    const uuid = `u${this.records.length}`;
    const envelope = {
      uuid,
      parentUuid: null,
      timestamp: '2026-11-28T10:00:00.000Z',
      sessionId: 's',
      cwd: root,
      version: '0',
    };
    this.records.push({ ...envelope, ...content } as unknown as SessionRecord);
  }
}
