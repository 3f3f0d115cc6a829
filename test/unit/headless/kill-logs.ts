// What a killed session and its agents left in their logs.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { unendedAgents } from '../../../src/core/sessions/started-agents';
import { readRecords } from '../../../src/node/sessions/session-reader';
import type { FinishedCall } from './kill-work';

/** The session's lines under '', its agents' by their files. Whole lines; the last one of each may be torn. */
export type Logs = ReadonlyMap<string, readonly string[]>;

export class SessionLogs {
  readonly #folder: string;
  #known = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The id of a session that was not there before. */
  async newest(): Promise<string | undefined> {
    const names = await logNames(this.#folder);
    const found = names.find((name) => !this.#known.has(name));
    this.#known = new Set(names);
    return found?.replace('.jsonl', '');
  }

  async of(session: string): Promise<Logs> {
    const folder = path.join(this.#folder, session, 'subagents');
    const files = [
      ['', path.join(this.#folder, `${session}.jsonl`)],
      ...(await logNames(folder)).map((name) => [name, path.join(folder, name)]),
    ] as const;
    return new Map(
      await Promise.all(
        files.map(
          async ([name, file]) => [name ?? '', (await readFile(file ?? '', 'utf8')).split('\n').slice(0, -1)] as const,
        ),
      ),
    );
  }

  /** The logs of every session that was found, one after another. */
  async all(): Promise<(readonly [name: string, lines: readonly string[]])[]> {
    const found = await Promise.all([...this.#known].map((name) => this.of(name.replace('.jsonl', ''))));
    return found.flatMap((logs) => [...logs]);
  }
}

/** The agents that a session started and that did not end. */
export function lostAgents(logs: Logs): ReturnType<typeof unendedAgents> {
  return unendedAgents(recordsOf(logs.get('') ?? []));
}

/** The calls that a log says are done. */
export function finishedCalls(lines: readonly string[]): FinishedCall[] {
  const records = recordsOf(lines);
  const calls = records.flatMap((record) =>
    record.type === 'assistant' ? record.message.content.filter((block) => block.type === 'tool_use') : [],
  );
  const done = new Set(
    records.flatMap((record) =>
      record.type === 'user' && record.toolState === 'done' && typeof record.message.content !== 'string'
        ? record.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
        : [],
    ),
  );
  return calls
    .filter(({ id }) => done.has(id))
    .map((call) => ({ name: call.name, input: call.input as Record<string, unknown> }));
}

function recordsOf(lines: readonly string[]) {
  return readRecords(Buffer.from(`${lines.join('\n')}\n`)).records;
}

async function logNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
}
