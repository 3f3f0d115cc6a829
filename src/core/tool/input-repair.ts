// Input that a model has written almost right: where only one reading is possible, that one is taken instead of a refusal.
import { type SafeParseReturnType, type ZodIssue } from 'zod/v3';
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type AnyTool } from './tool';
import { jsonSchemaOf } from './tool-schema';

type Place = readonly (string | number)[];
type Schemas = Pick<AnyTool, 'inputSchema' | 'inputJSONSchema'>;

/** What stands inside of something that did not fit shows only once that fits. */
const maxPasses = 4;

/** Names that other agents' tools have for the same; taken only where the one that is needed is missing. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  file_path: ['path', 'file', 'filename', 'absolutepath', 'targetfile'],
  notebook_path: ['path', 'filepath', 'file'],
  filePath: ['path', 'file'],
  content: ['contents', 'text', 'filetext', 'filecontent'],
  old_string: ['oldstr', 'oldtext'],
  new_string: ['newstr', 'newtext'],
  command: ['cmd'],
  pattern: ['regex', 'regexp', 'query', 'globpattern', 'searchpattern'],
  skill: ['name', 'command', 'skillname'],
  taskId: ['id', 'task'],
};

/** Numbers that are sent as texts: a whole one can be only that one. */
const ids: ReadonlySet<unknown> = new Set([
  'taskId',
  'task_id',
  'bash_id',
  'shell_id',
  'cell_id',
  'addBlocks',
  'addBlockedBy',
]);

/** Fields for which a list with one entry means that entry. */
const singular: ReadonlySet<unknown> = new Set(['file_path', 'path', 'glob', 'type', 'url']);

/** As the schema parses it; what fits is never touched. The errors are those that are left. */
export function parseRepairedInput(tool: Schemas, input: unknown): SafeParseReturnType<unknown, unknown> {
  let rest = input;
  for (let pass = 0; ; pass++) {
    const parsed = tool.inputSchema.safeParse(rest) as SafeParseReturnType<unknown, unknown>;
    if (parsed.success || pass === maxPasses) return parsed;
    const repaired = parsed.error.issues.reduce((value, issue) => repair(tool, value, issue), rest);
    if (repaired === rest) return parsed;
    rest = repaired;
  }
}

function repair(tool: Schemas, input: unknown, issue: ZodIssue): unknown {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.reduce((value, key) => renamed(tool, value, issue.path, key), input);
    case 'invalid_enum_value': {
      const same = issue.options.filter((option) => bare(String(option)) === bare(String(issue.received)));
      return same.length === 1 ? withValue(input, issue.path, same[0]) : input;
    }
    case 'invalid_union':
      return valueAt(input, issue.path) === null ? withValue(input, issue.path, undefined) : input;
    case 'invalid_type': {
      const value = valueAt(input, issue.path);
      if (value === undefined || issue.path.length === 0) return input;
      const repaired = repairedValue(
        value,
        issue.path.findLast((step) => typeof step === 'string'),
        issue.expected,
        fieldOf(schemaAt(tool, issue.path), 'items'),
      );
      return repaired === value ? input : withValue(input, issue.path, repaired);
    }
    default:
      return input;
  }
}

/** Undefined where nothing was meant: the field is then left out. */
function repairedValue(value: unknown, field: unknown, expected: string, items: unknown): unknown {
  if (value === null) return undefined;
  switch (expected) {
    case 'number':
    case 'integer':
      return asNumber(value);
    case 'boolean':
      return asBoolean(value);
    case 'string':
      return asString(value, field);
    case 'array':
      return asList(value, items);
    case 'object':
      return asObject(value);
    default:
      return value;
  }
}

function asNumber(value: unknown): unknown {
  const text = trimmed(value);
  if (text === '') return undefined;
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
}

function asBoolean(value: unknown): unknown {
  const text = trimmed(value);
  if (text === '') return undefined;
  if (text !== undefined && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return value === 0 || value === 1 ? value === 1 : value;
}

function asString(value: unknown, field: unknown): unknown {
  if (ids.has(field) && typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  // A list of lines is something else than a text.
  return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' && singular.has(field)
    ? value[0]
    : value;
}

function asList(value: unknown, items: unknown): unknown {
  if (isObject(value)) return [value];
  const text = trimmed(value);
  if (text === undefined) return value;
  // An empty list may do something: of tasks it clears them.
  if (text === '') return undefined;
  const list = fromJson(text);
  if (Array.isArray(list)) return list;
  return fieldOf(items, 'type') === 'string' ? [value] : value;
}

function asObject(value: unknown): unknown {
  const text = trimmed(value);
  const object = text === undefined ? undefined : fromJson(text);
  return isObject(object) ? object : value;
}

function trimmed(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The same name in another spelling, or what another tool calls a parameter that is needed here. */
function renamed(tool: Schemas, input: unknown, path: Place, key: string): unknown {
  const holder = valueAt(input, path);
  if (!isObject(holder) || !Object.hasOwn(holder, key)) return input;
  const schema = schemaAt(tool, path);
  const properties = fieldOf(schema, 'properties');
  const required = fieldOf(schema, 'required');
  const free = Object.keys(isObject(properties) ? properties : {}).filter((name) => !Object.hasOwn(holder, name));
  const spelled = free.filter((name) => bare(name) === bare(key));
  const [name, ...others] =
    spelled.length > 0
      ? spelled
      : free.filter(
          (field) =>
            Array.isArray(required) && required.includes(field) && otherNames[field]?.includes(bare(key)) === true,
        );
  if (name === undefined || others.length > 0) return input;
  if (name === 'skill' && free.includes('args')) return withValue(input, path, slashCommand(holder, key));
  return withValue(
    input,
    path,
    Object.fromEntries(Object.entries(holder).map(([field, value]) => [field === key ? name : field, value])),
  );
}

/** What older transcripts call a skill with: `{ command: "/name arguments" }`. */
function slashCommand(input: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: called, ...rest } = input;
  const [, name, args] = (typeof called === 'string' && /^\/(\S+)(?:\s+(.+?))?\s*$/s.exec(called)) || [];
  return name === undefined ? { ...rest, skill: called } : { ...rest, skill: name, ...defined({ args }) };
}

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function schemaAt(tool: Schemas, path: Place): unknown {
  return path.reduce<unknown>(
    (schema, step) =>
      typeof step === 'number' ? fieldOf(schema, 'items') : fieldOf(fieldOf(schema, 'properties'), step),
    tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema),
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function valueAt(value: unknown, path: Place): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined),
    value,
  );
}

/** Undefined takes the field away. */
function withValue(value: unknown, [step, ...rest]: Place, next: unknown): unknown {
  if (step === undefined) return next;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? withValue(item, rest, next) : item));
  const changed = withValue((value as Record<string, unknown>)[step], rest, next);
  const kept = Object.entries(value).filter(([name]) => name !== String(step) || changed !== undefined);
  return Object.fromEntries(kept.map(([name, held]) => [name, name === String(step) ? changed : (held as unknown)]));
}
