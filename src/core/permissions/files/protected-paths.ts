// Files that steer tools, editors and shells: writing them always asks, no rule can allow it beforehand.
import { normalPath } from '../rules/workspace-path';
import { plainSegments } from './plain-path';

export function isProtectedPath(path: string): boolean {
  const segments = plainSegments(path);
  return (
    segments.some((segment, index) => {
      if (segment === '.claude') return segments[index + 1] !== 'worktrees';
      // The star is what comes along in a folder (`placedFiles`).
      if (segment === '.config') return ['git', '*'].includes(segments[index + 1] ?? '');
      if (segment === '.cursor') return ['mcp.json', 'hooks.json', '*'].includes(segments[index + 1] ?? '');
      // What the user has agreed to of plugins stands there, and what they run; and Deft's own code as V8 has compiled it.
      if (segment === '.deft') return ['plugins', 'code-cache', '*'].includes(segments[index + 1] ?? '');
      return folders.has(segment) || /^git~\d+$/.test(segment);
    }) || isProtectedFile(segments.at(-1) ?? '', segments.at(-2) ?? '')
  );
}

/** What processes hold in memory, such as their credentials: reading it always asks. */
export function isProcessMemory(path: string): boolean {
  return path.includes('/proc') && processMemory.test(normalPath(path));
}

/** A folder that holds such files: reading what is below it reads them, too. */
export function isProcessFolder(path: string): boolean {
  return path.includes('/proc') && processFolder.test(normalPath(path));
}

/** The same for a whole command line, in whatever word it stands; a pattern or variable at the end may be such a file. */
export function namesProcessMemory(text: string): boolean {
  if (!/\/proc\b/.test(text)) return false;
  if (/\/proc\/+[^\s'"]*\/(environ|mem|s?maps|auxv)\b/.test(text)) return true;
  return (text.match(/\/proc\/[^\s'";|&<>()]+/g) ?? []).some((path) =>
    /[*?[{$]/.test(path.split('/').findLast((name) => name !== '') ?? ''),
  );
}

const processMemory = /^\/proc\/(.+\/)?(environ|mem|s?maps|auxv|kcore)$/;
const processFolder = /^(\/proc\/.+)?\/proc(\/(self|thread-self|\d+)(\/(task(\/\d+)?|root))?)?$/;

function isProtectedFile(name: string, folder: string): boolean {
  return (
    files.has(name) || patterns.some((pattern) => pattern.test(name)) || (folder === 'fish' && name === 'config.fish')
  );
}

const folders = new Set([
  '.git',
  '.githooks',
  '.vscode',
  '.zed',
  '.idea',
  '.husky',
  '.cargo',
  '.devcontainer',
  '.yarn',
  '.mvn',
  '.claude',
]);

const files = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.inputrc',
  '.zshrc',
  '.zprofile',
  '.zshenv',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  '.gitconfig',
  '.gitmodules',
  '.envrc',
  '.gdbinit',
  '.lldbinit',
  '.exrc',
  '.vimrc',
  '.nvimrc',
  '.nvim.lua',
  '.dir-locals.el',
  '.dir-locals-2.el',
  '.npmrc',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  'bunfig.toml',
  '.bunfig.toml',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  'gradle-wrapper.properties',
  'maven-wrapper.properties',
  // Makes a bare repository of its folder.
  'head',
  '.devcontainer.json',
  '.ripgreprc',
  'pyrightconfig.json',
  '.mcp.json',
  '.claude.json',
]);

const patterns = [
  /^\.yarnrc(\..+)?$/,
  /^\.pnp(\..+)?$/,
  /^\.bazel(rc|version|iskrc)(\..+)?$/,
  /^\.?lefthook(-local)?\.(ya?ml|toml|json)$/,
  /\.code-workspace$/,
];
