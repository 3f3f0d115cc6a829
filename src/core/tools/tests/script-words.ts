// What a script of package.json says about the runner that it starts: its program, variables and options.

export interface ScriptCall {
  /** "NODE_ENV=test ", or nothing. */
  variables: string;
  /** What the script starts it by, where that is not its own name: "node --experimental-vm-modules node_modules/jest/bin/jest.js". */
  program?: string;
  /** As they are written, with their quotes. */
  words: string[];
  /** What the script does before it. */
  before: string[];
}

const variable = /^[A-Za-z_]\w*=[^$`]*$/;
const operators = /^(?:&&|\|\||;|\||&)$/;

/** The part of the script that starts the runner; undefined where it does not. `isRunner` judges a word. */
export function scriptCall(script: string, runner: 'node' | 'jest' | 'vitest' | 'mocha'): ScriptCall | undefined {
  const before: string[] = [];
  for (const { text, words } of partsOf(script)) {
    const found = runner === 'node' ? nodeCall(words) : binaryCall(words, runner);
    if (found !== undefined) return { ...found, before };
    if (text !== '') before.push(text);
  }
  return undefined;
}

/** The other script that a script runs: `npm run test:unit`. */
export function calledScript(script: string): string | undefined {
  return /^\s*(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)\s*(?:--.*)?$/.exec(script)?.[1];
}

function nodeCall(words: readonly string[]): Omit<ScriptCall, 'before'> | undefined {
  const at = words.findIndex((word) => /^(?:.*\/)?(?:node|tsx)$/.test(word));
  const program = words[at];
  if (program === undefined || !words.slice(at + 1).includes('--test')) return undefined;
  return {
    variables: variablesOf(words.slice(0, at)),
    ...(program === 'node' ? {} : { program: `npx ${program}` }),
    words: words.slice(at + 1).filter((word) => word !== '--test'),
  };
}

function binaryCall(words: readonly string[], runner: string): Omit<ScriptCall, 'before'> | undefined {
  const named = new RegExp(`^(?:\\S*/)?_?${runner}(?:\\.[cm]?js)?$`);
  const at = words.findIndex((word) => named.test(word));
  if (at < 0) return undefined;
  const node = words.slice(0, at).findIndex((word) => word === 'node');
  const rest = words.slice(at + 1);
  return {
    variables: variablesOf(words.slice(0, node < 0 ? at : node)),
    ...(node < 0 ? {} : { program: words.slice(node, at + 1).join(' ') }),
    words: runner === 'vitest' && /^(?:run|watch|dev)$/.test(rest[0] ?? '') ? rest.slice(1) : rest,
  };
}

function variablesOf(words: readonly string[]): string {
  return words
    .filter((word) => variable.test(word))
    .map((word) => `${word} `)
    .join('');
}

/** Its commands. What a shell would replace or redirect is more than words say: such a part has none. */
function partsOf(script: string): { text: string; words: string[] }[] {
  const tokens = script.match(/&&|\|\||[;|&]|(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s;&|'"\\])+/g) ?? [];
  const parts: { text: string; words: string[] }[] = [];
  let words: string[] = [];
  const close = (): void => {
    const isPlain = !words.some((word) => /[`<>]|\$\(/.test(word));
    parts.push({ text: words.join(' '), words: isPlain ? words : [] });
    words = [];
  };
  for (const token of tokens) {
    if (operators.test(token)) close();
    else words.push(token);
  }
  close();
  return parts;
}

/** Options alone, with the values that they take from the next word. */
export function optionsOf(words: readonly string[], valued: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith('-')) continue;
    kept.push(word);
    if (valued.has(word) && words[at + 1] !== undefined) kept.push(words[++at]!);
  }
  return kept;
}

/** Without these, which decide what is printed or how long it goes on. */
export function withoutOptions(
  words: readonly string[],
  names: ReadonlySet<string>,
  valued: ReadonlySet<string>,
): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [name = ''] = word.split('=', 1);
    if (!names.has(name)) kept.push(word);
    else if (word === name && valued.has(name)) at++;
  }
  return kept;
}

export function asRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
