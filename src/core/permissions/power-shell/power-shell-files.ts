// Which files a PowerShell command of a known kind reads and writes. It guesses generously: what may be a path counts.
import { basename, dirname, isAbsolute } from 'pathe';
import { type FileUse } from '../files/file-answers';
import { commandPaths } from '../bash/command-paths';
import { asShellWords, type PowerShellCommand } from './power-shell-command';
import { absolutePath } from '../rules/workspace-path';

export interface WrittenUse {
  access: FileUse['access'];
  /** As it stands in the line. */
  written: string;
}

export interface PowerShellUses {
  uses: WrittenUse[];
  /** It reaches what is in files that it does not name: below its folders, or by a pattern. */
  wide: boolean;
}

/** Undefined for commands whose arguments Deft knows nothing about. */
export function usesOf(command: PowerShellCommand): PowerShellUses | undefined {
  const kind = kinds.get(command.name);
  if (kind !== undefined) return usesOfCmdlet(command, kind);
  const program = command.name.replace(/^.*[\\/]/, '').replace(/\.exe$/, '');
  if (kinds.has(program) && program !== command.name) return usesOf({ ...command, name: program });
  const paths = commandPaths(asShellWords(command, program));
  return (
    paths && {
      uses: paths.uses.map(({ access, path }) => ({ access, written: path })),
      wide: paths.content && (paths.recursive || hasPattern(paths.uses.map(({ path }) => path))),
    }
  );
}

function usesOfCmdlet(command: PowerShellCommand, kind: Kind): PowerShellUses {
  const { free, named } = split(command);
  const recursive = [...named.keys()].some((name) => name !== '' && 'recurse'.startsWith(name));
  const { paths, targets } = operandsOf(command, kind, free, named);
  const makes = command.name === 'new-item';
  // `New-Item -Path folder -Name file`; a link shows what it leads to.
  const made = (makes ? valuesOf(named, ['name']) : []).flatMap((name) =>
    paths.length === 0 ? [name] : paths.map((path) => `${path}/${name}`),
  );
  const shown = makes ? valuesOf(named, ['target', 'value']) : [];
  const placed = targets.flatMap((target) =>
    paths.map((path) =>
      command.name === 'rename-item' ? `${dirname(forward(path))}/${target}` : `${target}/${basename(forward(path))}`,
    ),
  );
  const all: WrittenUse[] = [
    ...[...paths, ...made].map((written) => ({ access: kind.access, written })),
    ...[...targets, ...placed].map((written) => ({ access: 'write' as const, written })),
    ...[...shown, ...valuesOf(named, ['infile'])].map((written) => ({ access: 'read' as const, written })),
    ...valuesOf(named, ['outfile']).map((written) => ({ access: 'write' as const, written })),
  ];
  const wide = !lists.has(command.name) && (recursive || hasPattern(paths));
  return { uses: all.filter(({ written }) => written !== ''), wide };
}

/** The paths that it is given, and where something is put. */
function operandsOf(
  command: PowerShellCommand,
  kind: Kind,
  free: readonly string[],
  named: Map<string, string[]>,
): { paths: string[]; targets: string[] } {
  const paths = valuesOf(named, pathNames);
  const targets = valuesOf(named, ['destination', 'newname']);
  const byName = paths.length > 0;
  switch (kind.takes) {
    case 'source and target': {
      if (byName) return { paths, targets: [...targets, ...free] };
      const isLast = targets.length === 0 && free.length > 1;
      return isLast ? { paths: free.slice(0, -1), targets: free.slice(-1) } : { paths: [...free], targets };
    }
    case 'all':
      return { paths: [...paths, ...free], targets };
    case 'first':
      return {
        paths: [...paths, ...(command.text.includes(',') ? free : byName ? [] : free.slice(0, 1))],
        targets,
      };
    case 'none':
      return { paths, targets };
  }
}

function hasPattern(paths: readonly string[]): boolean {
  return paths.some((path) => /[*?[\]]/.test(path));
}

/** They show names, not what is in files. */
const lists = new Set(['get-childitem', 'get-item', 'get-itemproperty', 'test-path', 'resolve-path', 'get-acl']);

