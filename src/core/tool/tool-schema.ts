// The one place where zod schemas become the JSON Schemas that the API wants.
import { type ZodTypeAny } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { type JsonSchema } from '../wire/wire';
import { DeftError } from '../text/errors';

const cache = new WeakMap<ZodTypeAny, JsonSchema>();

/** Draft 2020-12 without `$schema`, nothing shared by reference, no unknown properties. Throws on a schema that is not an object. */
export function jsonSchemaOf(schema: ZodTypeAny): JsonSchema {
  const cached = cache.get(schema);
  if (cached !== undefined) return cached;
  const { $schema: _draft, ...converted } = zodToJsonSchema(schema, { $refStrategy: 'none' }) as JsonSchema;
  // A zod 4 schema converts to nothing at all, without an error: never let that reach a model.
  if (converted.type !== 'object' || converted.properties === undefined) {
    throw new DeftError('tool-schema', 'A tool schema must be a zod v3 object.');
  }
  cache.set(schema, converted);
  return converted;
}
