// What Debug is asked for, and which of it runs code that somebody has to allow.
import { z } from 'zod/v3';
import { isAbsolute, relative } from 'pathe';
import { type RunName } from '../../permissions/rules/verdict';
import { type Access } from '../../../shared/permission';
import { type ValidationResult } from '../../tool/tool';
import { filePath } from '../files/file-path';

const breakpointSchema = z.strictObject({
  at: z.string().describe('file:line'),
  condition: z.string().optional().describe('Stop only where it is true'),
  hitCondition: z.string().optional().describe('Which hits stop: 3, >=3, %2'),
  logMessage: z.string().optional().describe('Print it, with {expressions}, and go on'),
});
export type BreakpointInput = z.infer<typeof breakpointSchema>;

const actions = [
  'start',
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'pause',
  'stack',
  'variables',
  'evaluate',
  'breakpoints',
  'stop',
] as const;

export const debugInputSchema = z.strictObject({
  action: z.enum(actions).describe('What to do'),
  program: z.string().optional().describe('The file to run'),
  args: z.array(z.string()).max(50).optional().describe("The program's arguments"),
  configuration: z.string().optional().describe('Its name'),
  breakpoints: z.array(breakpointSchema).max(30).optional().describe('All that are to be set'),
  exceptions: z.enum(['none', 'uncaught', 'all']).optional().describe('Default uncaught'),
  keep: z.boolean().optional().describe('Let it run on after the turn'),
  expression: z.string().optional().describe('To evaluate'),
  name: z.string().optional().describe('One variable, with what is in it: order.items[0]'),
  frame: z.number().int().min(0).optional().describe('As stack numbers them'),
  timeout: z.number().positive().max(300).optional().describe('Seconds to wait (default 20)'),
});
export type DebugInput = z.infer<typeof debugInputSchema>;
export type DebugAction = DebugInput['action'];

/** It starts a program, or code that the model wrote runs in one. */
export function runsCode({ action, breakpoints = [] }: DebugInput): boolean {
  if (action === 'start' || action === 'evaluate') return true;
  return action === 'breakpoints' && breakpoints.some((one) => expressionsOf(one).length > 0);
}

export function accessOf(input: DebugInput): Access {
  return runsCode(input) ? 'DangerFullAccess' : 'ReadOnly';
}

/** As rules name it: what starts, and every expression that runs in it. */
export function runNames(
  { action, program, args = [], configuration, expression, breakpoints = [] }: DebugInput,
  cwd: string,
): RunName[] {
  const expressions = [
    ...(action === 'evaluate' ? [expression ?? ''] : []),
    ...(action === 'start' || action === 'breakpoints' ? breakpoints.flatMap(expressionsOf) : []),
  ].map((text): RunName => ({ name: `expression:${text}` }));
  if (action !== 'start') return expressions;
  if (configuration !== undefined) return [{ name: `configuration:${configuration}` }, ...expressions];
  const path = filePath(program ?? '', cwd);
  const inside = relative(cwd, path);
  const name = `program:${inside.startsWith('..') || isAbsolute(inside) ? path : inside}`;
  return [{ name, ...(args.length === 0 ? {} : { args: args.map(argumentText).join(' ') }) }, ...expressions];
}

/** With its blanks it would look like two. */
function argumentText(text: string): string {
  return /^[\w./:=@,+-]+$/.test(text) ? text : JSON.stringify(text);
}

function expressionsOf({ condition, hitCondition, logMessage }: BreakpointInput): string[] {
  return [
    condition ?? '',
    // A number, with what compares: not code.
    /^\s*(?:[<>=%]=?|==)?\s*\d+\s*$/.test(hitCondition ?? '0') ? '' : (hitCondition ?? ''),
    /\{/.test(logMessage ?? '') ? (logMessage ?? '') : '',
  ].filter((text) => text.trim() !== '');
}

/** `src/a.ts:12`. */
export function placeOf(at: string): { file: string; line: number } | undefined {
  const [, file = '', line = ''] = /^(.+):(\d+)$/s.exec(at.trim()) ?? [];
  return file === '' || Number(line) < 1 ? undefined : { file, line: Number(line) };
}

export function validateDebug(input: DebugInput): ValidationResult {
  const problem = problemOf(input);
  return problem === undefined ? { ok: true } : { ok: false, code: 'invalid-input', message: problem };
}

function problemOf({
  action,
  program,
  args,
  configuration,
  expression,
  breakpoints = [],
  ...rest
}: DebugInput): string | undefined {
  const texts = [program, configuration, expression, rest.name, ...(args ?? [])];
  if (texts.some((text) => text?.includes('\0') === true)) return 'No text may contain a NUL character.';
  const wrong = breakpoints.find(({ at }) => placeOf(at) === undefined);
  if (wrong !== undefined) return `"${wrong.at}" names no line: write a breakpoint as file:line.`;
  if (action === 'evaluate' && (expression ?? '').trim() === '') return 'evaluate needs an expression.';
  if (action !== 'start') return undefined;
  if (program !== undefined && configuration !== undefined) return 'Give either program or configuration, not both.';
  if (configuration !== undefined && args !== undefined)
    return 'args belong to program; a configuration has its own arguments.';
  return undefined;
}
