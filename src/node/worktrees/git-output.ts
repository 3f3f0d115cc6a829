// What git says of a worktree's files, and why it refused.
const ignoredMark = '!! ';
/** Installed packages and caches. */
const remade = /(^|\/)(node_modules|\.venv|venv|__pycache__|\.(pytest|mypy|ruff)_cache|\.gradle|\.tox)\/$|\.pyc$/;

export const fullStatus = [
  'status',
  '--porcelain',
  '--untracked-files=all',
  '--ignore-submodules=dirty',
  '--ignored=matching',
] as const;

export function changed(status: string): string[] {
  return lines(status).filter((line) => !line.startsWith(ignoredMark));
}

/** What `git status` says of ignored files and folders, but for those that a tool makes anew. */
export function ignoredIn(status: string): string[] {
  return lines(status)
    .flatMap((line) => (line.startsWith(ignoredMark) ? [line.slice(ignoredMark.length)] : []))
    .filter((name) => !remade.test(name));
}

/** Of what `git ls-tree -r -d -z` says. */
export function submodulesIn(listing: string): string[] {
  return listing.split('\0').flatMap((entry) => /^160000 commit \S+\t(.+)$/s.exec(entry)?.[1] ?? []);
}

export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** git's own words, on one line. */
export function reasonOf(stderr: string): string {
  const text = lines(stderr)
    .map((line) => line.replace(/^fatal: /, '').trim())
    .slice(0, 3)
    .join(' ');
  return text === '' ? 'git gave no reason.' : /[.!?]$/.test(text) ? text : `${text}.`;
}
