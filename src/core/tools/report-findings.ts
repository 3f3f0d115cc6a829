// What a review reports with the Review tool: each finding is looked up in its file, and what is not there is not shown.
import { z } from 'zod/v3';
import { counted } from '../../shared/counted';
import { defined } from '../../shared/defined';
import { fail } from '../tool/file-failure';
import { type Finding, isSameFinding, severities } from '../tool/session-findings';
import { type ToolContext, type ToolFailure } from '../tool/tool';
import { escapeAttribute } from '../text/attachment';
import { filePath } from './files/file-path';

export const reportedFinding = z.strictObject({
  path: z.string().describe('The absolute path of the file'),
  line: z.number().int().positive().describe('The first of the lines, counted from 1'),
  quoted: z.string().describe('The lines that it is about, whole and as they stand in the file'),
  kind: z.string().describe('The kind of problem in two or three words, the same for the same kind'),
  problem: z.string().describe('What is wrong and how it fails'),
  fix: z.string().optional().describe('The fix, in one sentence'),
  severity: z.enum(severities).describe('How grave it is'),
});
export type ReportedFinding = z.infer<typeof reportedFinding>;

export interface Report {
  reviewFindings: Finding[];
  /** Places of what the user has called no problem before. */
  dismissed: string[];
}

const maxFileBytes = 5_000_000;

/** All of them or none: the model reports again what it has quoted wrongly, and nothing is shown twice. */
export async function report(
  reported: readonly ReportedFinding[],
  { session, ports }: Pick<ToolContext, 'session' | 'ports'>,
): Promise<Report | ToolFailure> {
  const known = session.findings?.all() ?? new Map<string, Finding>();
  const dismissed = session.findings?.dismissed() ?? [];
  let last = [...known.keys()].reduce((highest, id) => Math.max(highest, Number(id.slice(1)) || 0), 0);
  const found: Report = { reviewFindings: [], dismissed: [] };
  const wrong: string[] = [];
  const texts = new Map<string, Promise<readonly string[] | undefined>>();
  for (const one of reported) {
    const path = filePath(one.path, session.cwd);
    const lines = texts.get(path) ?? linesOf(path, { session, ports });
    texts.set(path, lines);
    const place = placeOf(one, await lines);
    if (typeof place === 'string') {
      wrong.push(`${escapeAttribute(one.path)}:${one.line}: ${place}`);
      continue;
    }
    const { kind, problem, fix, severity } = one;
    const finding = { path, ...place, kind, problem, severity, ...defined({ fix }) };
    if (dismissed.some((other) => isSameFinding(finding, other))) found.dismissed.push(`${one.path}:${place.start}`);
    else {
      const same = [...known.values(), ...found.reviewFindings].find((other) => isSameFinding(finding, other));
      found.reviewFindings.push({ id: same?.id ?? `f${++last}`, ...finding });
    }
  }
  return wrong.length === 0
    ? found
    : fail(
        'not-quoted',
        `Nothing is shown yet. Report all of them again, with the lines exactly as they stand in the file:\n${wrong.join('\n')}`,
      );
}

export function reportText({ reviewFindings, dismissed }: Report): string {
  const shown =
    reviewFindings.length === 0
      ? 'There is nothing to show.'
      : `The user sees ${counted(reviewFindings.length, 'finding')} at the lines: ${reviewFindings.map(({ id }) => id).join(', ')}. Don't repeat them in your answer.`;
  return dismissed.length === 0
    ? shown
    : `${shown} Not shown, since the user has said that it is no problem: ${dismissed.join(', ')}. Leave it out of your answer as well.`;
}

async function linesOf(
  path: string,
  { session, ports }: Pick<ToolContext, 'session' | 'ports'>,
): Promise<readonly string[] | undefined> {
  if (session.isHidden(path)) return undefined;
  const read = await ports.files.readText(path, maxFileBytes);
  return read.outcome === 'read' ? read.file.text.split(/\r\n|\n|\r/) : undefined;
}

/** The place nearest to the line that was named; a sentence where there is none. */
function placeOf(
  { line, quoted }: ReportedFinding,
  lines: readonly string[] | undefined,
): Pick<Finding, 'start' | 'end' | 'quoted'> | string {
  if (lines === undefined) return 'the file cannot be read.';
  const wanted = quoted.replace(/^(\s*\n)+|\s+$/g, '').split(/\r\n|\n|\r/);
  if (wanted.join('').trim() === '') return 'nothing is quoted.';
  let nearest: number | undefined;
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    const isHere = wanted.every((text, index) => lines[at + index]?.trim() === text.trim());
    if (isHere && (nearest === undefined || Math.abs(at + 1 - line) < Math.abs(nearest + 1 - line))) nearest = at;
  }
  if (nearest === undefined) return 'these lines are not in the file.';
  const end = nearest + wanted.length;
  return { start: nearest + 1, end, quoted: lines.slice(nearest, end).join('\n') };
}
