// Changes one cell in the JSON text of a notebook; every character outside of it stays.
import { itemRanges, type JsonRange, memberRanges, memberValue, rootRange } from '../../edits/json-ranges';
import { type CellChange } from '../../ports/notebooks';
import { sourceKey } from '../read/notebook';

/** How the parts of a value are below each other. Undefined: all on one line. */
interface Layout {
  /** In front of each part. */
  indent: string;
  unit: string;
  ending: string;
}

/** Undefined where the notebook has no such cell, or no list that could take one. */
export function changeNotebook(text: string, major: number, minor: number, change: CellChange): string | undefined {
  const lists = cellLists(text, major);
  const places = lists.flatMap((list) => itemRanges(text, list.start).map((range) => ({ list, range })));
  const place = places[change.index];
  switch (change.kind) {
    case 'insert': {
      const list = places[change.index - 1]?.list ?? lists[0];
      return list && insertCell(text, list, places[change.index - 1]?.range, newCell(major, minor, change));
    }
    case 'delete':
      return place && deleteCell(text, place.list, place.range);
    case 'replace':
      return place && replaceCell(text, place.list, place.range, major, change);
  }
}

function cellLists(text: string, major: number): JsonRange[] {
  const root = rootRange(text).start;
  const isList = (range: JsonRange | undefined): range is JsonRange => range !== undefined && text[range.start] === '[';
  if (major >= 4) return [memberValue(text, root, 'cells')].filter(isList);
  const sheets = memberValue(text, root, 'worksheets');
  if (!isList(sheets)) return [];
  return itemRanges(text, sheets.start)
    .map(({ start }) => memberValue(text, start, 'cells'))
    .filter(isList);
}

function replaceCell(
  text: string,
  list: JsonRange,
  range: JsonRange,
  major: number,
  change: Extract<CellChange, { kind: 'replace' }>,
): string {
  const cell = JSON.parse(text.slice(range.start, range.end)) as Record<string, unknown>;
  const type = typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'unknown';
  const value = memberValue(text, range.start, sourceKey(major, type));
  const sameType = change.cellType === undefined || change.cellType === type;
  if (sameType && value !== undefined) return replaced(text, value, sourceText(text, range, value, change.source));
  return replaced(
    text,
    range,
    serialised(retyped(cell, major, change.cellType ?? type, change.source), layoutInside(text, list)),
  );
}

/** The new source in the shape of the old one: one string, or a list of lines. */
function sourceText(text: string, cell: JsonRange, old: JsonRange, source: string): string {
  if (text[old.start] !== '[') return JSON.stringify(source);
  const items = sourceLines(source).map((line) => JSON.stringify(line));
  if (items.length === 0) return '[]';
  const [first, second] = itemRanges(text, old.start);
  const layout = first === undefined ? inner(layoutInside(text, cell)) : layoutInside(text, old);
  if (layout === undefined) return `[${items.join(first && second ? text.slice(first.end, second.start) : ', ')}]`;
  const { indent, unit, ending } = layout;
  const lead = `${ending}${indent}`;
  const end = first === undefined ? indent.slice(0, indent.length - unit.length) : closingIndent(text, old);
  return `[${lead}${items.join(`,${lead}`)}${ending}${end}]`;
}

/** The keys keep their order; outputs belong to code alone. */
function retyped(cell: Record<string, unknown>, major: number, type: string, source: string): Record<string, unknown> {
  const from = typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'unknown';
  const [oldKey, newKey] = [sourceKey(major, from), sourceKey(major, type)];
  const wasText = typeof cell[oldKey] === 'string';
  const entries = Object.entries({ ...cell, [oldKey]: wasText ? source : sourceLines(source), cell_type: type })
    .filter(
      ([key]) =>
        type === 'code' || !['outputs', 'execution_count', 'prompt_number', 'collapsed', 'language'].includes(key),
    )
    .map(([key, value]) => [key === oldKey ? newKey : key, value] as const);
  return type === 'code'
    ? { ...Object.fromEntries(entries), ...withDefaults(cell, codeFields(major)) }
    : Object.fromEntries(entries);
}

