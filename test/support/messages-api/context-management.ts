// What the API does to a conversation on request: the rules of its edits and of its own summaries, and the clearing itself.
import type { SentReply } from './sent-replies';
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

const betaOf: Readonly<Record<string, string>> = {
  clear_thinking_20251015: 'context-management-2025-06-27',
  clear_tool_uses_20250919: 'context-management-2025-06-27',
  compact_20260112: 'compact-2026-01-12',
};
const leastTrigger = 50_000;

/** Edits of a known kind, with their betas, thinking first; a summary of the API only as it was sent, at the beginning. */
export function validateContext(body: JsonObject, betas: readonly string[], sent: readonly SentReply[]): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  const edits = editsOf(body);
  edits.forEach((edit, index) => {
    const type = String(edit['type']);
    const beta = betaOf[type];
    if (beta === undefined) fail('context-edit', `context_management.edits.${index}: Input tag '${type}' is unknown`);
    else if (!betas.includes(beta))
      fail('context-beta', `context_management.edits.${index}: ${type} needs the beta ${beta}`);
    if (edits.findIndex((one) => one['type'] === edit['type']) !== index)
      fail('context-edit', `context_management.edits: ${type} is given twice`);
    if (type === 'clear_thinking_20251015') {
      if (index !== 0) fail('context-order', 'context_management.edits: `clear_thinking_20251015` must come first');
      const thinking = isObject(body['thinking']) ? body['thinking']['type'] : undefined;
      if (thinking !== 'enabled' && thinking !== 'adaptive')
        fail('context-thinking', '`clear_thinking_20251015` requires `thinking` to be enabled or adaptive');
    }
    const trigger = edit['trigger'];
    if (type === 'compact_20260112' && isObject(trigger) && Number(trigger['value']) < leastTrigger)
      fail('context-trigger', `trigger.value: Input should be at least ${leastTrigger}`);
  });
  const known = sent.flatMap(({ blocks }) => blocks);
  messagesOf(body).forEach((message, index) => {
    for (const block of blocksOf(message)) {
      if (block['type'] !== 'compaction') continue;
      if (!betas.includes('compact-2026-01-12'))
        fail('compaction-beta', `messages.${index}: \`compaction\` blocks need the beta compact-2026-01-12`);
      const same = known.some(
        (one) =>
          one.type === 'compaction' && one.content === block['content'] && one.encrypted === block['encrypted_content'],
      );
      if (!same)
        fail(
          'compaction-changed',
          `messages.${index}: \`compaction\` blocks must remain as they were in the original response`,
        );
    }
  });
  return found;
}

/** Clears what the request asks for, as the API would: the oldest results beyond those to keep. Undefined where nothing is cleared. */
export function applyEdits(body: {
  readonly messages: unknown;
  readonly context_management?: unknown;
}): { applied_edits: Record<string, string | number>[] } | undefined {
  const request = body as unknown as JsonObject;
  const edit = editsOf(request).find(({ type }) => type === 'clear_tool_uses_20250919');
  const messages = messagesOf(request);
  const kept = edit && Array.isArray(edit['exclude_tools']) ? (edit['exclude_tools'] as unknown[]) : [];
  const keep = edit && isObject(edit['keep']) ? Number(edit['keep']['value']) : 3;
  const calls = messages.flatMap((message) =>
    blocksOf(message).filter((block) => block['type'] === 'tool_use' && !kept.includes(block['name'])),
  );
  const gone = new Set(
    (edit === undefined ? [] : calls.slice(0, Math.max(0, calls.length - keep))).map((block) => block['id']),
  );
  if (gone.size === 0) return undefined;
  const results = messages.flatMap((message) =>
    blocksOf(message).filter((block) => block['type'] === 'tool_result' && gone.has(block['tool_use_id'])),
  );
  const tokens = results.reduce((sum, { content }) => sum + Math.ceil(JSON.stringify(content).length / 4), 0);
  return {
    applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: gone.size, cleared_input_tokens: tokens }],
  };
}

function editsOf(body: JsonObject): JsonObject[] {
  const management = body['context_management'];
  return isObject(management) && Array.isArray(management['edits']) ? management['edits'].filter(isObject) : [];
}
