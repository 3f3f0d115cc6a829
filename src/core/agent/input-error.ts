// What a call's input that does not fit is answered with: each bad field by name, and what an unknown one may have meant.
import { type ZodError, type ZodIssue } from 'zod/v3';
import { nearNames } from '../tools/registry';
import { type AnyTool } from '../tool/tool';
import { jsonSchemaOf } from '../tool/tool-schema';

export function inputErrorText(tool: AnyTool, error: ZodError): string {
  return `InputValidationError: ${tool.name} was called with invalid input:\n${error.issues.map((issue) => issueLine(tool, issue)).join('\n')}`;
}

function issueLine(tool: AnyTool, issue: ZodIssue): string {
  const field = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys')
    return `- ${field === '' ? 'the input' : `\`${field}\``}: ${issue.message}${shapeOf(tool, issue)}`;
  const known = knownFields(tool, issue.path);
  const keys = issue.keys.map((key) => {
    // A flag is one letter, as near to every other.
    const [near] = key.startsWith('-') ? [] : nearNames(key, known);
    return near === undefined ? `\`${key}\`` : `\`${key}\` (did you mean \`${near}\`?)`;
  });
  const place = field === '' ? '' : ` in \`${field}\``;
  const all = known.length === 0 ? '; it takes none' : `; known are ${known.map((name) => `\`${name}\``).join(', ')}`;
  return `- unknown parameter ${keys.join(', ')}${place}${all}`;
}

/** What an object has, where something else stands in its place. */
function shapeOf(tool: AnyTool, issue: ZodIssue): string {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object') return '';
  const known = knownFields(tool, issue.path);
  return known.length === 0 ? '' : `; its fields are ${known.map((name) => `\`${name}\``).join(', ')}`;
}

/** The names that the model was told of there. */
function knownFields(tool: AnyTool, path: readonly (string | number)[]): string[] {
  let schema: unknown = tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema);
  for (const step of path)
    schema = typeof step === 'number' ? fieldOf(schema, 'items') : fieldOf(fieldOf(schema, 'properties'), step);
  const properties = fieldOf(schema, 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
