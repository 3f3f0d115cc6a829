// The hook keys of one settings file as data; what is wrong is reported with its position, and the rest still counts.
import { defined } from '../../shared/defined';
import { getNodeValue, type Node } from 'jsonc-parser';
import { type RuleSource } from '../../shared/permission';
import { parseRule } from '../permissions/rules/rule-syntax';
import { type HookEntry, type HookHandler } from './hook-entry';
import { canFailClosed, type HookEvent, isHookEvent, toolEvents } from '../ports/hook-events';
import { invalidMatcher } from './hook-matcher';
import { isObject } from '../../shared/plain-object';

export interface FileHooks {
  entries: HookEntry[];
  disableAll?: boolean;
  /** Addresses that http hooks may post to; undefined where the file does not say. */
  allowedUrls?: string[];
  /** Variables that headers of http hooks may hold. */
  allowedVariables?: string[];
}

export interface HookFile {
  file: string;
  source: RuleSource;
  root: string;
  /** Where it is not a settings file: what the user agrees to by itself. */
  owner?: string;
}

type Report = (offset: number, message: string) => void;

/** True where the key is one of hooks. */
export function readHookKey(key: string, node: Node, into: FileHooks, file: HookFile, report: Report): boolean {
  switch (key) {
    case 'hooks':
      readEvents(node, into, file, report);
      return true;
    case 'disableAllHooks':
      if (typeof node.value === 'boolean') into.disableAll = node.value;
      else report(node.offset, '`disableAllHooks` must be true or false.');
      return true;
    case 'allowedHttpHookUrls':
      into.allowedUrls = stringList(key, node, report);
      return true;
    case 'httpHookAllowedEnvVars':
      into.allowedVariables = stringList(key, node, report);
      return true;
    default:
      return false;
  }
}

function readEvents(node: Node, into: FileHooks, file: HookFile, report: Report): void {
  if (node.type !== 'object') return report(node.offset, '`hooks` must be an object. Its hooks do not run.');
  for (const [name, groups, at] of properties(node)) {
    if (!isHookEvent(name)) report(at, `\`${name}\` is not a hook event. Its hooks do not run.`);
    else if (groups.type !== 'array') report(groups.offset, `\`hooks.${name}\` must be a list. Its hooks do not run.`);
    else for (const group of groups.children ?? []) readGroup(name, group, into, file, report);
  }
}

function readGroup(event: HookEvent, node: Node, into: FileHooks, file: HookFile, report: Report): void {
  const dropped: Report = (offset, message) => report(offset, `${message} Its hooks do not run.`);
  if (node.type !== 'object')
    return dropped(node.offset, `Each entry of \`hooks.${event}\` must be an object with a list \`hooks\`.`);
  const parts = new Map(properties(node).map(([key, value]) => [key, value]));
  const matcherNode = parts.get('matcher');
  const matcher: unknown = matcherNode?.value ?? '';
  if (typeof matcher !== 'string') return dropped(matcherNode?.offset ?? node.offset, '`matcher` must be a string.');
  const invalid = invalidMatcher(event, matcher);
  if (invalid !== undefined) return dropped(matcherNode?.offset ?? node.offset, invalid);
  const hooks = parts.get('hooks');
  if (hooks?.type !== 'array')
    return dropped(hooks?.offset ?? node.offset, `An entry of \`hooks.${event}\` has no list \`hooks\`.`);
  for (const hook of hooks.children ?? []) {
    const entry = readHook(event, matcher, hook, file, report);
    if (entry !== undefined) into.entries.push(entry);
  }
}

