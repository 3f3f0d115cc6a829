// Which runner tests of a place are run by: what the nearest folder says that sets one up.
import { dirname, join } from 'pathe';
import { isObject } from '../../../shared/plain-object';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';
import { type RunnerName } from './readers/test-report';
import { calledScript, type ScriptCall, scriptCall } from './script-words';

export interface Runner {
  name: RunnerName;
  /** It runs in here. */
  folder: Path;
  /** What the project's own script says about it. */
  script?: ScriptCall;
  /** What it is started by: ".venv/bin/python -m pytest". */
  program?: string;
  /** Of Go. */
  module?: string;
  /** Others that the same folder sets up. */
  others: RunnerName[];
}

type Files = Pick<FileSystem, 'stat' | 'list' | 'readBytes'>;

const maxConfig = 1024 * 1024;
export const scriptFile = /\.[cm]?[jt]sx?$/;

export const displayNames: Readonly<Record<RunnerName, string>> = {
  node: 'node:test',
  jest: 'jest',
  vitest: 'vitest',
  mocha: 'mocha',
  pytest: 'pytest',
  go: 'go test',
  cargo: 'cargo test',
};

/** From the place upwards to `root`; for a file, only those of its language. */
export async function findRunner(place: Path, root: Path, files: Files): Promise<Runner | undefined> {
  const isFolder = (await files.stat(place))?.type === 'directory';
  const fits = (name: RunnerName): boolean => isFolder || languageOf(place).includes(name);
  for (let folder = isFolder ? place : dirname(place); ; folder = dirname(folder)) {
    const found = (await runnersIn(folder, files)).filter(({ name }) => fits(name));
    const [first, ...others] = found;
    if (first !== undefined) return { ...first, folder, others: others.map(({ name }) => name) };
    if (folder === root || dirname(folder) === folder) break;
  }
  // Node brings its own, which nobody has to set up.
  if (!isFolder && fits('node') && (await usesNodeTest(place, files)))
    return { name: 'node', folder: root, others: [] };
  return undefined;
}

function languageOf(path: Path): readonly RunnerName[] {
  if (path.endsWith('.py')) return ['pytest'];
  if (path.endsWith('.go')) return ['go'];
  if (path.endsWith('.rs')) return ['cargo'];
  return scriptFile.test(path) ? ['node', 'jest', 'vitest', 'mocha'] : [];
}

type Found = Omit<Runner, 'folder' | 'others'>;

async function runnersIn(folder: Path, files: Files): Promise<Found[]> {
  if ((await files.stat(folder))?.type !== 'directory') return [];
  const names = new Set((await files.list(folder)).map(({ name }) => name));
  const found: Found[] = [];
  const script = await ofScripts(folder, names, files);
  if (script !== undefined) found.push(script);
  if (await setsUpPytest(folder, names, files))
    found.push({ name: 'pytest', program: await pythonOf(names, folder, files) });
  if (names.has('go.mod')) {
    const [, module = ''] = /^module\s+"?([^\s"]+)/m.exec((await textOf(join(folder, 'go.mod'), files)) ?? '') ?? [];
    found.push({ name: 'go', module });
  }
  if (names.has('Cargo.toml')) found.push({ name: 'cargo' });
  return found;
}

/** The script decides, then what is installed, then what is configured. */
async function ofScripts(folder: Path, names: ReadonlySet<string>, files: Files): Promise<Found | undefined> {
  const configured = (['vitest', 'jest'] as const).find((name) =>
    [...names].some((file) => file.startsWith(`${name}.config.`)),
  );
  const mocha = [...names].some((file) => file.startsWith('.mocharc.')) ? 'mocha' : undefined;
  const manifest = names.has('package.json') ? parsed(await textOf(join(folder, 'package.json'), files)) : {};
  const scripts = isObject(manifest['scripts']) ? manifest['scripts'] : {};
  let script: unknown = scripts['test'];
  for (let step = 0; typeof script === 'string' && step < 3; step++) {
    const text = script;
    for (const name of ['vitest', 'jest', 'mocha', 'node'] as const) {
      const call = scriptCall(text, name);
      if (call !== undefined) return { name, script: withPre(call, scripts['pretest']) };
    }
    script = scripts[calledScript(text) ?? ''];
  }
  const needed = { ...record(manifest['dependencies']), ...record(manifest['devDependencies']) };
  const name =
    configured ??
    mocha ??
    (['vitest', 'jest', 'mocha'] as const).find((one) => Object.hasOwn(needed, one)) ??
    (isObject(manifest['jest']) ? 'jest' : isObject(manifest['mocha']) ? 'mocha' : undefined);
  return name === undefined ? undefined : { name };
}

function withPre(call: ScriptCall, pretest: unknown): ScriptCall {
  return typeof pretest === 'string' ? { ...call, before: [pretest, ...call.before] } : call;
}

async function setsUpPytest(folder: Path, names: ReadonlySet<string>, files: Files): Promise<boolean> {
  if (['pytest.ini', '.pytest.ini', 'conftest.py'].some((name) => names.has(name))) return true;
  for (const [name, pattern] of [
    ['pyproject.toml', /^/],
    ['setup.cfg', /^\[tool:pytest\]/m],
    ['tox.ini', /^\[pytest\]/m],
    ['requirements-dev.txt', /^pytest\b/m],
    ['requirements.txt', /^pytest\b/m],
    ['setup.py', /^/],
  ] as const)
    if (names.has(name) && pattern.test((await textOf(join(folder, name), files)) ?? '')) return true;
  return false;
}

async function pythonOf(names: ReadonlySet<string>, folder: Path, files: Files): Promise<string> {
  for (const place of ['.venv', 'venv'])
    if (names.has(place) && (await files.stat(join(folder, place, 'bin/python'))) !== undefined)
      return `${place}/bin/python -m pytest`;
  if (names.has('uv.lock')) return 'uv run pytest';
  if (names.has('poetry.lock')) return 'poetry run pytest';
  return 'python3 -m pytest';
}

async function usesNodeTest(file: Path, files: Files): Promise<boolean> {
  return /\b(?:from|require\(|import)\s*\(?['"]node:test['"]/.test((await textOf(file, files)) ?? '');
}

async function textOf(path: Path, files: Files): Promise<string | undefined> {
  const read = await files.readBytes(path, maxConfig);
  return read.outcome === 'read' ? new TextDecoder().decode(read.bytes) : undefined;
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text ?? '');
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
