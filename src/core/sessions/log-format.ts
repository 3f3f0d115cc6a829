// The format of a log: a number on the first record of whoever writes it, and the way from older ones to the present one.

/** Counts up when logs are written that earlier versions of Deft would misread. */
export const logFormat = 1;

/** In addition to a record's own fields. It holds from that record on; a log without it has format 1. */
export const formatField = 'deftFormat';

type Fields = Record<string, unknown>;
/** One line of one format as the next format has it. */
export type Migration = (fields: Fields) => Fields;

/** The first one leads from format 1 to 2, and so on. */
const migrations: readonly Migration[] = [];

/** The format that the line names, which is none for most. */
export function namedFormat(fields: Fields): number | undefined {
  const format = fields[formatField];
  return typeof format === 'number' && Number.isInteger(format) && format > 0 ? format : undefined;
}

/** The line as the present format has it, without its format. */
export function migrated(fields: Fields, from: number, steps: readonly Migration[] = migrations): Fields {
  const { [formatField]: _format, ...own } = fields;
  return steps.slice(from - 1).reduce((line, step) => step(line), own);
}
