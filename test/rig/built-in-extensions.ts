// VS Code's own extensions for windows that are opened by the dozen: each one is read when a window opens, and some start with it.
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './cleanup';

/**
 * What tests that click look at: languages, themes, git, the debugger, notebooks, npm's tasks. The tests inside the extension
 * host run beside all that VS Code brings.
 */
const NEEDED = [
  'configuration-editing',
  'css',
  'diff',
  'git',
  'git-base',
  'html',
  'ini',
  'ipynb',
  'javascript',
  'json',
  'json-language-features',
  'log',
  'markdown-basics',
  'markdown-language-features',
  'media-preview',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'notebook-renderers',
  'npm',
  'php',
  'php-language-features',
  'python',
  'search-result',
  'shellscript',
  'terminal-suggest',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
  'typescript-language-features',
  'yaml',
  // TypeScript's compiler.
  'node_modules',
];

/** A folder with links to them. `vscode`: of the installed VS Code. */
export function neededBuiltInExtensions(vscode: string): string {
  const folder = temporaryFolder('built-in-extensions');
  for (const name of NEEDED) {
    const installed = path.join(vscode, 'extensions', name);
    // Not every version has each of them; what a test misses, it says itself.
    if (existsSync(installed)) symlinkSync(installed, path.join(folder, name));
  }
  return folder;
}
