// A plain table: what is measured, its figure, its goal, and whether it is met.

export interface Row {
  what: string;
  /** Undefined where there is nothing to measure. */
  figure: number | undefined;
  /** The figure may be this large; a row without one only informs. */
  goal?: number;
  note?: string;
  /** Shown below the row where the goal is missed. */
  details?: readonly string[];
}

export function printTable(title: string, rows: readonly Row[]): void {
  console.log(tableText(title, rows));
}

export function tableText(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ what }) => what.length), 0);
  const lines = rows.flatMap((row) => [
    rowText(row, width),
    ...(isMet(row) === false ? (row.details ?? []) : []).map((one) => `      ${one}`),
  ]);
  return [`\n${title}`, ...(lines.length > 0 ? lines : ['  none'])].join('\n');
}

function rowText(row: Row, width: number): string {
  const { what, figure, goal, note } = row;
  const mark = { true: '✓', false: '✗', undefined: ' ' }[String(isMet(row)) as 'true'];
  const figures = `${String(figure ?? '?').padStart(6)}${goal === undefined ? '' : `  (goal ${goal})`}`;
  return `  ${mark} ${what.padEnd(width)} ${figures}${note === undefined ? '' : `  ${note}`}`;
}

function isMet({ figure, goal }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  return figure !== undefined && figure <= goal;
}
