// Which plain PowerShell commands only look, and at which files.
import { type PowerShellCommand } from './power-shell-command';

export interface PowerShellReading {
  /** As written; none: the current folder. */
  paths: string[];
  /** It shows what is inside files. */
  content: boolean;
}

/** Undefined where it may do more than look. */
export function readingOf(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
): PowerShellReading | undefined {
  const allowed = parameters.get(command.name);
  // Abbreviated parameters may be others than one thinks; of `sort` and its like, programs of that name take options of their own.
  if (allowed === undefined || ambiguous.has(command.words[0]?.value.toLowerCase() ?? '')) return undefined;
  const words = command.words.slice(1);
  const named = words.flatMap(({ value, quoted }) =>
    !quoted && /^-[A-Za-z]/.test(value) ? [(value.slice(1).split(':')[0] ?? '').toLowerCase()] : [],
  );
  if (!named.every((name) => allowed.has(name) || common.has(name))) return undefined;
  if (pure.has(command.name)) return { paths: [], content: false };
  const searches = command.name === 'select-string';
  // Given by name, the pattern leaves the first place to a path.
  const byName = named.includes('pattern');
  if (command.piped) {
    // Text that is piped in is searched; anywhere else it would be taken for names of files.
    const textual = before.every(({ name }) => name === 'get-content' || (pure.has(name) && name !== 'select-object'));
    const free = words.filter(
      ({ value, quoted }, index) =>
        (quoted || !value.startsWith('-')) && words[index - 1]?.value.toLowerCase() !== '-pattern',
    );
    const onlyText = !named.includes('path') && !named.includes('literalpath') && free.length <= (byName ? 0 : 1);
    return searches && textual && onlyText ? { paths: [], content: true } : undefined;
  }
  const paths = words.flatMap(({ value, quoted }, index): string[] => {
    if (
      searches &&
      ((index === 0 && !byName) || words[index - 1]?.value.toLowerCase() === '-pattern') &&
      (quoted || !value.startsWith('-'))
    )
      return [];
    if (quoted || !value.startsWith('-')) return [value];
    const colon = value.indexOf(':');
    return colon < 0 ? [] : [value.slice(colon + 1)];
  });
  return { paths, content: searches || command.name === 'get-content' };
}

/** The path as the file system has it: undefined where it is not one of files, or leads to another machine. */
export function plainPath(written: string, home: string): string | undefined {
  const path = written.replaceAll('\\', '/');
  if (path.startsWith('//') || path.includes('::') || /^[^/]*:/.test(path.replace(/^[A-Za-z]:(?=\/)/, '')))
    return undefined;
  if (/^~(?!$|\/)/.test(path)) return undefined;
  return path.replace(/^~/, home);
}

const table: Record<string, string> = {
  'get-childitem': 'path literalpath filter include exclude recurse depth force name file directory hidden',
  'get-content': 'path literalpath totalcount tail raw encoding readcount force',
  'get-filehash': 'path literalpath algorithm',
  'get-item': 'path literalpath force',
  'resolve-path': 'path literalpath relative',
  'select-string':
    'pattern path literalpath simplematch casesensitive list quiet allmatches notmatch include exclude encoding context raw noemphasis',
  'test-path': 'path literalpath pathtype',
};
const pureTable: Record<string, string> = {
  'convertfrom-json': 'depth ashashtable',
  'convertto-json': 'depth compress',
  'format-list': 'property',
  'format-table': 'property autosize wrap hidetableheaders',
  'format-wide': 'property column autosize',
  'get-date': 'format date asutc uformat',
  'get-location': '',
  'get-unique': '',
  'group-object': 'property noelement',
  'measure-object': 'property line word character sum average maximum minimum',
  'out-string': 'width stream',
  'select-object': 'property first last skip unique expandproperty index',
  'sort-object': 'property descending unique top',
  'where-object': 'property value eq ne gt ge lt le like notlike match notmatch contains in',
  'write-host': 'nonewline foregroundcolor backgroundcolor separator',
  'write-output': 'noenumerate',
};
const parameters = new Map(
  Object.entries({ ...table, ...pureTable }).map(([name, list]) => [name, new Set(list.split(' '))]),
);
const pure = new Set(Object.keys(pureTable));
const common = new Set(['erroraction', 'verbose']);
/** On other systems than Windows these are programs with options of their own. */
const ambiguous = new Set(['sort', 'where', 'group', 'select', 'measure', 'write']);
