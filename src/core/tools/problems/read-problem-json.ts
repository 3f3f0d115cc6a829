// Reports of checkers in JSON: ESLint, Stylelint, Ruff, Pyright, and SARIF, which many others write.
import { isObject } from '../../../shared/plain-object';
import { defined } from '../../../shared/defined';
import { type FoundProblem } from './found-problem';

type Json = Record<string, unknown>;

/** Undefined where it is none of these reports. Banners of package managers may stand around it. */
export function readProblemJson(text: string): FoundProblem[] | undefined {
  const document = documentIn(text);
  if (Array.isArray(document)) return ofArray(document);
  if (!isObject(document)) return undefined;
  if (Array.isArray(document['runs'])) return document['runs'].filter(isObject).flatMap(ofRun);
  return Array.isArray(document['generalDiagnostics'])
    ? document['generalDiagnostics'].filter(isObject).map(ofPyright)
    : undefined;
}

function documentIn(text: string): unknown {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^\s*[[{]/.test(line));
  const last = lines.findLastIndex((line) => /[\]}]\s*$/.test(line));
  if (first === -1 || last < first) return undefined;
  try {
    return JSON.parse(lines.slice(first, last + 1).join('\n')) as unknown;
  } catch {
    return undefined;
  }
}

function ofArray(entries: readonly unknown[]): FoundProblem[] | undefined {
  const known = entries.filter(isObject);
  // An empty report of any of them.
  if (entries.length === 0) return [];
  if (known.every(({ filePath, messages }) => typeof filePath === 'string' && Array.isArray(messages)))
    return known.flatMap(ofEslint);
  if (known.every(({ warnings }) => Array.isArray(warnings))) return known.flatMap(ofStylelint);
  return known.every(({ filename, location }) => typeof filename === 'string' && isObject(location))
    ? known.map(ofRuff)
    : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Counted from 1. */
const place = (value: unknown): number => (typeof value === 'number' && value >= 1 ? Math.floor(value) : 1);
const code = (value: unknown): { code?: string } =>
  defined({ code: typeof value === 'string' && value !== '' ? value : undefined });

function ofEslint({ filePath, messages }: Json): FoundProblem[] {
  return (messages as unknown[]).filter(isObject).map((one) => ({
    path: text(filePath),
    line: place(one['line']),
    column: place(one['column']),
    severity: one['severity'] === 1 ? 'warning' : 'error',
    message: text(one['message']),
    source: 'eslint',
    ...code(one['ruleId']),
  }));
}

function ofStylelint({ source, warnings }: Json): FoundProblem[] {
  return (warnings as unknown[]).filter(isObject).map((one) => ({
    path: text(source),
    line: place(one['line']),
    column: place(one['column']),
    severity: one['severity'] === 'warning' ? 'warning' : 'error',
    message: text(one['text']),
    source: 'stylelint',
    ...code(one['rule']),
  }));
}

function ofRuff({ filename, location, message, code: rule }: Json): FoundProblem {
  const at = isObject(location) ? location : {};
  return {
    path: text(filename),
    line: place(at['row']),
    column: place(at['column']),
    severity: 'error',
    message: text(message),
    source: 'ruff',
    ...code(rule),
  };
}

/** Counts lines and columns from 0. */
function ofPyright({ file, severity, message, rule, range }: Json): FoundProblem {
  const start = isObject(range) && isObject(range['start']) ? range['start'] : {};
  return {
    path: text(file),
    line: place(Number(start['line']) + 1),
    column: place(Number(start['character']) + 1),
    severity: severity === 'error' || severity === 'warning' ? severity : 'information',
    message: text(message),
    source: 'pyright',
    ...code(rule),
  };
}

const levels: Readonly<Record<string, FoundProblem['severity']>> = {
  error: 'error',
  note: 'information',
  none: 'information',
};

function ofRun({ tool, results }: Json): FoundProblem[] {
  const driver = isObject(tool) && isObject(tool['driver']) ? tool['driver'] : {};
  const source = text(driver['name']);
  return (Array.isArray(results) ? results : []).filter(isObject).map((result): FoundProblem => {
    const [location] = Array.isArray(result['locations']) ? (result['locations'] as unknown[]) : [];
    const physical = isObject(location) && isObject(location['physicalLocation']) ? location['physicalLocation'] : {};
    const artifact = isObject(physical['artifactLocation']) ? physical['artifactLocation'] : {};
    const region = isObject(physical['region']) ? physical['region'] : {};
    const message = isObject(result['message']) ? result['message'] : {};
    return {
      path: pathOf(text(artifact['uri'])),
      line: place(region['startLine']),
      column: place(region['startColumn']),
      severity: levels[text(result['level'])] ?? 'warning',
      message: text(message['text']),
      ...(source === '' ? {} : { source: source.toLowerCase() }),
      ...code(result['ruleId']),
    };
  });
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\/(?=\/)/, ''));
  } catch {
    return uri;
  }
}