function readHook(
  event: HookEvent,
  matcher: string,
  node: Node,
  { file, source, root, owner }: HookFile,
  report: Report,
): HookEntry | undefined {
  if (node.type !== 'object') return void report(node.offset, 'A hook must be an object. This one does not run.');
  // Whoever wrote a guard has to read that it guards nothing.
  const dropped: Report = (offset, message) => report(offset, `${message} This hook does not run.`);
  const handler = readHandler(node, dropped);
  if (handler === undefined) return undefined;
  const fields = new Fields(node, dropped, report);
  const timeoutSeconds = fields.lenient(
    'timeout',
    secondsOf,
    'a number of seconds above 0',
    'The hook runs with its default time limit.',
  );
  const statusMessage = fields.lenient(
    'statusMessage',
    (value) => (isText(value) ? value : undefined),
    'a string',
    'The hook runs without it.',
  );
  const once = fields.lenient(
    'once',
    (value) => (isFlag(value) ? value : undefined),
    'true or false',
    'The hook runs every time.',
  );
  const failClosed = readFailClosed(event, handler, fields, report);
  const written = fields.optional('if', isText, 'a permission rule');
  const condition = written === undefined ? undefined : parseRule(written);
  if (fields.has('if') && condition === undefined) {
    // Without its condition it would run where nobody wants it.
    if (written !== undefined)
      dropped(
        fields.at('if'),
        `${JSON.stringify(written)} is not a permission rule: expected \`Tool\` or \`Tool(…)\`.`,
      );
    return undefined;
  }
  if (condition !== undefined && !toolEvents.has(event))
    return void dropped(fields.at('if'), `\`if\` matches a tool call, and \`${event}\` has none.`);
  return {
    event,
    matcher,
    handler,
    ...defined({ condition, timeoutSeconds, statusMessage }),
    ...(once === true ? { once } : {}),
    ...(failClosed ? { failClosed } : {}),
    source,
    file,
    root,
    ...defined({ owner }),
  };
}

/** `failClosed`, or as Claude Code writes it, `onFailure`. A guard whose key cannot be read is a guard all the same. */
function readFailClosed(event: HookEvent, handler: HookHandler, fields: Fields, report: Report): boolean {
  const instead = 'The hook fails closed.';
  const closed = fields.lenient('failClosed', (value) => (isFlag(value) ? value : undefined), 'true or false', instead);
  const onFailure = fields.lenient('onFailure', outcomeOfFailure, '"block" or "continue"', instead);
  const wanted =
    (fields.has('failClosed') && closed !== false) || (fields.has('onFailure') && onFailure !== 'continue');
  if (!wanted) return false;
  const at = fields.at(fields.has('failClosed') ? 'failClosed' : 'onFailure');
  const name = fields.has('failClosed') ? 'failClosed' : 'onFailure';
  if (!canFailClosed(event))
    report(at, `\`${name}\` has no effect on ${event}: the hook has nothing to keep from happening.`);
  else if (handler.type === 'command' && (handler.async === true || handler.asyncRewake === true))
    report(at, `\`${name}\` has no effect on a hook that runs in the background: nothing waits for it.`);
  else return true;
  return false;
}

function readHandler(node: Node, report: Report): HookHandler | undefined {
  const fields = new Fields(node, report);
  const type = fields.optional('type', isText, 'a string');
  switch (type) {
    case 'command': {
      const command = fields.required('command', isText, 'a command');
      const args = fields.optional('args', isTexts, 'a list of strings');
      const shell = fields.optional('shell', isShell, '"bash" or "powershell"');
      const async = fields.optional('async', isFlag, 'true or false');
      const asyncRewake = fields.optional('asyncRewake', isFlag, 'true or false');
      const allowedEnvVars = fields.optional('allowedEnvVars', isTexts, 'a list of strings');
      return fields.whole(command && { type, command, args, shell, async, asyncRewake, allowedEnvVars });
    }
    case 'http': {
      const url = fields.required('url', isAddress, 'an http or https address');
      const headers = fields.optional('headers', isTextRecord, 'an object of strings');
      const allowedEnvVars = fields.optional('allowedEnvVars', isTexts, 'a list of strings');
      return fields.whole(url && { type, url, headers, allowedEnvVars });
    }
    case 'mcp_tool': {
      const server = fields.required('server', isText, "a server's name");
      const tool = fields.required('tool', isText, "a tool's name");
      const input = fields.optional('input', isObject, 'an object');
      return fields.whole(server && tool && { type, server, tool, input });
    }
    case 'prompt': {
      const prompt = fields.required('prompt', isText, 'a text');
      const model = fields.optional('model', isText, "a model's id");
      const continueOnBlock = fields.optional('continueOnBlock', isFlag, 'true or false');
      return fields.whole(prompt && { type, prompt, model, continueOnBlock });
    }
    case 'agent': {
      const prompt = fields.required('prompt', isText, 'a text');
      const model = fields.optional('model', isText, "a model's id");
      return fields.whole(prompt && { type, prompt, model });
    }
    default: {
      const named = type === undefined ? 'A hook needs a `type`' : `\`${type}\` is not a hook type`;
      return void report(fields.at('type'), `${named}: command, http, mcp_tool, prompt or agent.`);
    }
  }
}

