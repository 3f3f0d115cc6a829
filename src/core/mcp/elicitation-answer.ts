// An answer to what an MCP server asks the user, given by a program or a hook in their place: it counts only where it fits the question.
import { type McpFieldValue, type McpRequestField } from '../../shared/mcp-view';
import { isObject } from '../../shared/plain-object';
import { type McpElicitation, type McpPeople } from '../ports/mcp';

export type ElicitationAnswer = Awaited<ReturnType<McpPeople['elicit']>>;

/** A sentence where it is none. */
export function readElicitationAnswer(
  { action, content = {} }: { action?: unknown; content?: unknown },
  request: McpElicitation,
): ElicitationAnswer | string {
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return `\`action\` must be accept, decline or cancel, not ${JSON.stringify(action)}.`;
  if (request.kind === 'url') return { action, content: {} };
  if (!isObject(content)) return '`content` must be an object.';
  const fields = new Map(request.fields.map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(content)) {
    const field = fields.get(name);
    if (field === undefined) return `the server did not ask for \`${name}\`.`;
    if (!fits(value, field)) return `\`${name}\` does not fit what the server asked for (${field.type}).`;
  }
  const missing = request.fields.find(({ name, required }) => required && !Object.hasOwn(content, name));
  return missing === undefined
    ? { action, content: content as Record<string, McpFieldValue> }
    : `\`${missing.name}\` is missing.`;
}

function fits(value: unknown, { type, choices }: McpRequestField): value is McpFieldValue {
  const isChoice = (one: unknown): boolean => choices.some((choice) => choice.value === one);
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return isChoice(value);
    case 'choices':
      return Array.isArray(value) && value.every(isChoice);
  }
}