/** Where the output of a line that is not plain goes, as far as that is written out. */
export function redirectedUses(line: string): WrittenUse[] {
  const targets = [...line.matchAll(/(?:^|[^>-])[1-6*]?>{1,2}[ \t]*('[^'\n]*'|"[^"\n]*"|[^\s;|&(){}'"<>]+)/g)];
  return targets.map(([, target = '']) => ({ access: 'write', written: target.replaceAll(/['"]/g, '') }));
}

/** For rules that forbid or ask: also paths of other machines, and those with the name of their provider. */
export function pathForRules(written: string, cwd: string, home: string): string {
  const path = forward(written)
    .replace(/^(?:microsoft\.powershell\.core\/)?filesystem::/i, '')
    .replace(/^\/\/[?.]\/(?:unc\/)?(?=([A-Za-z]:)?)/i, (prefix, drive?: string) =>
      /unc/i.test(prefix) ? '//' : drive === undefined ? prefix : '',
    )
    .replace(/^~(?=$|\/)/, home);
  // A drive without a slash is that drive's current folder; a stream belongs to its file.
  const plain = path.replace(/^[A-Za-z]:(?=[^/])/, '').replace(/(?<=[^/]{2}):[^/]*$/, '');
  return isAbsolute(plain) ? absolutePath(plain, '/') : absolutePath(plain, cwd);
}

function forward(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Words that belong to no parameter, and those that do, by its name in lower case; abbreviations stay what they are. */
function split(command: PowerShellCommand): { free: string[]; named: Map<string, string[]> } {
  const free: string[] = [];
  const named = new Map<string, string[]>();
  const isList = command.text.includes(',');
  let open: { name: string; left: number } | undefined;
  for (const { value, quoted } of command.words.slice(1)) {
    const [, name, direct] = quoted ? [] : (/^[-–—―]([A-Za-z]+)(?::(.*))?$/s.exec(value) ?? []);
    if (name !== undefined) {
      const lower = name.toLowerCase();
      named.set(lower, [...(named.get(lower) ?? []), ...(direct === undefined || direct === '' ? [] : [direct])]);
      open = (direct ?? '') !== '' || isSwitch(lower) ? undefined : { name: lower, left: isList ? Infinity : 1 };
    } else if (open !== undefined && open.left > 0) {
      named.get(open.name)?.push(value);
      open.left--;
      // It may be a switch that Deft does not know: then this is a word of its own.
      if (!known.some((one) => one.startsWith(open?.name ?? '-'))) free.push(value);
    } else free.push(value);
  }
  return { free, named };
}

function isSwitch(name: string): boolean {
  return [
    'recurse',
    'force',
    'append',
    'nonewline',
    'passthru',
    'noclobber',
    'whatif',
    'verbose',
    'confirm',
    'raw',
    'container',
    'asbytestream',
  ].some((one) => one.startsWith(name) && name.length > 1);
}

function valuesOf(named: Map<string, string[]>, names: readonly string[]): string[] {
  return [...named].flatMap(([name, values]) => (names.some((full) => full.startsWith(name)) ? values : []));
}

const pathNames = ['path', 'literalpath', 'pspath', 'lp', 'filepath'];
/** Parameters that take a value: of all commands below together. */
const known = [
  ...pathNames,
  'destination',
  'newname',
  'name',
  'target',
  'value',
  'infile',
  'outfile',
  'encoding',
  'filter',
  'include',
  'exclude',
  'itemtype',
  'inputobject',
  'erroraction',
  'warningaction',
  'delimiter',
  'width',
  'stream',
  'credential',
  'totalcount',
  'tail',
  'readcount',
  'pattern',
  'context',
  'algorithm',
  'depth',
  'uri',
  'method',
  'headers',
  'body',
];

interface Kind {
  access: FileUse['access'];
  takes: 'all' | 'first' | 'source and target' | 'none';
}

const kinds = new Map<string, Kind>([
  ...of(
    'read',
    'all',
    'get-content get-filehash get-item get-childitem get-itemproperty import-csv import-clixml import-powershelldatafile format-hex select-string test-path resolve-path invoke-item get-acl compare-object',
  ),
  ...of('write', 'all', 'remove-item clear-content clear-item compress-archive expand-archive set-acl'),
  ...of(
    'write',
    'first',
    'set-content add-content out-file tee-object new-item set-item export-csv export-clixml start-transcript',
  ),
  ...of('read', 'source and target', 'copy-item'),
  ...of('write', 'source and target', 'move-item rename-item'),
  ...of('read', 'none', 'invoke-webrequest invoke-restmethod'),
]);

function of(access: Kind['access'], takes: Kind['takes'], names: string): [string, Kind][] {
  return names.split(' ').map((name) => [name, { access, takes }]);
}
