// The arguments taken apart: the values of each option, and the words that belong to none.
import { parseArgs } from 'node:util';
import { isOption, isShortOption, type OptionName, optionOf, optionTable } from './option-table';
import { looksLikeRule } from './split-rules';

export class GivenArguments {
  readonly #values = new Map<OptionName, string[]>();
  readonly #words: string[];
  #latest: OptionName | undefined;

  constructor(words: readonly string[]) {
    this.#words = [...words];
  }

  /** Those that belong to no option: one is the prompt. */
  get words(): readonly string[] {
    return this.#words;
  }

  has(name: OptionName): boolean {
    return this.#values.has(name);
  }

  last(name: OptionName): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  all(...names: readonly OptionName[]): string[] {
    return names.flatMap((name) => this.#values.get(name) ?? []);
  }

  addOption(name: OptionName, value: string): void {
    this.#latest = name;
    this.#values.set(name, [...this.all(name), value]);
  }

  /** One more value of the list before it, or the prompt: that has blanks in it, or comes after another option. */
  addWord(word: string): void {
    const latest = this.#latest;
    const { list, rules, mayTakeWord } = latest === undefined ? {} : optionOf(latest);
    if (latest !== undefined && mayTakeWord === true && this.last(latest) === '' && !/\s/.test(word)) {
      this.addOption(latest, word);
      return;
    }
    if (latest !== undefined && list === true && (!/\s/.test(word) || (rules === true && looksLikeRule(word)))) {
      this.addOption(latest, word);
      return;
    }
    this.#latest = undefined;
    // Programs pass switches with an empty value behind them: that is no prompt.
    if (word.trim() !== '') this.#words.push(word);
  }

  /** Sentences about options that have no effect. */
  get unused(): string[] {
    return [...this.#values.keys()].flatMap((name) => {
      const { unused = '' } = optionOf(name);
      return unused === '' ? [] : [`--${name} has no effect. ${unused}`];
    });
  }

  /** What follows is not a value, whatever stood before. */
  endOptions(): void {
    this.#latest = undefined;
  }
}

/** `argv` without the program and the script. A sentence where there is no such option, or its value is missing or too much. */
export function readArguments(argv: readonly string[]): GivenArguments | string {
  const { args, prompts } = withoutDashedPrompts(argv);
  const { tokens } = parseArgs({ args, options: optionTable, strict: false, allowPositionals: true, tokens: true });
  const given = new GivenArguments(prompts);
  for (const token of tokens) {
    if (token.kind === 'positional') given.addWord(token.value);
    else if (token.kind === 'option-terminator') given.endOptions();
    else if (!isOption(token.name)) return unknownOption(token.rawName, /\s/.test(args[token.index] ?? ''));
    else {
      const wrong = wrongValue(token.name, token);
      if (wrong !== undefined) return wrong;
      given.addOption(token.name, token.value ?? '');
    }
  }
  return given;
}

/** Behind -p stands a prompt: where it begins with a hyphen, has blanks in it and names no option, it is one all the same ("- first, …"). */
function withoutDashedPrompts(argv: readonly string[]): { args: string[]; prompts: string[] } {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isPrompt = (word: string, index: number): boolean => {
    if (index >= end || !['-p', '--print'].includes(argv[index - 1] ?? '') || !/^-.*\s/s.test(word)) return false;
    const [first = ''] = word.replace(/^--?/, '').split(/[\s=]/);
    return !isOption(first) && !isShortOption(first);
  };
  return { args: argv.filter((word, index) => !isPrompt(word, index)), prompts: argv.filter(isPrompt) };
}

interface OptionToken {
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function wrongValue(name: OptionName, { rawName, value, inlineValue }: OptionToken): string | undefined {
  const { type, mayBeEmpty, mayHaveValue } = optionOf(name);
  if (type === 'boolean')
    return value === undefined || mayHaveValue === true ? undefined : `${rawName} takes no value.`;
  const isMissing =
    value === undefined || (value === '' && mayBeEmpty !== true) || (inlineValue === false && namesOption(value));
  return isMissing ? `${rawName} needs a value. --help lists the options.` : undefined;
}

function namesOption(value: string): boolean {
  return value.startsWith('-') && isOption(value.replace(/^--?/, ''));
}

function unknownOption(rawName: string, hasBlanks: boolean): string {
  const near = Object.keys(optionTable).find((name) => name.toLowerCase() === rawName.replace(/^-+/, '').toLowerCase());
  if (hasBlanks && near === undefined)
    return `There is no option ${rawName}. A prompt that begins with a hyphen goes right behind -p, or behind --.`;
  return `There is no option ${rawName}. ${near === undefined ? '--help lists those that there are.' : `Did you mean --${near}?`}`;
}
