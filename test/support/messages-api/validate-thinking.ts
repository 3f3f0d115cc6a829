// Rules of the Messages API for thinking: which config a model takes, beside which effort and tool choice, and with which history.
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

const interleaved = 'interleaved-thinking-2025-05-14';
const binding = 'thinking-binding-controls-2026-08-01';

/** What the vendor's pages say of each family; models that are not here are not judged. */
const families: readonly {
  pattern: RegExp;
  takes: readonly string[];
  offByDefault?: true;
  forcedToolsRefused?: true;
  offNeedsEffort?: true;
  interleaves?: true;
  efforts?: readonly string[];
}[] = [
  { pattern: /(fable|mythos)-5-\d(?!\d)|opus-5-5/, takes: ['adaptive'], forcedToolsRefused: true },
  { pattern: /(fable|mythos)-5/, takes: ['adaptive'] },
  { pattern: /sonnet-5-5/, takes: ['adaptive', 'between_tools'], forcedToolsRefused: true, offNeedsEffort: true },
  { pattern: /haiku-5-5|opus-5/, takes: ['adaptive', 'disabled'], offNeedsEffort: true },
  { pattern: /sonnet-5/, takes: ['adaptive', 'disabled'] },
  { pattern: /opus-4-[78]/, takes: ['adaptive', 'disabled'], offByDefault: true },
  {
    pattern: /(opus|sonnet)-4-6/,
    takes: ['adaptive', 'enabled', 'disabled'],
    offByDefault: true,
    efforts: ['low', 'medium', 'high', 'max'],
  },
  {
    pattern: /opus-4-5/,
    takes: ['enabled', 'disabled'],
    offByDefault: true,
    interleaves: true,
    efforts: ['low', 'medium', 'high'],
  },
  { pattern: /sonnet-4-5/, takes: ['enabled', 'disabled'], offByDefault: true, interleaves: true, efforts: [] },
  { pattern: /haiku-4-5/, takes: ['enabled', 'disabled'], offByDefault: true, efforts: [] },
];

export function validateThinking(body: JsonObject, betas: readonly string[], countOnly: boolean): Violation[] {
  const found: Violation[] = [];
  const fail = (message: string, rule = 'thinking-config'): number => found.push({ rule, message });
  const config = body['thinking'];
  const type = isObject(config) ? String(config['type']) : undefined;
  if (config !== undefined && !['enabled', 'disabled', 'adaptive', 'between_tools'].includes(type ?? '')) {
    fail("thinking.type: Input should be 'adaptive', 'enabled' or 'disabled'");
    return found;
  }
  const family = families.find(({ pattern }) => pattern.test(String(body['model'])));
  if (type !== undefined && family?.takes.includes(type) === false)
    fail(`"thinking.type.${type}" is not supported for this model.`);
  const output = isObject(body['output_config']) ? body['output_config'] : {};
  const effort = output['effort'];
  if (effort !== undefined && family?.efforts?.includes(String(effort)) === false)
    fail(`output_config.effort: '${String(effort)}' is not supported for this model.`, 'effort');
  if (
    family?.offNeedsEffort === true &&
    (type === 'disabled' || type === 'between_tools') &&
    (effort === 'xhigh' || effort === 'max')
  ) {
    fail(`thinking.type '${type}' is not supported at effort '${effort}'`);
  }
  const choice = isObject(body['tool_choice']) ? body['tool_choice']['type'] : undefined;
  const forced = choice === 'any' || choice === 'tool';
  if (forced && (type === 'enabled' || family?.forcedToolsRefused === true))
    fail('Thinking may not be enabled when tool_choice forces tool use.');
  if (isObject(config) && config['block_binding'] !== undefined && !betas.includes(binding))
    fail('thinking.adaptive.block_binding: Extra inputs are not permitted');
  const messages = messagesOf(body);
  if (isObject(config) && type === 'enabled') {
    found.push(...budget(config, body, family?.interleaves === true && betas.includes(interleaved), countOnly));
    if (!turnBeginsWithThinking(messages)) {
      fail(
        'messages: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
        'thinking-start',
      );
    }
  }
  const off = type === 'disabled' || (type === undefined && family?.offByDefault === true);
  const last = messages.findLastIndex((message) => isObject(message) && message['role'] === 'assistant');
  if (off && blocksOf(messages[last]).some(isThinking)) {
    fail(
      `messages.${last}: When thinking is disabled, an \`assistant\` message in the final position cannot contain \`thinking\`.`,
      'thinking-off',
    );
  }
  return found;
}

function budget(config: JsonObject, body: JsonObject, interleaves: boolean, countOnly: boolean): Violation[] {
  const tokens = config['budget_tokens'];
  if (typeof tokens !== 'number' || tokens < 1024) {
    return [
      {
        rule: 'thinking-config',
        message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
      },
    ];
  }
  if (countOnly || interleaves || tokens < Number(body['max_tokens'])) return [];
  return [{ rule: 'thinking-config', message: '`max_tokens` must be greater than `thinking.budget_tokens`' }];
}

/** A tool loop is one turn: it goes on with thinking only where it began with it. */
function turnBeginsWithThinking(messages: readonly unknown[]): boolean {
  const opening = messages.findLastIndex(
    (message) =>
      isObject(message) && message['role'] === 'user' && !blocksOf(message).some(({ type }) => type === 'tool_result'),
  );
  const first = messages.slice(opening + 1).find((message) => isObject(message) && message['role'] === 'assistant');
  const [block] = blocksOf(first);
  return block === undefined || isThinking(block);
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}
