// Rules of the Messages API for answers that are held to a schema.
import { isObject, type JsonObject, type Violation } from './violation';

const refused = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'patternProperties',
  'not',
  'if',
];

export function validateOutputFormat(body: JsonObject): Violation[] {
  const output = body['output_config'];
  const format = isObject(output) ? output['format'] : undefined;
  if (format === undefined || format === null) return [];
  if (!isObject(format) || format['type'] !== 'json_schema' || !isObject(format['schema'])) {
    return [{ rule: 'output-format', message: "output_config.format: Input should be {type: 'json_schema', schema}" }];
  }
  return schema(format['schema'], 'output_config.format.schema');
}

function schema(part: JsonObject, at: string): Violation[] {
  const found: Violation[] = refused
    .filter((word) => word in part)
    .map((word) => ({ rule: 'output-format', message: `${at}: '${word}' is not supported` }));
  if (part['type'] === 'object' && part['additionalProperties'] !== false)
    found.push({
      rule: 'output-format',
      message: `${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`,
    });
  const properties = isObject(part['properties']) ? part['properties'] : {};
  for (const [name, value] of Object.entries(properties))
    if (isObject(value)) found.push(...schema(value, `${at}.properties.${name}`));
  if (isObject(part['items'])) found.push(...schema(part['items'], `${at}.items`));
  return found;
}
