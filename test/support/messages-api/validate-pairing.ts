// Rules of the Messages API for tool calls: each one answered once, in the very next message, before anything else in it.
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

/** Checks that tool_use and tool_result blocks pair up. */
export function validatePairing(body: JsonObject): Violation[] {
  const messages = messagesOf(body);
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  const used = new Set<string>();
  messages.forEach((message, index) => {
    if (!isObject(message)) return;
    const blocks = blocksOf(message);
    if (message['role'] === 'assistant') {
      const ids = idsOf(blocks, 'tool_use', 'id');
      for (const id of ids) {
        if (used.has(id)) fail('tool-use-id-unique', `messages.${index}: \`tool_use\` ids must be unique: ${id}`);
        used.add(id);
      }
      const next = messages[index + 1];
      const answered =
        isObject(next) && next['role'] === 'user' ? idsOf(blocksOf(next), 'tool_result', 'tool_use_id') : [];
      const missing = ids.filter((id) => !answered.includes(id));
      if (missing.length > 0) {
        fail(
          'tool-result-missing',
          `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
            `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        );
      }
      return;
    }
    const previous = messages[index - 1];
    const asked =
      isObject(previous) && previous['role'] === 'assistant' ? idsOf(blocksOf(previous), 'tool_use', 'id') : [];
    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    for (const id of results) {
      if (asked.includes(id)) continue;
      const rule = used.has(id) ? 'tool-result-late' : 'tool-result-unknown';
      fail(
        rule,
        `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      );
    }
    for (const id of new Set(results.filter((id, position) => results.indexOf(id) !== position))) {
      fail(
        'tool-result-duplicate',
        `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    const firstOther = blocks.findIndex((block) => block['type'] !== 'tool_result');
    if (firstOther >= 0 && blocks.slice(firstOther).some((block) => block['type'] === 'tool_result')) {
      fail(
        'tool-result-first',
        `messages.${index}.content.${firstOther}: \`tool_result\` blocks must come before all other content of the message`,
      );
    }
  });
  return found;
}

function idsOf(blocks: readonly JsonObject[], type: string, key: string): string[] {
  return blocks.filter((block) => block['type'] === type).map((block) => String(block[key]));
}