/** The fields of one object, checked one by one. */
class Fields {
  readonly #fields: Map<string, Node>;
  #broken = false;

  constructor(
    private readonly node: Node,
    private readonly report: Report,
    private readonly warn: Report = report,
  ) {
    this.#fields = new Map(properties(node).map(([key, value]) => [key, value]));
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  at(name: string): number {
    return this.#fields.get(name)?.offset ?? this.node.offset;
  }

  optional<Value>(name: string, fits: (value: unknown) => value is Value, expected: string): Value | undefined {
    const field = this.#fields.get(name);
    if (field === undefined) return undefined;
    const value: unknown = getNodeValue(field);
    if (fits(value)) return value;
    this.#broken = true;
    this.report(field.offset, `\`${name}\` of a hook must be ${expected}.`);
    return undefined;
  }

  /** A wrong value is reported and ignored: the hook counts without it. */
  lenient<Value>(
    name: string,
    read: (value: unknown) => Value | undefined,
    expected: string,
    instead: string,
  ): Value | undefined {
    const field = this.#fields.get(name);
    if (field === undefined) return undefined;
    const value = read(getNodeValue(field));
    if (value === undefined) this.warn(field.offset, `\`${name}\` of a hook must be ${expected}. ${instead}`);
    return value;
  }

  required<Value>(name: string, fits: (value: unknown) => value is Value, expected: string): Value | undefined {
    if (!this.has(name)) this.report(this.node.offset, `A hook of this type needs \`${name}\`, ${expected}.`);
    return this.optional(name, fits, expected);
  }

  /** Without what is not set; undefined where anything is wrong: half a hook is none. */
  whole(handler: object | '' | undefined): HookHandler | undefined {
    if (this.#broken || handler === undefined || handler === '') return undefined;
    return Object.fromEntries(
      Object.entries(handler).filter(([, value]) => value !== undefined),
    ) as unknown as HookHandler;
  }
}

function properties(node: Node): [key: string, value: Node, offset: number][] {
  return (node.children ?? []).flatMap((property): [string, Node, number][] => {
    const [key, value] = property.children ?? [];
    return typeof key?.value === 'string' && value !== undefined ? [[key.value, value, key.offset]] : [];
  });
}

function stringList(key: string, node: Node, report: Report): string[] {
  const value: unknown = getNodeValue(node);
  if (isTexts(value)) return value;
  report(node.offset, `\`${key}\` must be a list of strings.`);
  // A list that limits, and cannot be read, allows nothing.
  return [];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value);
/** A number in quotes is meant as one. */
const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  return isPositive(seconds) ? seconds : undefined;
};
const outcomeOfFailure = (value: unknown): 'block' | 'continue' | undefined =>
  value === 'block' || value === 'continue' ? value : undefined;
const isShell = (value: unknown): value is 'bash' | 'powershell' => value === 'bash' || value === 'powershell';
const isTextRecord = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
