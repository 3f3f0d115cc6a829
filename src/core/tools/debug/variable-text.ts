// Variables as short text: so many, so deep, and what is left out is counted.
import { shortened } from '../../../shared/cut-text';
import { type Adapter, type Variable } from './adapter';

export interface TextLimits {
  /** Of one value. */
  value: number;
  /** Of all lines together. */
  characters: number;
  /** Levels below the first that are asked for. */
  depth: number;
}

/** Node gives every module these, and they are the same in each. */
const ofNode = new Set(['exports', 'require', 'module', '__filename', '__dirname']);
/** Of objects and functions, which the debugger adds itself. */
const inner = new Set(['[[Prototype]]', '[[FunctionLocation]]', '[[Scopes]]', '__proto__']);

/** Names that two scopes have are shown for the inner one. */
export async function scopeLines(adapter: Adapter, frame: number, limits: TextLimits): Promise<string[]> {
  const room = { left: limits.characters };
  const lines: string[] = [];
  const shown = new Set<string>();
  for (const scope of await adapter.scopes(frame)) {
    if (scope.expensive) continue;
    const variables = (await adapter.variables(scope.reference)).filter(
      ({ name }) => !shown.has(name) && !ofNode.has(name) && !inner.has(name),
    );
    variables.forEach(({ name }) => shown.add(name));
    if (variables.length === 0) continue;
    lines.push(`${scope.name}:`, ...(await variableLines(adapter, variables, { limits, room, indent: '  ' })));
  }
  return lines;
}

/** What is in a value. */
export async function childLines(adapter: Adapter, reference: number, limits: TextLimits): Promise<string[]> {
  if (reference === 0) return [];
  const children = (await adapter.variables(reference)).filter(({ name }) => !inner.has(name));
  return variableLines(adapter, children, { limits, room: { left: limits.characters }, indent: '  ' });
}

interface Place {
  limits: TextLimits;
  /** What all lines may still take: counts down. */
  room: { left: number };
  indent: string;
}

async function variableLines(adapter: Adapter, variables: readonly Variable[], place: Place): Promise<string[]> {
  const { limits, room, indent } = place;
  const lines: string[] = [];
  for (const [at, { name, value, reference, lazy }] of variables.entries()) {
    if (room.left <= 0) {
      lines.push(`${indent}… ${variables.length - at} more`);
      break;
    }
    const line = `${indent}${name} = ${lazy ? '(a getter, not called)' : oneLine(value, limits.value)}`;
    room.left -= line.length;
    lines.push(line);
    const deeper = limits.depth > 0 && reference > 0 && !lazy && room.left > 0;
    if (!deeper) continue;
    const children = (await adapter.variables(reference)).filter((child) => !inner.has(child.name));
    lines.push(
      ...(await variableLines(adapter, children, {
        limits: { ...limits, depth: limits.depth - 1 },
        room,
        indent: `${indent}  `,
      })),
    );
  }
  return lines;
}

export function oneLine(value: string, length: number): string {
  const line = value.replace(/\s*\n\s*/g, ' ');
  return line.length <= length ? line : `${shortened(line, length)} (${value.length} characters)`;
}

/** The variable that a path such as `order.items[0].price` names, looked for from the innermost scope outwards. */
export async function findVariable(
  adapter: Adapter,
  frame: number,
  path: string,
): Promise<Variable | { missing: string; there: string[] }> {
  const [first = '', ...rest] = path.split(/\.|\[|\]/).flatMap((part) => {
    const name = part.trim().replace(/^(["'])(.*)\1$/, '$2');
    return name === '' ? [] : [name];
  });
  const names: string[] = [];
  let found: Variable | undefined;
  for (const scope of await adapter.scopes(frame)) {
    const variables = await adapter.variables(scope.reference);
    found = variables.find(({ name }) => name === first);
    if (found !== undefined) break;
    if (!scope.expensive) names.push(...variables.map(({ name }) => name));
  }
  if (found === undefined) return { missing: first, there: names };
  for (const name of rest) {
    const children: Variable[] = found.reference === 0 ? [] : await adapter.variables(found.reference);
    const child = children.find((one) => one.name === name);
    if (child === undefined) return { missing: name, there: children.map((one) => one.name) };
    found = child;
  }
  return found;
}
