// Rules of the Messages API for tools that are deferred and for the results that load them.
import { isObject, type JsonObject, type Violation } from './violation';

export function validateToolReferences(body: JsonObject): Violation[] {
  const tools = (Array.isArray(body['tools']) ? body['tools'] : []).filter(isObject);
  const found: Violation[] = [];
  const deferred = tools.filter((tool) => tool['defer_loading'] === true);
  for (const tool of tools) {
    if (tool['defer_loading'] !== undefined && typeof tool['defer_loading'] !== 'boolean')
      found.push({
        rule: 'defer-loading',
        message: `tools: defer_loading of ${String(tool['name'])} should be a valid boolean`,
      });
    if (tool['defer_loading'] === true && tool['cache_control'] !== undefined)
      found.push({
        rule: 'defer-loading',
        message: `tools: ${String(tool['name'])} cannot have both defer_loading=true and cache_control set`,
      });
  }
  if (deferred.length > 0 && deferred.length === tools.length)
    found.push({ rule: 'defer-loading', message: 'tools: At least one tool must have defer_loading=false' });
  const names = new Set(deferred.map((tool) => tool['name']));
  for (const name of referencesOf(body))
    if (!names.has(name))
      found.push({ rule: 'tool-reference', message: `Tool reference '${String(name)}' not found in available tools` });
  return found;
}

/** Those that results of the client's tools hold, and those of the API's own search. */
function referencesOf(body: JsonObject): unknown[] {
  const contentOf = (value: unknown): JsonObject[] =>
    isObject(value) && Array.isArray(value['content']) ? value['content'].filter(isObject) : [];
  const searched = ({ content }: JsonObject): unknown => (isObject(content) ? content['tool_references'] : undefined);
  return (Array.isArray(body['messages']) ? body['messages'] : [])
    .flatMap(contentOf)
    .flatMap((block) =>
      block['type'] === 'tool_search_tool_result'
        ? contentOf({ content: searched(block) })
        : block['type'] === 'tool_result'
          ? contentOf(block)
          : [],
    )
    .filter((part) => part['type'] === 'tool_reference')
    .map((part) => part['tool_name']);
}
