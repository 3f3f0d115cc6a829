// Builds the records of a Codex session: blocks that follow each other are one reply, and a result ends it.
import { type AssistantBlock, type ToolResultContent, type UserBlock } from '../wire/wire';
import { type SessionRecord, type UserRecord } from '../ports/record';

export interface CodexRecords {
  readonly records: SessionRecord[];
  /** Holds for what is added from now on. */
  at: { timestamp: string; model: string };
  reply(block: AssistantBlock): void;
  prompt(content: string | UserBlock[], more?: Partial<Pick<UserRecord, 'isMeta' | 'display'>>): void;
  result(id: string, content: string | ToolResultContent[], failed: boolean): void;
  interrupted(): void;
}

export function createCodexRecords(facts: { id: string; cwd: string; version: string }): CodexRecords {
  const records: SessionRecord[] = [];
  let replies = 0;
  let open = false;
  const envelope = (timestamp: string) => {
    const uuid = `${facts.id || 'codex'}-${records.length}`;
    const before = records.at(-1);
    return {
      uuid,
      parentUuid: before && 'uuid' in before ? before.uuid : null,
      timestamp,
      sessionId: facts.id,
      cwd: facts.cwd,
      version: facts.version,
    };
  };
  const built: CodexRecords = {
    records,
    at: { timestamp: '', model: '' },
    reply(block) {
      if (!open) replies++;
      open = true;
      const message = {
        id: `reply-${replies}`,
        role: 'assistant' as const,
        model: built.at.model,
        content: [block],
        stop_reason: null,
      };
      records.push({ type: 'assistant', ...envelope(built.at.timestamp), message });
    },
    prompt(content, more = {}) {
      open = false;
      records.push({ type: 'user', ...envelope(built.at.timestamp), message: { role: 'user', content }, ...more });
    },
    result(id, content, failed) {
      open = false;
      const block = { type: 'tool_result' as const, tool_use_id: id, content, ...(failed ? { is_error: true } : {}) };
      records.push({ type: 'user', ...envelope(built.at.timestamp), message: { role: 'user', content: [block] } });
    },
    interrupted() {
      open = false;
      records.push({
        type: 'system',
        ...envelope(built.at.timestamp),
        subtype: 'turn_end',
        reason: 'interrupted',
        durationMs: 0,
      });
    },
  };
  return built;
}
