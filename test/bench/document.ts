// The figures as a page of the documentation, written by `npm run bench -- --write`: nobody types them.
import { format, resolveConfig } from 'prettier';
import { type MachineFacts, machineLine } from './machine';
import { type Report, resultOf, shown, targetOf } from './report';

export const documentFile = 'docs/performance.md';

const opening = `# Performance

Written by \`npm run bench -- --write\`. Do not edit: run it again, on a machine that does nothing else.

A row is the median of its runs, next to the target that the project set itself and, where there is one, the best figure
of a peer that was measured on the same kind of machine. ✗ marks a target that was missed. Figures of different machines
cannot be compared; rows of the same run can.
`;

/** Markdown. Throws nothing. */
export async function documentOf(
  { rows, skipped }: Pick<Report, 'rows' | 'skipped'>,
  facts: MachineFacts,
): Promise<string> {
  const areas = [...new Set([...rows, ...skipped].map(({ area }) => area))];
  const parts = areas.map((area) => {
    const body = rows
      .filter((row) => row.area === area)
      .map((row) => [row.name, shown(row), targetOf(row), row.peer ?? '', resultOf(row), row.note ?? '']);
    const missing = skipped
      .filter((one) => one.area === area)
      .map(({ name, why }) => `- Not measured: ${name}: ${why}`);
    const table = [
      ['row', 'measured', 'target', 'best peer', '', ''],
      ['---', '--:', '--:', '--:', '---', '---'],
      ...body,
    ]
      .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
      .join('\n');
    return [
      `## ${area}`,
      ...(body.length > 0 ? [table] : []),
      ...(missing.length > 0 ? [missing.join('\n')] : []),
    ].join('\n\n');
  });
  const text = [opening, `${machineLine(facts)}.`, ...parts].join('\n\n');
  return format(text, { ...(await resolveConfig(documentFile)), filepath: documentFile });
}