function withDefaults(cell: Record<string, unknown>, defaults: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => !(key in cell)));
}

function codeFields(major: number): Record<string, unknown> {
  return major >= 4 ? { execution_count: null, outputs: [] } : { collapsed: false, language: 'python', outputs: [] };
}

function newCell(
  major: number,
  minor: number,
  { cellType, id, source }: Extract<CellChange, { kind: 'insert' }>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    cell_type: cellType,
    ...(hasIds(major, minor) ? { id } : {}),
    metadata: {},
    ...(cellType === 'code' ? codeFields(major) : {}),
    [sourceKey(major, cellType)]: sourceLines(source),
  };
  // As the format's own library writes it.
  return Object.fromEntries(Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Cells have ids since 4.5. */
export function hasIds(major: number, minor: number): boolean {
  return major > 4 || (major === 4 && minor >= 5);
}

function insertCell(
  text: string,
  list: JsonRange,
  before: JsonRange | undefined,
  cell: Record<string, unknown>,
): string {
  const [first] = itemRanges(text, list.start);
  const layout = first === undefined ? inner(layoutAround(text, list)) : layoutInside(text, list);
  const json = serialised(cell, layout);
  const lead = layout === undefined ? '' : `${layout.ending}${layout.indent}`;
  if (before !== undefined) return inserted(text, before.end, `,${lead === '' ? ' ' : lead}${json}`);
  if (first !== undefined) return inserted(text, first.start, `${json},${lead === '' ? ' ' : lead}`);
  const end =
    layout === undefined ? '' : `${layout.ending}${layout.indent.slice(0, layout.indent.length - layout.unit.length)}`;
  return replaced(text, list, `[${lead}${json}${end}]`);
}

function deleteCell(text: string, list: JsonRange, range: JsonRange): string {
  const items = itemRanges(text, list.start);
  const index = items.findIndex(({ start }) => start === range.start);
  const [previous, next] = [items[index - 1], items[index + 1]];
  if (previous !== undefined) return replaced(text, { start: previous.end, end: range.end }, '');
  return next === undefined ? replaced(text, list, '[]') : replaced(text, { start: range.start, end: next.start }, '');
}

/** nbformat keeps each line with its line feed. */
function sourceLines(source: string): string[] {
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function serialised(value: unknown, layout: Layout | undefined): string {
  if (layout === undefined) return JSON.stringify(value);
  return JSON.stringify(value, undefined, layout.unit).replaceAll('\n', `${layout.ending}${layout.indent}`);
}

/** The layout of the first part of an object or list that has one. */
function layoutInside(text: string, outer: JsonRange): Layout | undefined {
  const first =
    text[outer.start] === '[' ? itemRanges(text, outer.start)[0]?.start : memberRanges(text, outer.start)[0]?.keyStart;
  if (first === undefined) return undefined;
  const lead = /(\r?\n)([ \t]*)$/.exec(text.slice(outer.start + 1, first));
  if (lead === null) return undefined;
  const [, ending = '\n', indent = ''] = lead;
  const outside = closingIndent(text, outer);
  return {
    indent,
    unit: indent.startsWith(outside) && indent.length > outside.length ? indent.slice(outside.length) : ' ',
    ending,
  };
}

/** The layout of the line on which a part stands. */
function layoutAround(text: string, part: JsonRange): Layout | undefined {
  const root = layoutInside(text, rootRange(text));
  const line = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, part.start))?.[1];
  return root && { ...root, indent: line ?? '' };
}

function inner(layout: Layout | undefined): Layout | undefined {
  return layout && { ...layout, indent: layout.indent + layout.unit };
}

/** In front of the bracket that closes an object or list. */
function closingIndent(text: string, outer: JsonRange): string {
  const before = text.slice(0, outer.end - 1);
  return /\n([ \t]*)$/.exec(before.slice(before.trimEnd().length))?.[1] ?? '';
}

function replaced(text: string, { start, end }: JsonRange, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function inserted(text: string, at: number, what: string): string {
  return replaced(text, { start: at, end: at }, what);
}
