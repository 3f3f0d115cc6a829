// Rules of the Messages API for what is held to a schema: answers, and calls of strict tools.
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

/** Of all strict tools together. */
const most = { tools: 20, optional: 24, unions: 16 };

export function validateStrictTools(body: JsonObject): Violation[] {
  const tools = (Array.isArray(body['tools']) ? body['tools'] : []).filter(isObject);
  const strict = tools.filter((tool) => tool['strict'] === true);
  const sum = { tools: strict.length, optional: 0, unions: 0 };
  for (const tool of strict) count(tool['input_schema'], sum);
  return [
    ...strict.flatMap((tool) =>
      isObject(tool['input_schema']) ? schema(tool['input_schema'], `tools.${String(tool['name'])}.input_schema`) : [],
    ),
    ...(Object.keys(most) as (keyof typeof most)[])
      .filter((kind) => sum[kind] > most[kind])
      .map((kind) => ({ rule: 'strict-tools', message: `tools: too many ${kind} in strict tools: ${sum[kind]}` })),
  ];
}

function count(part: unknown, sum: typeof most): void {
  if (!isObject(part)) return;
  const required = Array.isArray(part['required']) ? part['required'] : [];
  if (isObject(part['properties']))
    for (const [name, value] of Object.entries(part['properties'])) {
      if (!required.includes(name)) sum.optional += 1;
      count(value, sum);
    }
  if (Array.isArray(part['anyOf']) || Array.isArray(part['type'])) sum.unions += 1;
  if (Array.isArray(part['anyOf'])) for (const one of part['anyOf']) count(one, sum);
  count(part['items'], sum);
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
