// The figures as a page of the documentation, a section for each area, written by the runs themselves: nobody types them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { type MachineFacts, machineLine } from './machine';
import { type Report, resultOf, shown, targetOf } from './report';

export const documentFile = 'docs/performance.md';

const opening = `# Performance

Written by \`npm run bench -- --write\` and \`npm run soak -- --write\`. Do not edit: run them again, on a machine that does
nothing else.

A row is the median of its runs, next to the target that the project set itself and, where there is one, the best figure
of a peer that was measured on the same kind of machine. ✗ marks a target that was missed. Figures of different machines
cannot be compared; rows of the same section can.
`;

/** Sections by their headings, as Markdown without the headings. */
export type Sections = Readonly<Record<string, string>>;

/** Puts the sections in the place of those with the same headings; the others stay as another run has written them. */
export async function writeSections(sections: Sections, file = documentFile): Promise<void> {
  const before = existsSync(file) ? sectionsOf(readFileSync(file, 'utf8')) : {};
  const parts = Object.entries({ ...before, ...sections }).map(([heading, text]) => `## ${heading}\n\n${text}`);
  const text = [opening, ...parts].join('\n\n');
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

function sectionsOf(text: string): Record<string, string> {
  const [, ...parts] = text.split(/^## /m);
  return Object.fromEntries(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end).trim()];
    }),
  );
}

/** A section for each area that ran. */
export function areaSections({ rows, skipped }: Pick<Report, 'rows' | 'skipped'>, facts: MachineFacts): Sections {
  const areas = [...new Set([...rows, ...skipped].map(({ area }) => area))];
  return Object.fromEntries(
    areas.map((area) => {
      const body = rows
        .filter((row) => row.area === area)
        .map((row) => [row.name, shown(row), targetOf(row), row.peer ?? '', resultOf(row), row.note ?? '']);
      const missing = skipped
        .filter((one) => one.area === area)
        .map(({ name, why }) => `- Not measured: ${name}: ${why}`);
      return [
        area,
        [
          `${machineLine(facts)}.`,
          ...(body.length > 0 ? [tableText(['row', 'measured', 'target', 'best peer', '', ''], body)] : []),
          ...(missing.length > 0 ? [missing.join('\n')] : []),
        ].join('\n\n'),
      ];
    }),
  );
}

/** The first column is text, and the last two where there are more than four; the others are figures. */
export function tableText(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 || column > 3 ? '---' : '--:'));
  return [head, rule, ...body]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
