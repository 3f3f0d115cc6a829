// The last look at a request before it goes out: what the model's provider does not take is left out.
import { fastModeBeta } from './fast-mode';
import { type ModelCapabilities } from './capabilities';
import { type ModelRequest, type RequestTool } from './wire';

/** The same request where everything in it is taken. Lists and messages that stay as they are stay the same objects. */
export function fitRequest(request: ModelRequest, can: ModelCapabilities): ModelRequest {
  const { betas, speed, thinking, output_config: output, metadata, context_management: management, ...rest } = request;
  const fast = speed !== undefined && can.fast;
  const sent = can.betas ? (betas ?? []).filter((beta) => fast || beta !== fastModeBeta) : [];
  const { effort, format } = output ?? {};
  const config = {
    ...(effort !== undefined && can.efforts.includes(effort) ? { effort } : {}),
    ...(format !== undefined && can.structuredOutput ? { format } : {}),
  };
  return {
    ...rest,
    tools: fitTools(request.tools, can),
    ...(thinking === undefined || can.thinking === 'none' ? {} : { thinking }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(metadata === undefined || !can.metadata ? {} : { metadata }),
    ...(management === undefined || !(can.contextEditing || can.apiCompaction) ? {} : { context_management: management }),
    ...(fast ? { speed } : {}),
    ...(sent.length === 0 ? {} : { betas: sent }),
  };
}

/** By the list: what was made of it once is the same object in the next request. */
const fitted = new WeakMap<readonly RequestTool[], { can: ModelCapabilities; tools: RequestTool[] }>();

function fitTools(tools: RequestTool[], can: ModelCapabilities): RequestTool[] {
  const known = fitted.get(tools);
  if (known?.can === can) return known.tools;
  const made = tools.flatMap((tool) => fitTool(tool, can));
  const same = made.length === tools.length && made.every((tool, index) => tool === tools[index]);
  fitted.set(tools, { can, tools: same ? tools : made });
  return same ? tools : made;
}

function fitTool(tool: RequestTool, can: ModelCapabilities): RequestTool[] {
  if ('type' in tool) return (tool.type === 'web_search_20250305' ? can.webSearch : can.toolSearch) ? [tool] : [];
  const { strict, input_examples: examples, eager_input_streaming: eager, defer_loading: deferred, ...rest } = tool;
  const takes =
    (strict === undefined || can.strictTools) && (examples === undefined || can.toolExamples) && (eager === undefined || can.eagerToolStreaming) && (deferred === undefined || can.toolReferences);
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
