// What is looked at while a program stands still: its stack, the variables of a frame, an expression.
import { headOf } from '../../../shared/cut-text';
import { type ToolFailure } from '../../tool/tool';
import { fail } from '../../tool/file-failure';
import { type Adapter } from './adapter';
import { type DebugInput } from './debug-input';
import { type Report, stackReport } from './state-text';
import { childLines, findVariable, oneLine, scopeLines } from './variable-text';

const all = { value: 160, characters: 1_700, depth: 0 };
const within = { value: 200, characters: 1_500, depth: 1 };
const maxValue = 1_200;
const maxNames = 20;

export async function inspect(
  { action, frame = 0, name, expression = '' }: DebugInput,
  adapter: Adapter,
  thread: number,
  cwd: string,
): Promise<Report | ToolFailure> {
  if (action === 'stack') return stackReport(adapter, thread, cwd);
  const { frames, total } = await adapter.frames(thread, frame + 1);
  const at = frames[frame];
  if (at === undefined) return fail('no-frame', `There is no frame ${frame}: the stack has ${total}, counted from 0.`);
  if (action === 'evaluate') {
    const { value, reference } = await adapter.evaluate(expression, at.id);
    return { lines: [...valueLines(value), ...(await childLines(adapter, reference, { ...within, depth: 0 }))] };
  }
  if (name === undefined) {
    const lines = await scopeLines(adapter, at.id, all);
    return { lines: lines.length === 0 ? ['The frame has no variables of its own.'] : lines };
  }
  const found = await findVariable(adapter, at.id, name);
  if ('missing' in found) {
    const more = found.there.length > maxNames ? ` and ${found.there.length - maxNames} more` : '';
    const there = found.there.length === 0 ? 'Nothing is' : `${found.there.slice(0, maxNames).join(', ')}${more} are`;
    return fail('no-variable', `There is no "${found.missing}" here. ${there} there.`);
  }
  return {
    lines: [`${name} = ${oneLine(found.value, within.value)}`, ...(await childLines(adapter, found.reference, within))],
  };
}

/** A text may have many lines. */
function valueLines(value: string): string[] {
  return value.length <= maxValue ? [value] : [`${headOf(value, maxValue)}…`, `(${value.length} characters in all)`];
}
