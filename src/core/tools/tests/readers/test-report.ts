// What a test run found, whoever ran it, and how a place in a stack is read.
import { isAbsolute, join, normalize } from 'pathe';
import { type Path } from '../../../ports/path';

export type RunnerName = 'node' | 'jest' | 'vitest' | 'mocha' | 'pytest' | 'go' | 'cargo';

export interface TestPlace {
  path: Path;
  line: number;
}

export interface TestFailure {
  /** With the suites above it: "cart > adds". */
  name: string;
  /** What a runner is given to run it again: its own name alone. */
  ownName: string;
  /** The line of the test that failed, or else where the test stands. */
  place?: TestPlace;
  message: string;
  expected?: string;
  actual?: string;
  /** The innermost frame of the project's own code, where it is not that place. */
  frame?: TestPlace;
}

export interface TestReport {
  passed: number;
  skipped: number;
  failures: TestFailure[];
  /** Files and packages that could not be run at all. */
  broken: { path?: Path; message: string }[];
  durationMs?: number;
  notes: string[];
}

export const emptyReport = (): TestReport => ({ passed: 0, skipped: 0, failures: [], broken: [], notes: [] });

/** What a reader needs to tell the project's files from others. */
export interface ReadPlace {
  /** The folder that the runner ran in. */
  folder: Path;
  /** The workspace folder around it. */
  root: Path;
}

/** The path that a runner prints: an address, absolute, or from its folder. */
export function placedPath(given: string, { folder }: ReadPlace): Path {
  let path = given;
  if (given.startsWith('file://'))
    try {
      path = decodeURIComponent(given.slice('file://'.length));
    } catch {
      path = given.slice('file://'.length);
    }
  path = path.replace(/^\/(?=[A-Za-z]:\/)/, '');
  return normalize(isAbsolute(path) ? path : join(folder, path));
}

export function isOwn(path: Path, { root }: ReadPlace): boolean {
  return path.startsWith(`${root}/`) && !/\/(?:node_modules|site-packages|\.venv|venv|vendor)\//.test(path);
}

const frameOfV8 = /(?:\(|^\s*(?:at )?(?:async )?)((?:file:\/\/)?(?:[A-Za-z]:)?[^\s():]?[^():]*):(\d+):\d+\)?\s*$/;

/** Frames of a stack of V8 in the project's own code, innermost first. */
export function ownFrames(stack: string, place: ReadPlace): TestPlace[] {
  return stack.split('\n').flatMap((line) => {
    const [, file = '', number = ''] = frameOfV8.exec(line) ?? [];
    if (!/[\\/.]/.test(file) || file.startsWith('node:')) return [];
    const path = placedPath(file.replaceAll('\\', '/'), place);
    return isOwn(path, place) ? [{ path, line: Number(number) }] : [];
  });
}

/** Where a test failed: its own line in the file of the test, and the frame of the project's code below it. */
export function placesOf(
  frames: readonly TestPlace[],
  file: Path | undefined,
  declared?: TestPlace,
): Pick<TestFailure, 'place' | 'frame'> {
  const place = frames.find(({ path }) => path === file) ?? declared ?? frames[0];
  const [inner] = frames;
  const isSame = inner?.path === place?.path && inner?.line === place?.line;
  return { ...(place === undefined ? {} : { place }), ...(inner === undefined || isSame ? {} : { frame: inner }) };
}

export function nameOf(suites: readonly string[], name: string): string {
  return [...suites, name].filter((part) => part !== '').join(' > ');
}
