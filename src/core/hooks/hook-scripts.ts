// The scripts that a hook's command plainly names: who may change them may change what was agreed to.
import { isAbsolute, join } from 'pathe';
import { type HookHandler } from './hook-entry';

/** The folders that relative names, and `CLAUDE_PROJECT_DIR`, count from. */
export interface ScriptFolders {
  folder: string;
  project: string;
}

/** After them a program begins. */
const separators = new Set([
  ';',
  '&',
  '|',
  '(',
  ')',
  '{',
  '}',
  '!',
  'if',
  'then',
  'else',
  'do',
  'while',
  'exec',
  'command',
  'time',
  'nohup',
  'env',
  'npx',
  'bunx',
  'run',
]);
const interpreters =
  /^(?:(?:ba|z|da|k|fi)?sh|\.|source|node|nodejs|tsx|ts-node|deno|bun|python[\d.]*|uv|ruby|perl|php|lua|pwsh|powershell)(?:\.exe)?$/i;
/** Wherever it stands in the line. */
const hookFolder = /(?:^|\/)\.claude\//;

/**
 * Paths that may be scripts, whether there are such files or not: the program itself where its name holds a slash, what an
 * interpreter is given first, and all in `.claude`. Other arguments are data: a hook that checks sources would wait after every edit.
 */
export function scriptPaths(handler: HookHandler, folders: ScriptFolders): string[] {
  if (handler.type !== 'command') return [];
  const words = handler.args === undefined ? wordsOf(handler.command) : [handler.command, ...handler.args];
  const named = namedIn(words);
  const inner = words.filter((word) => /\s/.test(word)).flatMap((word) => namedIn(wordsOf(word)));
  return [...new Set([...named, ...inner].map((word) => pathOf(word, folders)))];
}

function namedIn(words: readonly string[]): string[] {
  const named: string[] = [];
  let place: 'program' | 'script' | 'argument' = 'program';
  for (const word of words) {
    const name = word.slice(word.lastIndexOf('/') + 1);
    if (separators.has(word) || (place === 'program' && separators.has(name))) place = 'program';
    else if (hookFolder.test(word)) {
      named.push(word);
      place = 'argument';
    } else if (place === 'program' && /^\w+=/.test(word)) continue;
    else if (place === 'program') {
      if (interpreters.test(name)) place = 'script';
      else {
        if (word.includes('/')) named.push(word);
        place = 'argument';
      }
    } else if (place === 'script' && !word.startsWith('-')) {
      named.push(word);
      place = 'argument';
    }
  }
  return named;
}

/** As a shell would cut the line, as far as names of files go. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  // What a hook writes into is data.
  let isTarget = false;
  const end = (): void => {
    if (word === undefined) return;
    if (!isTarget) words.push(word);
    isTarget = false;
    word = undefined;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + (character === '\\' && quote === '"' ? line.charAt(++at) : character);
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') word = (word ?? '') + line.charAt(++at);
    else if (/[\s<>]/.test(character)) {
      end();
      if (character === '>') isTarget = line[at - 1] !== '<';
      if (character === '\n') words.push(';');
    } else if (/[;&|()`]/.test(character)) {
      end();
      // As in `>&2` and `>|file`.
      if (isTarget && /[&|]/.test(character)) continue;
      isTarget = false;
      words.push(character === '`' ? ';' : character);
    } else word = (word ?? '') + character;
  }
  end();
  return words;
}

function pathOf(word: string, { folder, project }: ScriptFolders): string {
  const path = word
    .replace(/^\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})|^%CLAUDE_PROJECT_DIR%/, () => project)
    .replaceAll('\\', '/');
  return isAbsolute(path) ? join(path) : join(folder, path);
}
