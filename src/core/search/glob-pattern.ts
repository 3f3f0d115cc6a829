// Glob patterns as ripgrep reads them, for searches without ripgrep.
import picomatch from 'picomatch';

/**
 * Checks whether a path, relative to the searched folder, matches. Without a slash a pattern matches at any depth; a slash
 * in front anchors it; `!` in front inverts it. Dot files match like others.
 */
export function globMatcher(pattern: string): (relative: string) => boolean {
  if (pattern.startsWith('!')) {
    const excluded = globMatcher(pattern.slice(1));
    return (relative) => !excluded(relative);
  }
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const anywhere = !pattern.includes('/');
  return picomatch(anchored, { dot: true, basename: anywhere, noextglob: true, nonegate: true, posix: true });
}

/** Several globs apart by commas outside braces: excluded by none, and matched by one of the others if there are any. */
export function globFilter(globs: string | undefined): (relative: string) => boolean {
  const parts = globs === undefined ? [] : splitGlobs(globs);
  const wanted = parts.filter((part) => !part.startsWith('!')).map(globMatcher);
  const excluded = parts.filter((part) => part.startsWith('!')).map((part) => folderMatcher(part.slice(1)));
  return (relative) =>
    !excluded.some((matches) => matches(relative)) &&
    (wanted.length === 0 || wanted.some((matches) => matches(relative)));
}

/** An excluded folder takes along what is in it; a slash after a name means folders only. */
function folderMatcher(pattern: string): (relative: string) => boolean {
  const matches = globMatcher(pattern.replace(/\/$/, ''));
  const foldersOnly = pattern.endsWith('/');
  return (relative) => {
    if (!foldersOnly && matches(relative)) return true;
    for (let end = relative.lastIndexOf('/'); end > 0; end = relative.lastIndexOf('/', end - 1)) {
      if (matches(relative.slice(0, end))) return true;
    }
    return false;
  };
}

/** Users write several globs in one field, separated by commas outside braces. */
export function splitGlobs(glob: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  let escaped = false;
  for (const character of glob) {
    if (escaped || character === '\\') {
      escaped = !escaped;
      part += character;
      continue;
    }
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (depth <= 0 && character === ',') {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return [...parts, part].map((piece) => piece.trim()).filter((piece) => piece !== '');
}
