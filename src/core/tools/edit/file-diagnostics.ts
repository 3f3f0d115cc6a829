// The problems that a change caused, as lines for the model.
import { isAbort } from '../../text/errors';
import { type Diagnostic } from '../../ports/diagnostics';
import { type Path } from '../../ports/path';
import { type ToolContext } from '../../tool/tool';

const MAX_SHOWN = 20;
const ORDER: Diagnostic['severity'][] = ['error', 'warning', 'information'];

/**
 * New problems of these files since `before`, errors first, at most 20 and a line that counts the rest. A change that is
 * written stays reported: a wait that is aborted or fails gives no lines. `isFalse`: known not to be so.
 */
export async function newDiagnostics(
  paths: Path | Path[],
  before: Diagnostic[],
  context: ToolContext,
  isFalse: (diagnostic: Diagnostic) => boolean = () => false,
): Promise<string[]> {
  try {
    const found = await context.ports.diagnostics.newSince(before, [paths].flat(), context.signal);
    const shown = found
      .filter((one) => ORDER.includes(one.severity) && !isFalse(one))
      .sort((left, right) => rank(left) - rank(right) || left.line - right.line || left.column - right.column);
    const lines = shown.slice(0, MAX_SHOWN).map(diagnosticLine);
    if (shown.length > MAX_SHOWN) lines.push(`… and ${shown.length - MAX_SHOWN} more`);
    return lines;
  } catch (error) {
    if (!isAbort(error) && !context.signal.aborted) context.ports.log.warn('Diagnostics after an edit failed', error);
    return [];
  }
}

function rank(diagnostic: Diagnostic): number {
  return ORDER.indexOf(diagnostic.severity);
}

/** Problems of a notebook name the cell, as NotebookEdit does. */
export function diagnosticPlace({ path, cell, line, column }: Diagnostic): string {
  return `${path}${cell === undefined ? '' : ` cell ${cell}`}:${line}:${column}`;
}

type Told = { [Key in 'severity' | 'message']: Diagnostic[Key] } & { [Key in 'source' | 'code']?: string | undefined };

/** In one line. */
export function diagnosticText({ severity, message, source, code }: Told): string {
  const origin = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
  const text = message.replace(/\s*[\r\n]+\s*/g, ' ');
  return `${severity}: ${text}${origin === '' ? '' : ` (${origin})`}`;
}

function diagnosticLine(diagnostic: Diagnostic): string {
  return `${diagnosticPlace(diagnostic)} ${diagnosticText(diagnostic)}`;
}
