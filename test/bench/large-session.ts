// The log of a session that ran for weeks: prompts, replies with a Read or a command each, results, the ends of turns.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { SessionRecord } from '../../src/core/ports/record';
import { encodeRecord } from '../../src/core/sessions/session-codec';
import { sourceText } from './sources';

export interface LargeSession {
  readonly records: number;
  readonly bytes: number;
}

/** Writes at least this many records, and no fewer bytes. `resultLines` is the length of what each call answered. */
export async function writeLargeSession(
  file: string,
  sessionId: string,
  least: { records: number; bytes: number; resultLines: number },
): Promise<LargeSession> {
  const stream = createWriteStream(file);
  let records = 0;
  let bytes = 0;
  for (let turn = 0; records < least.records || bytes < least.bytes; turn++) {
    const lines = turnRecords(turn, sessionId, least.resultLines).map((record) => `${encodeRecord(record)}\n`);
    const chunk = lines.join('');
    records += lines.length;
    bytes += Buffer.byteLength(chunk);
    if (!stream.write(chunk)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return { records, bytes };
}

const callsOfTurn = 12;

const model = 'claude-opus-5';
const usage = {
  input_tokens: 10,
  output_tokens: 200,
  cache_creation_input_tokens: 500,
  cache_read_input_tokens: 90_000,
};

/** The fields that all records have, each record behind the one before. */
class Chain {
  #written = 0;
  #parentUuid: string | null = null;

  constructor(
    readonly turn: number,
    readonly sessionId: string,
  ) {}

  next() {
    const number = String(this.#written++).padStart(6, '0');
    const uuid = `00000000-0000-4000-8000-${String(this.turn).padStart(6, '0')}${number}`;
    const parentUuid = this.#parentUuid;
    this.#parentUuid = uuid;
    return {
      uuid,
      parentUuid,
      timestamp: '2026-01-01T00:00:00.000Z',
      sessionId: this.sessionId,
      cwd: '/w',
      version: '0.1.0',
      gitBranch: 'main',
    };
  }
}

function turnRecords(turn: number, sessionId: string, resultLines: number): SessionRecord[] {
  const chain = new Chain(turn, sessionId);
  return [
    promptRecord(chain),
    ...Array.from({ length: callsOfTurn }, (_, index) => callRecords(chain, index, resultLines)).flat(),
    ...endRecords(chain),
  ];
}

function promptRecord(chain: Chain): SessionRecord {
  const text = `Look at part ${chain.turn} and tell me what it does.`;
  return {
    ...chain.next(),
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    display: { text, attachments: [], images: 0 },
  };
}

/** A Read: what is said before it, the call, the decision, the result. */
function callRecords(chain: Chain, index: number, resultLines: number): SessionRecord[] {
  const { turn } = chain;
  const id = `msg_${turn}_${index}`;
  const toolUseId = `toolu_${turn}_${index}`;
  const message = { id, role: 'assistant' as const, model, stop_reason: null };
  const file_path = `/w/src/part${turn}/file${index}.ts`;
  const content = sourceText(turn * callsOfTurn + index, resultLines);
  const lines = content.split('\n').length;
  return [
    {
      ...chain.next(),
      type: 'assistant',
      message: {
        ...message,
        content: [{ type: 'text', text: `Part ${index} comes next; it is read by what follows.` }],
      },
    },
    {
      ...chain.next(),
      type: 'assistant',
      message: { ...message, content: [{ type: 'tool_use', id: toolUseId, name: 'Read', input: { file_path } }] },
    },
    {
      ...chain.next(),
      type: 'system',
      subtype: 'decision',
      toolUseId,
      by: 'rule',
      behavior: 'allow',
      code: 'rule',
      reason: 'A rule allows it.',
      rule: 'Read',
      ruleBehavior: 'allow',
      source: 'session',
    },
    { ...chain.next(), type: 'system', subtype: 'tool_started', toolUseId },
    {
      ...chain.next(),
      type: 'system',
      subtype: 'reply_end',
      messageId: id,
      stopReason: 'tool_use',
      usage,
      model,
    },
    {
      ...chain.next(),
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId, content }] },
      toolUseResult: {
        type: 'text',
        file: {
          filePath: file_path,
          content: content.slice(0, 2_000),
          numLines: lines,
          startLine: 1,
          totalLines: lines,
          hash: `${turn}-${index}`,
        },
      },
      toolState: 'done',
      durationMs: 4,
    },
  ];
}

function endRecords(chain: Chain): SessionRecord[] {
  const { turn } = chain;
  return [
    {
      ...chain.next(),
      type: 'assistant',
      message: {
        id: `msg_${turn}_end`,
        role: 'assistant',
        model,
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: `Part ${turn} is done.\n\n- one\n- two\n` }],
      },
    },
    {
      ...chain.next(),
      type: 'system',
      subtype: 'reply_end',
      messageId: `msg_${turn}_end`,
      stopReason: 'end_turn',
      usage,
      model,
    },
    { ...chain.next(), type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 60_000 },
  ];
}
