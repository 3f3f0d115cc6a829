// One settings file of the user's: its text as rules and values, with the position of everything that is wrong.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isAbsolute, join, normalize } from 'pathe';
import { type z } from 'zod/v3';
import {
  type PermissionMode,
  permissionModes,
  type PermissionRule,
  type RuleBehavior,
  type RuleSource,
} from '../../shared/permission';
import { type FileHooks, readHookKey } from '../hooks/read-hooks';
import { formatRule, parseRule } from '../permissions/rules/rule-syntax';
import { mayProjectSet } from './project-variables';
import { type KeyNote } from './key-notes';
import { isKnownObject, keyAliases, keyNote } from './known-keys';
import { ruleNote, ruleWarning } from './rule-warnings';
import { acceptedLocksKey, isStopKey, type StartStop, startStop } from './start-stops';
import { isSettingsKey, type SettingsKey, settingsKeys, type SettingsValues } from './settings-keys';

export interface SettingsText {
  /** For sentences and problems. */
  file: string;
  source: RuleSource;
  /** What `/` in its path rules means: the project root, or `~/.claude` for the user's own file. */
  root: string;
  home: string;
  text: string;
  /** Why a file that is there could not be read, as a sentence: it may hold deny rules, so it counts as broken. */
  unreadable?: string;
}

export interface SettingsProblem {
  file: string;
  /** 1-based. */
  line: number;
  column: number;
  /** A sentence. */
  message: string;
  /** Rules may be missing because of it, so all but reading asks; otherwise one value is skipped. */
  broken: boolean;
}

export interface SettingsFile {
  file: string;
  source: RuleSource;
  root: string;
  rules: PermissionRule[];
  additionalDirectories: string[];
  defaultMode?: PermissionMode;
  bypassDisabled: boolean;
  env: Record<string, string>;
  hooks: FileHooks;
  /** All other keys that Deft knows, where their shape is right. */
  values: SettingsValues;
  problems: SettingsProblem[];
  /** Keys that Deft does not read from this file. */
  notes: KeyNote[];
  /** Locks that Deft cannot hold. */
  stops: StartStop[];
  /** Of those, what the organization accepts. */
  acceptedLocks: string[];
  /** Rules of this file may be missing: whoever decides must not take their absence for permission. */
  broken: boolean;
}

export const maxSettingsBytes = 2 * 1024 * 1024;
const maxProblems = 100;

/** Whoever wrote the project may have written both files that are in it. */
export function isProjectSource(source: RuleSource): boolean {
  return source === 'projectSettings' || source === 'localSettings';
}

/** False for text that may be half of a file that is being written. */
export function looksWhole(text: string): boolean {
  const errors: ParseError[] = [];
  try {
    parseTree(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  } catch {
    // Nested too deeply: waiting does not fix it.
    return true;
  }
  return text.trim() !== '' && errors.length === 0;
}

/** JSON with comments and trailing commas. An empty file sets nothing; keys that nobody knows are noted. */
export function readSettingsFile(settings: SettingsText): SettingsFile {
  const reader = new Reader(settings);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reader.tooDeep();
  }
  return reader.result;
}

class Reader {
  readonly result: SettingsFile;
  private readonly text: string;
  private lineStarts: number[] | undefined;

  constructor(private readonly settings: SettingsText) {
    // The mark, where there is one, stays out of the columns.
    this.text = settings.text.replace(/^\ufeff/, '');
    const { file, source, root } = settings;
    this.result = {
      file,
      source,
      root,
      rules: [],
      additionalDirectories: [],
      bypassDisabled: false,
      env: {},
      hooks: { entries: [] },
      values: {},
      problems: [],
      notes: [],
      stops: [],
      acceptedLocks: [],
      broken: false,
    };
  }

  read(): void {
    if (this.settings.unreadable !== undefined) return this.broken(0, this.settings.unreadable);
    if (this.text.trim() === '') return;
    if (this.text.length > maxSettingsBytes) return this.broken(0, 'The file is larger than 2 MiB and was not read.');
    const errors: ParseError[] = [];
    const tree = parseTree(this.text, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error !== undefined)
      this.broken(
        error.offset,
        `The file is not valid JSON: ${sentences.get(printParseErrorCode(error.error)) ?? 'unexpected text'}.`,
      );
    if (tree === undefined) return;
    if (tree.type !== 'object') return this.broken(tree.offset, 'The file must contain a JSON object.');
    // What could be read still counts: rules that deny must not vanish with a comma.
    this.each(tree, (key, value) => this.key(key, value, tree));
    this.note(tree, []);
  }

