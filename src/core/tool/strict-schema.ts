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
