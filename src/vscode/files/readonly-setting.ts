// Which files the user has made read-only by settings: the editor enforces that, a write of bytes would pass it by.
import picomatch from 'picomatch';

export interface ReadonlySetting {
  /** Glob patterns as in `files.readonlyInclude` and `files.readonlyExclude`. */
  include: Readonly<Record<string, boolean>>;
  exclude: Readonly<Record<string, boolean>>;
}

/** Patterns match the absolute path or, inside a workspace folder, the path relative to it. */
export function isReadonly(setting: ReadonlySetting, absolute: string, relative: string | undefined): boolean {
  const paths = relative === undefined ? [absolute] : [absolute, relative];
  const matches = (globs: Readonly<Record<string, boolean>>): boolean =>
    Object.entries(globs).some(
      ([glob, on]) => on && paths.some((path) => picomatch.isMatch(path, glob, { dot: true })),
    );
  return matches(setting.include) && !matches(setting.exclude);
}
