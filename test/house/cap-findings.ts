// What ESLint's own rules say about functions and interfaces: the measures that the lint stage holds, with other limits where a list is wanted.
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { type SourceFile } from '../unit/tidy/source-files';
import { caps, house } from './lint-rules.mjs';

/** The rule of each cap, and how the number is in its message. */
const rules = {
  functionLines: { name: 'house/max-lines-per-function', value: /\((\d+)\)/ },
  complexity: { name: 'complexity', value: /complexity of (\d+)/ },
  parameters: { name: 'max-params', value: /\((\d+)\)/ },
  members: { name: 'house/max-members', value: /\((\d+)\)/ },
} as const;

export type Cap = keyof typeof rules;

export interface Finding {
  cap: Cap;
  path: string;
  line: number;
  /** The function or interface, as ESLint calls it. */
  what: string;
  value: number;
  /** A comment next to it says why it may. */
  excused: boolean;
}

/** All that is over these limits, the largest first. */
export function capFindings(
  files: readonly Pick<SourceFile, 'path' | 'text'>[],
  limits: Partial<Record<Cap, number>> = caps,
): Finding[] {
  // The types leave out what a comment suppresses.
  const linter = new Linter() as Linter & { getSuppressedMessages(): Linter.LintMessage[] };
  const config: Linter.Config = {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { house },
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: Object.fromEntries(
      Object.entries(limits).map(([cap, max]) => [rules[cap as Cap].name, ['error', { max }] as const]),
    ),
  };
  return files
    .flatMap(({ path, text }) => {
      const found = linter.verify(text, [config], { filename: path });
      const excused = linter.getSuppressedMessages();
      return [
        ...found.flatMap((message) => readMessage(path, message, false)),
        ...excused.flatMap((message) => readMessage(path, message, true)),
      ];
    })
    .sort((a, b) => b.value - a.value);
}

function readMessage(path: string, { ruleId, message, line }: Linter.LintMessage, excused: boolean): Finding[] {
  if (ruleId === null) throw new Error(`${path}:${line}: ${message}`);
  const cap = (Object.keys(rules) as Cap[]).find((one) => rules[one].name === ruleId);
  // A directive may excuse rules that are not asked here.
  if (cap === undefined) return [];
  const value = Number(rules[cap].value.exec(message)?.[1]);
  if (Number.isNaN(value)) throw new Error(`No number in "${message}".`);
  const what = /'([^']+)'/.exec(message)?.[1] ?? message.replace(/ (has|with) .*/, '');
  return [{ cap, path, line, what, value, excused }];
}