  private key(key: string, value: Node, tree: Node): void {
    const report = (offset: number, message: string): void => this.problem(offset, message);
    if (key === 'permissions') this.permissions(value);
    else if (key === 'env') this.env(value);
    else if (isStopKey(key)) this.stop(key, value);
    else if (key === acceptedLocksKey) this.accept(value);
    else if (!readHookKey(key, value, this.result.hooks, this.settings, report)) {
      const own = keyAliases[key] ?? key;
      // In a file with both spellings the usual one counts.
      if (isSettingsKey(own) && (own === key || findNodeAtLocation(tree, [own]) === undefined)) this.value(own, value);
    }
  }

  private stop(key: string, value: Node): void {
    const { file, source } = this.settings;
    const { line } = this.position(value.offset);
    const stop = startStop(key, getNodeValue(value), { source, file, line });
    if (stop !== undefined) this.result.stops.push(stop);
  }

  private accept(node: Node): void {
    if (this.settings.source !== 'managedSettings') return;
    const value: unknown = getNodeValue(node);
    if (Array.isArray(value)) this.result.acceptedLocks.push(...value.filter((one) => typeof one === 'string'));
    else this.problem(node.offset, `\`${acceptedLocksKey}\` must be a list of keys.`);
  }

  /** Keys that Deft does not read, in this object and in those of it that it knows. */
  private note(node: Node, path: readonly string[]): void {
    for (const property of node.children ?? []) {
      const [name, value] = property.children ?? [];
      if (typeof name?.value !== 'string' || this.result.notes.length >= maxProblems) continue;
      const inner = [...path, name.value];
      const note = keyNote(inner, value?.value, this.settings.source);
      if (note !== undefined)
        this.result.notes.push({ ...note, file: this.settings.file, line: this.position(name.offset).line });
      else if (value?.type === 'object' && isKnownObject(inner.join('.'))) this.note(value, inner);
    }
  }

  /** The readers are recursive: a file that none can go through says nothing that counts. */
  tooDeep(): void {
    this.broken(0, 'The file is nested too deeply and was not read.');
  }

  private permissions(node: Node): void {
    if (node.type !== 'object') return this.broken(node.offset, '`permissions` must be an object.');
    this.each(node, (key, value) => {
      if (key === 'allow' || key === 'ask' || key === 'deny') this.ruleList(key, value);
      else if (key === 'additionalDirectories') this.directories(value);
      else if (key === 'defaultMode') this.mode(value);
      else if (key === 'disableBypassPermissionsMode') this.bypass(value);
      else if (key === 'disableAutoMode') this.value(key, value);
    });
  }

  private bypass(node: Node): void {
    if (node.value === 'disable') this.result.bypassDisabled = true;
    else this.broken(node.offset, '`permissions.disableBypassPermissionsMode` must be "disable".');
  }

  private value<Key extends SettingsKey>(key: Key, node: Node): void {
    const found: { shape: z.ZodTypeAny; by: string; closed?: unknown } = settingsKeys[key];
    const { shape, by } = found;
    const parsed = shape.safeParse(getNodeValue(node));
    if (parsed.success) {
      this.result.values[key] = parsed.data as SettingsValues[Key];
      return;
    }
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const message = `\`${[key, ...path].join('.')}\` has the wrong shape: ${lowerFirst(issue?.message ?? 'unexpected value')}.`;
    const { offset } = findNodeAtLocation(node, path) ?? node;
    if (this.settings.source === 'managedSettings' && found.closed !== undefined) {
      this.result.values[key] = found.closed as SettingsValues[Key];
      return this.problem(offset, `${message} Until it is fixed, it counts as \`${JSON.stringify(found.closed)}\`.`);
    }
    // What would forbid something must not vanish.
    if (by === 'anyone') this.broken(offset, message);
    else this.problem(offset, message);
  }

