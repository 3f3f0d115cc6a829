// Rules of the Messages API for thinking: which config a model takes, with which effort and tool choice, and with which history.
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

const interleaved = 'interleaved-thinking-2025-05-14';
const binding = 'thinking-binding-controls-2026-08-01';

interface Family {
  pattern: RegExp;
  takes: readonly string[];
  offByDefault?: true;
  forcedToolsRefused?: true;
  offNeedsEffort?: true;
  interleaves?: true;
  efforts?: readonly string[];
}

/** What the vendor's pages say of each family; models that are not here are not judged. */
const families: readonly Family[] = [
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

/** What a request says of thinking. */
interface Asked {
  body: JsonObject;
  config: JsonObject | undefined;
  type: string | undefined;
  effort: unknown;
  /** Undefined for a model that is not judged. */
  family: Family | undefined;
  betas: readonly string[];
  countOnly: boolean;
}

const rules: readonly ((asked: Asked) => Violation[])[] = [
  supportedType,
  supportedEffort,
  effortForOff,
  forcedTools,
  blockBinding,
  enabledThinking,
  historyWithoutThinking,
];

export function validateThinking(body: JsonObject, betas: readonly string[], countOnly: boolean): Violation[] {
  const config = isObject(body['thinking']) ? body['thinking'] : undefined;
  const type = config && String(config['type']);
  if (body['thinking'] !== undefined && !['enabled', 'disabled', 'adaptive', 'between_tools'].includes(type ?? '')) {
    return refused("thinking.type: Input should be 'adaptive', 'enabled' or 'disabled'");
  }
  const family = families.find(({ pattern }) => pattern.test(String(body['model'])));
  const effort = isObject(body['output_config']) ? body['output_config']['effort'] : undefined;
  const asked: Asked = { body, config, type, effort, family, betas, countOnly };
  return rules.flatMap((rule) => rule(asked));
}

function refused(message: string, rule = 'thinking-config'): Violation[] {
  return [{ rule, message }];
}

function supportedType({ type, family }: Asked): Violation[] {
  return type !== undefined && family?.takes.includes(type) === false
    ? refused(`"thinking.type.${type}" is not supported for this model.`)
    : [];
}

function supportedEffort({ effort, family }: Asked): Violation[] {
  return effort !== undefined && family?.efforts?.includes(String(effort)) === false
    ? refused(`output_config.effort: '${String(effort)}' is not supported for this model.`, 'effort')
    : [];
}

function effortForOff({ type, effort, family }: Asked): Violation[] {
  const off = type === 'disabled' || type === 'between_tools';
  return family?.offNeedsEffort === true && off && (effort === 'xhigh' || effort === 'max')
    ? refused(`thinking.type '${type}' is not supported at effort '${effort}'`)
    : [];
}

function forcedTools({ body, type, family }: Asked): Violation[] {
  const choice = isObject(body['tool_choice']) ? body['tool_choice']['type'] : undefined;
  const forced = choice === 'any' || choice === 'tool';
  return forced && (type === 'enabled' || family?.forcedToolsRefused === true)
    ? refused('Thinking may not be enabled when tool_choice forces tool use.')
    : [];
}

function blockBinding({ config, betas }: Asked): Violation[] {
  return config?.['block_binding'] !== undefined && !betas.includes(binding)
    ? refused('thinking.adaptive.block_binding: Extra inputs are not permitted')
    : [];
}

function enabledThinking({ body, config, type, family, betas, countOnly }: Asked): Violation[] {
  if (config === undefined || type !== 'enabled') return [];
  const interleaves = family?.interleaves === true && betas.includes(interleaved);
  const found = budget(config, body, interleaves, countOnly);
  if (turnBeginsWithThinking(messagesOf(body))) return found;
  const missing =
    'messages: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
  return [...found, ...refused(missing, 'thinking-start')];
}

function historyWithoutThinking({ body, type, family }: Asked): Violation[] {
  const messages = messagesOf(body);
  const off = type === 'disabled' || (type === undefined && family?.offByDefault === true);
  const last = messages.findLastIndex((message) => isObject(message) && message['role'] === 'assistant');
  return off && blocksOf(messages[last]).some(isThinking)
    ? refused(
        `messages.${last}: When thinking is disabled, an \`assistant\` message in the final position cannot contain \`thinking\`.`,
        'thinking-off',
      )
    : [];
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

/** A tool loop is one turn: it continues with thinking only where it began with it. */
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
