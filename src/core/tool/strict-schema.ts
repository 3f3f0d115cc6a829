// Which tools may be strict: the API compiles their schemas, takes only part of JSON Schema, and only so much of it at once.
import { type JsonSchema } from '../wire/wire';
import { isObject } from '../../shared/plain-object';

/** What all strict tools of one request may come to. */
const limits = { tools: 20, optional: 24, unions: 16 };

/** Anything else (lengths, bounds, patterns, references) is refused by the API. */
const keywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'const',
  'default',
  'description',
  'title',
]);

interface Cost {
  optional: number;
  unions: number;
}

/** Asked tool by tool, in the order in which they are sent: true while the tool still fits in with the strict ones before it. */
export function createStrictRoom(): { take(schema: JsonSchema): boolean } {
  const used = { tools: 0, optional: 0, unions: 0 };
  return {
    take(schema) {
      const cost = strictCost(schema);
      if (cost === undefined || used.tools >= limits.tools) return false;
      if (used.optional + cost.optional > limits.optional || used.unions + cost.unions > limits.unions) return false;
      used.tools++;
      used.optional += cost.optional;
      used.unions += cost.unions;
      return true;
    },
  };
}

/** Bounds, which the API refuses here: Deft still checks them when the call comes. */
const bounds = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems'.split(' '),
);

export function withoutBounds(schema: JsonSchema): JsonSchema {
  return stripped(schema) as JsonSchema;
}

function stripped(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(stripped);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([keyword, value]) => {
      if (bounds.has(keyword)) return [];
      // Their keys are names, whatever they are called.
      if (keyword === 'properties' && isObject(value))
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, own]) => [name, stripped(own)]))]];
      return [[keyword, keyword === 'items' || keyword === 'anyOf' ? stripped(value) : value]];
    }),
  );
}

/** Undefined where the schema uses what strict tools may not. */
function strictCost(schema: unknown): Cost | undefined {
  if (!isObject(schema) || Object.keys(schema).some((keyword) => !keywords.has(keyword))) return undefined;
  const { type, properties = {}, required = [], additionalProperties, items, anyOf } = schema as JsonSchema;
  if (type === 'object' && additionalProperties !== false) return undefined;
  if (Array.isArray(schema['enum']) && schema['enum'].some((value) => typeof value === 'object' && value !== null))
    return undefined;
  const cost: Cost = {
    optional: Object.keys(properties).filter((name) => !required.includes(name)).length,
    unions: Array.isArray(anyOf) || Array.isArray(type) ? 1 : 0,
  };
  const parts: unknown[] = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
  for (const part of parts) {
    const own = strictCost(part);
    if (own === undefined) return undefined;
    cost.optional += own.optional;
    cost.unions += own.unions;
  }
  return cost;
}