  private ruleList(behavior: RuleBehavior, node: Node): void {
    const { file, source, root } = this.settings;
    const report = (at: Node, message: string): void =>
      behavior === 'allow' ? this.problem(at.offset, message) : this.broken(at.offset, message);
    if (node.type !== 'array') return report(node, `\`permissions.${behavior}\` must be a list.`);
    for (const item of node.children ?? []) {
      const value = typeof item.value === 'string' ? parseRule(item.value) : undefined;
      if (value === undefined) {
        report(
          item,
          `${this.text.slice(item.offset, item.offset + item.length)} is not a permission rule: expected \`Tool\` or \`Tool(…)\`.`,
        );
        continue;
      }
      const rule: PermissionRule = { behavior, value, source, root, file };
      const warning = ruleWarning(rule);
      if (warning !== undefined) this.problem(item.offset, warning);
      const message = ruleNote(rule);
      if (message !== undefined && this.result.notes.length < maxProblems)
        this.result.notes.push({
          kind: 'narrowed',
          key: formatRule(value),
          message,
          file,
          line: this.position(item.offset).line,
        });
      this.result.rules.push(rule);
    }
  }

  private directories(node: Node): void {
    if (node.type !== 'array') return this.problem(node.offset, '`permissions.additionalDirectories` must be a list.');
    const { home, root } = this.settings;
    for (const item of node.children ?? []) {
      const path: unknown = item.value;
      if (typeof path !== 'string' || path === '') this.problem(item.offset, 'A folder must be a non-empty string.');
      else if (path === '~' || path.startsWith('~/'))
        this.result.additionalDirectories.push(normalize(join(home, path.slice(1))));
      else this.result.additionalDirectories.push(normalize(isAbsolute(path) ? path : join(root, path)));
    }
  }

  private mode(node: Node): void {
    const value: unknown = node.value === 'manual' ? 'default' : node.value;
    const mode = permissionModes.find((candidate) => candidate === value);
    if (mode !== undefined) this.result.defaultMode = mode;
    else this.problem(node.offset, `\`permissions.defaultMode\` must be one of ${permissionModes.join(', ')}.`);
  }

  private env(node: Node): void {
    if (node.type !== 'object') return this.problem(node.offset, '`env` must be an object.');
    this.each(node, (key, { value, offset }) => {
      if (isProjectSource(this.settings.source) && !mayProjectSet(key)) {
        this.problem(
          offset,
          `\`env.${key}\` is ignored in a project's file: it decides which code runs, or where requests go.`,
        );
      } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        // `__proto__` is a name like any other here.
        Object.defineProperty(this.result.env, key, {
          value: String(value),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } else this.problem(offset, `\`env.${key}\` must be a string.`);
    });
  }

  /** Every property, also one that stands twice. */
  private each(node: Node, visit: (key: string, value: Node) => void): void {
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      if (typeof key?.value === 'string' && value !== undefined) visit(key.value, value);
    }
  }

  private broken(offset: number, message: string): void {
    this.result.broken = true;
    this.problem(offset, message, true);
  }

  private problem(offset: number, message: string, broken = false): void {
    // Whoever wrote a thousand of them reads no more than these; that the file is broken is kept either way.
    if (this.result.problems.length >= maxProblems) return;
    this.result.problems.push({ file: this.settings.file, ...this.position(offset), message, broken });
  }

  /** 1-based. */
  private position(offset: number): { line: number; column: number } {
    this.lineStarts ??= [0, ...[...this.text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
    const line = this.lineStarts.filter((start) => start <= offset).length;
    return { line, column: offset - (this.lineStarts[line - 1] ?? 0) + 1 };
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const sentences = new Map([
  ['InvalidSymbol', 'unknown word'],
  ['InvalidNumberFormat', 'malformed number'],
  ['PropertyNameExpected', 'a property name is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing brace is missing'],
  ['CloseBracketExpected', 'a closing bracket is missing'],
  ['EndOfFileExpected', 'there is text after the end'],
  ['UnexpectedEndOfString', 'a string has no closing quote'],
  ['UnexpectedEndOfComment', 'a comment has no end'],
  ['InvalidEscapeCharacter', 'a string contains an unknown escape'],
  ['InvalidCharacter', 'a string contains a control character'],
]);
