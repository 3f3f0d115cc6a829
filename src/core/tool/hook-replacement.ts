// An output as hooks are shown it, and what they put in its place as the tool's own output again.
import { type ZodError, type ZodIssue } from 'zod/v3';
import { type HookedResult, type ShownCall } from './hook-output';
import { type AnyTool } from './tool';

export function shownToHooks(tool: AnyTool, result: HookedResult<unknown>, call: ShownCall<unknown>): unknown {
  return tool.hookOutput === undefined ? result.data : (tool.hookOutput.show(result, call) as unknown);
}

export type Replacement = { result: HookedResult<unknown> } | { unusable: string };

/** A tool without a mapping shows its output as it is, and takes back what fits its schema. */
export function readReplacement(
  tool: AnyTool,
  given: unknown,
  result: HookedResult<unknown>,
  shown: unknown,
): Replacement {
  const { hookOutput: mapping, outputSchema } = tool;
  if (mapping === undefined) {
    if (outputSchema === undefined) return { result: { ...result, data: given } };
    const own = outputSchema.safeParse(given);
    return own.success ? { result: { ...result, data: own.data as unknown } } : { unusable: problemText(own.error) };
  }
  const parsed = mapping.shape.safeParse(given);
  if (!parsed.success) return { unusable: problemText(parsed.error) };
  const read = mapping.read(parsed.data, result, shown) as HookedResult<unknown> | string;
  return typeof read === 'string' ? { unusable: read } : { result: read };
}

/** The first field that is wrong, and how. */
function problemText(error: ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'It has another shape.' : issueText(issue);
}

function issueText(issue: ZodIssue): string {
  const field = fieldName(issue.path);
  const name = field === '' ? 'The output' : `\`${field}\``;
  if (issue.code === 'invalid_type')
    return issue.received === 'undefined' && field !== ''
      ? `${name} is missing.`
      : `${name} must be ${withArticle(issue.expected)}, not ${withArticle(issue.received)}.`;
  if (issue.code === 'invalid_union_discriminator')
    return `${name} must be one of ${issue.options.map((option) => JSON.stringify(option)).join(', ')}.`;
  return `${name} cannot be used: ${issue.message}.`;
}

function fieldName(path: readonly (string | number)[]): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}

function withArticle(type: string): string {
  if (['null', 'undefined', 'nan'].includes(type)) return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
