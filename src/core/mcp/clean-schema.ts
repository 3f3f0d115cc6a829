// Makes a server's schema one that the API takes: an object at the root, nothing that is no JSON Schema. One bad tool must not get all requests refused.
import { type JsonSchema } from '../wire/wire';
import { isObject } from '../../shared/plain-object';

const maxDepth = 12;
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** What the API takes as a parameter's name. */
const parameter = /^[a-zA-Z0-9_.-]{1,64}$/;
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const maps = ['properties', '$defs', 'definitions', 'patternProperties'] as const;
const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const;
/** Each value once. */
const sets = ['type', 'required', 'enum'];

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isType: Check = (value) => typeof value === 'string' && types.has(value);

/** What a keyword's value must be. What is not here says nothing to a model, and could be wrong. */
const plainKeywords: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value))],
  ['required', (value) => Array.isArray(value) && value.every(isText)],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', isNumber],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['pattern', (value) => typeof value === 'string' && isPattern(value)],
  ['$ref', (value) => typeof value === 'string' && value.startsWith('#')],
  ['description', isText],
  ['title', isText],
  ['format', isText],
  ['contentEncoding', isText],
  ['contentMediaType', isText],
  ['uniqueItems', isBoolean],
  ['deprecated', isBoolean],
  ['readOnly', isBoolean],
  ['writeOnly', isBoolean],
  ['examples', Array.isArray],
  ['default', () => true],
  ['const', () => true],
]);

/** Schemas do not change once they are read, and all sessions get the same. */
const known = new WeakMap<Readonly<Record<string, unknown>>, JsonSchema>();

export function cleanSchema(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const made = known.get(schema) ?? cleanedSchema(schema);
  known.set(schema, made);
  return made;
}

function cleanedSchema(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const refers = { toAny: false };
  const cleaned = flatten(clean(unfolded(schema), 0, refers));
  const properties = isObject(cleaned['properties'])
    ? Object.fromEntries(Object.entries(cleaned['properties']).filter(([name]) => parameter.test(name)))
    : {};
  const required = [...new Set(textsOf(cleaned['required']))].filter((name) => Object.hasOwn(properties, name));
  const { required: _required, ...rest } = cleaned;
  const root = { ...rest, type: 'object' as const, properties, ...(required.length === 0 ? {} : { required }) };
  return (refers.toAny ? withoutLostRefs(root, root) : root) as JsonSchema;
}

/** A reference to nothing makes the whole schema invalid; without it, anything goes there. */
function withoutLostRefs(value: unknown, root: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutLostRefs(one, root));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      name === '$ref' && typeof one === 'string' && !leadsSomewhere(one, root)
        ? []
        : [[name, withoutLostRefs(one, root)]],
    ),
  );
}

function leadsSomewhere(ref: string, root: unknown): boolean {
  const target = targetOf(ref, root);
  return isObject(target) || typeof target === 'boolean';
}

/** The target of a pointer; names of places (`#here`) are left out with what is not known, so they lead nowhere. */
function targetOf(ref: string, root: unknown): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let at = root;
  for (const step of ref.split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(name)] : isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Some makers of schemas write the whole input as one definition and refer to it from the root, where the model looks for the parameters. */
function unfolded(schema: Readonly<Record<string, unknown>>, hops = 4): Readonly<Record<string, unknown>> {
  const { $ref: ref, ...rest } = schema;
  const target = typeof ref === 'string' && ref !== '#' ? targetOf(ref, schema) : undefined;
  return isObject(target) && hops > 0 ? unfolded({ ...target, ...rest }, hops - 1) : schema;
}

/** `anyOf`, `oneOf` and `allOf` are refused at the root: their properties are joined, and required is what all alternatives require. */
function flatten(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const all = recordsOf(allOf).map(flatten);
  const alternatives = [...recordsOf(anyOf), ...recordsOf(oneOf)].map(flatten);
  if (all.length === 0 && alternatives.length === 0) return rest;
  const properties = new Map<string, unknown[]>();
  for (const part of [rest, ...all, ...alternatives]) {
    if (!isObject(part['properties'])) continue;
    for (const [name, property] of Object.entries(part['properties']))
      properties.set(name, [...(properties.get(name) ?? []), property]);
  }
  const inAll = alternatives.map((part) => textsOf(part['required']));
  const shared = (inAll[0] ?? []).filter((name) => inAll.every((names) => names.includes(name)));
  return {
    ...rest,
    properties: Object.fromEntries([...properties].map(([name, found]) => [name, joined(found)])),
    required: [
      ...new Set([...textsOf(rest['required']), ...all.flatMap((part) => textsOf(part['required'])), ...shared]),
    ],
    ...(alternatives.length > 0 ? { additionalProperties: true } : {}),
  };
}

function joined(found: readonly unknown[]): unknown {
  const different = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}

function clean(
  schema: Readonly<Record<string, unknown>>,
  depth: number,
  refers: { toAny: boolean },
): Record<string, unknown> {
  if (depth > maxDepth) return {};
  const cleaned: Record<string, unknown> = {};
  const below = (value: unknown): unknown =>
    isObject(value) ? clean(value, depth + 1, refers) : typeof value === 'boolean' ? value : {};
  if ('$ref' in schema) refers.toAny = true;
  for (const [keyword, value] of Object.entries(schema)) {
    if (includes(lists, keyword)) {
      const parts = recordsOf(value);
      if (parts.length > 0) cleaned[keyword] = parts.map(below);
    } else if (includes(maps, keyword)) {
      if (isObject(value))
        cleaned[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, below(one)]));
    } else if (includes(single, keyword)) {
      if (isObject(value) || typeof value === 'boolean') cleaned[keyword] = below(value);
    } else if (plainKeywords.get(keyword)?.(value) === true)
      cleaned[keyword] = Array.isArray(value) && sets.includes(keyword) ? [...new Set(value)] : value;
  }
  return cleaned;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function includes(words: readonly string[], word: string): boolean {
  return words.includes(word);
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
