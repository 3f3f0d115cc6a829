// The last look at a request before it goes out: what the model's provider does not take is left out.
import { defined } from '../../shared/defined';
import { betasFor } from './betas';
import { type ModelCapabilities } from '../wire/model-capabilities';
import { fitCacheControl, fitMessages } from './fit-messages';
import { withoutSuffix } from './models';
import {
  type ContextEdit,
  type Effort,
  type ModelRequest,
  type RequestTool,
  type Thinking,
  type ToolChoice,
} from '../wire/wire';

/** The same request where everything in it is taken. Lists and messages that stay as they are stay the same objects; so do those that were fitted before. */
export function fitRequest(request: ModelRequest, can: ModelCapabilities): ModelRequest {
  const {
    betas: _betas,
    speed,
    thinking: wantedThinking,
    output_config: output,
    metadata,
    context_management: management,
    tool_choice: choice,
    ...rest
  } = request;
  const { effort, format } = output ?? {};
  const taken = effort !== undefined && can.efforts.includes(effort) ? effort : undefined;
  const config = {
    ...defined({ effort: taken }),
    ...(format !== undefined && can.structuredOutput ? { format } : {}),
  };
  const tools = fitTools(request.tools, can);
  const thinking =
    wantedThinking === undefined ? undefined : fitThinking(wantedThinking, taken, request.max_tokens, can);
  const toolChoice = choice === undefined ? undefined : fitToolChoice(choice, tools, thinking, can);
  const kept = (management?.edits ?? []).filter((edit) => takesEdit(edit, can));
  const fitted: ModelRequest = {
    ...rest,
    max_tokens: Math.min(request.max_tokens, can.maxOutputTokens),
    system: fitSystem(request.system, can),
    tools,
    messages: fitMessages(request.messages, can),
    ...defined({ thinking, tool_choice: toolChoice }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(metadata === undefined || !can.metadata ? {} : { metadata }),
    ...(kept.length === 0 ? {} : { context_management: { edits: kept } }),
    ...(speed === undefined || !can.fast ? {} : { speed }),
  };
  const betas = betasFor({ ...fitted, ...defined({ betas: request.betas }) }, can);
  return { ...fitted, model: withoutSuffix(request.model), ...(betas.length === 0 ? {} : { betas }) };
}

function takesEdit({ type }: ContextEdit, can: ModelCapabilities): boolean {
  if (!can.betas) return false;
  switch (type) {
    case 'clear_thinking_20251015':
      return can.thinkingClearing && can.thinking !== 'none';
    case 'clear_tool_uses_20250919':
      return can.contextEditing;
    case 'compact_20260112':
      return can.apiCompaction;
  }
}

const order: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
/** The API accepts no smaller budget, and the answer needs room in addition. */
const leastBudget = 1_024;
const usualBudget = 10_000;

/** In the form that the model takes; undefined: as the model does by itself. */
function fitThinking(
  wanted: Thinking,
  effort: Effort | undefined,
  maxTokens: number,
  can: ModelCapabilities,
): Thinking | undefined {
  if (can.thinking === 'none') return undefined;
  if (wanted.type === 'disabled' || wanted.type === 'between_tools') return switchedOff(wanted, effort, can);
  const { display } = wanted;
  const shown = display !== undefined && can.thinkingDisplay ? { display } : {};
  if (can.thinking === 'budget') {
    const budget =
      wanted.type === 'enabled'
        ? wanted.budget_tokens
        : Math.min(usualBudget, Math.min(maxTokens, can.maxOutputTokens) - leastBudget);
    return budget < leastBudget ? undefined : same(wanted, { type: 'enabled', budget_tokens: budget, ...shown });
  }
  const binding = wanted.type === 'adaptive' && can.blockBinding ? wanted.block_binding : undefined;
  return same(wanted, { type: 'adaptive', ...shown, ...defined({ block_binding: binding }) });
}

function switchedOff(wanted: Thinking, effort: Effort | undefined, can: ModelCapabilities): Thinking | undefined {
  const { thinkingOff, thinkingOffUpTo, defaultEffort } = can;
  if (thinkingOff === undefined) return undefined;
  const level = effort ?? defaultEffort;
  if (thinkingOffUpTo !== undefined && level !== undefined && order.indexOf(level) > order.indexOf(thinkingOffUpTo))
    return undefined;
  return same(wanted, { type: thinkingOff });
}

function same<Part extends object>(old: Part, made: Part): Part {
  return JSON.stringify(old) === JSON.stringify(made) ? old : made;
}

function fitToolChoice(
  choice: ToolChoice,
  tools: readonly RequestTool[],
  thinking: Thinking | undefined,
  can: ModelCapabilities,
): ToolChoice | undefined {
  if (tools.length === 0) return undefined;
  if (choice.type !== 'any' && choice.type !== 'tool') return choice;
  const there = choice.type === 'any' || tools.some(({ name }) => name === choice.name);
  // A call cannot be forced where a budget makes the model think first.
  return can.forcedTools && there && thinking?.type !== 'enabled' ? choice : { type: 'auto' };
}

function fitSystem(system: ModelRequest['system'], can: ModelCapabilities): ModelRequest['system'] {
  const made = system.map((block) => fitCacheControl(block, can));
  return made.every((block, index) => block === system[index]) ? system : made;
}

/** By the list: what was made of it once is the same object in the next request. */
const fitted = new WeakMap<readonly RequestTool[], { can: ModelCapabilities; tools: RequestTool[] }>();

function fitTools(tools: RequestTool[], can: ModelCapabilities): RequestTool[] {
  const known = fitted.get(tools);
  if (known?.can === can) return known.tools;
  const made = tools.flatMap((tool) => fitTool(tool, can));
  const kept = made.length === tools.length && made.every((tool, index) => tool === tools[index]) ? tools : made;
  fitted.set(tools, { can, tools: kept });
  if (kept !== tools) fitted.set(kept, { can, tools: kept });
  return kept;
}

function fitTool(given: RequestTool, can: ModelCapabilities): RequestTool[] {
  if ('type' in given) return (given.type.startsWith('web_search') ? can.webSearch : can.toolSearch) ? [given] : [];
  const tool = fitCacheControl(given, can);
  const { strict, input_examples: examples, eager_input_streaming: eager, defer_loading: deferred, ...rest } = tool;
  const takes =
    (strict === undefined || can.strictTools) &&
    (examples === undefined || can.toolExamples) &&
    (eager === undefined || can.eagerToolStreaming) &&
    (deferred === undefined || can.toolReferences);
  if (takes) return [tool];
  return [
    {
      ...rest,
      ...(strict !== undefined && can.strictTools ? { strict } : {}),
      ...(examples !== undefined && can.toolExamples ? { input_examples: examples } : {}),
      ...(eager !== undefined && can.eagerToolStreaming ? { eager_input_streaming: eager } : {}),
      ...(deferred !== undefined && can.toolReferences ? { defer_loading: deferred } : {}),
    },
  ];
}
