// Bash rules against the commands of a line: deny and ask look behind quotes, wrappers and shells; allow does not.
import { type PermissionRule } from '../../../shared/permission';
import { type PermissionContext } from '../rules/verdict';
import { type Cover, coverOf } from './rule-cover';
import { commandPaths } from './command-paths';
import { commandPattern, firstWordOf } from '../rules/command-pattern';
import { canonicalToolName, isBare } from '../rules/rule-syntax';
import { selectRules } from '../rules/select-rules';
import { firstRule } from '../rules/first-rule';
import { bashParameter } from '../rules/tool-rules';
import { gitValued } from './program-options';
import { unwrap } from './shell-wrappers';
import { commandName, type SimpleCommand, textOf } from './simple-command';

/** The first deny or ask rule that any of the commands could fall under. `raw` is the whole line. */
export function restrictingCommandRule(
  behavior: 'deny' | 'ask',
  raw: string,
  commands: readonly SimpleCommand[],
  context: PermissionContext,
): PermissionRule | undefined {
  const rules = commandRules(context, behavior);
  if (rules.length === 0) return firstRule(rules, behavior, raw, context.recorder, () => false);
  const fold = (text: string): string => (context.ignoreCase ? text.toLowerCase() : text);
  const texts = [...new Set([...roughPieces(raw), ...commands.flatMap(spellings)].map(fold))];
  const tails = [...new Set(commands.flatMap(tailsOf).map(fold))];
  const firstWords = new Set([...texts, ...tails].map(firstWordOf));
  return firstRule(rules, behavior, raw, context.recorder, (rule) => {
    const pattern = commandPattern(fold(rule.value.ruleContent ?? ''));
    if (pattern.firstWord !== undefined && !firstWords.has(pattern.firstWord)) return false;
    if (texts.some((text) => pattern.matches(text))) return true;
    return pattern.fixedWords.length > 1 && tails.some((text) => pattern.matches(text));
  });
}

/**
 * What a program that Deft does not know may run if it is a wrapper. Only rules of two words and more look there: the
 * `test` of `npm test` is no `test`.
 */
function tailsOf({ words }: SimpleCommand): string[] {
  if (words.length < 3 || words.length > maxTails || isPrinter(words) || commandPaths(words) !== undefined) return [];
  const values = words.map((word) => word.value);
  return values.map((_, index) => values.slice(index + 1).join(' ')).filter((text) => text !== '');
}

const maxTails = 60;

function isPrinter(words: SimpleCommand['words']): boolean {
  return ['echo', 'printf'].includes(commandName(words) ?? '');
}

/** The exact rule for the whole line: the user saw all of it. */
export function exactRule(raw: string, context: PermissionContext): PermissionRule | undefined {
  const text = raw.trim();
  const found = commandRules(context, 'allow').find((rule) => {
    const pattern = commandPattern(rule.value.ruleContent ?? '');
    return pattern.exact && pattern.matches(text);
  });
  if (found !== undefined) context.recorder?.looked('allow', raw, [found], found);
  return found;
}

/** The first allow rule that covers the command; `exact` where it names just this. */
export function allowingCommandRule(
  command: SimpleCommand,
  context: PermissionContext,
): { rule: PermissionRule; exact: boolean } | undefined {
  let found: Cover | undefined;
  const rule = firstRule(commandRules(context, 'allow'), 'allow', command.text, context.recorder, ({ value }) => {
    found = coverOf(value.ruleContent ?? '', command);
    return found !== undefined && found.exclusion === undefined;
  });
  return rule === undefined ? undefined : { rule, exact: found?.exact === true };
}

export function commandRules(
  context: PermissionContext,
  behavior: PermissionRule['behavior'],
): readonly PermissionRule[] {
  return selectRules(
    context.rules,
    `${behavior} commands`,
    ({ behavior: own, value }) =>
      own === behavior &&
      canonicalToolName(value.toolName) === 'Bash' &&
      !isBare(value) &&
      !bashParameter.test(value.ruleContent ?? ''),
  );
}

/** The ways in which a rule may have been written for this command. */
function spellings(command: SimpleCommand): string[] {
  const { words } = unwrap(command.words);
  const found = [command.text];
  for (const list of [command.words, words]) {
    const values = list.map((word) => word.value);
    const name = commandName(list);
    found.push(textOf({ ...command, words: list }), values.join(' '));
    if (name !== undefined) found.push([name, ...values.slice(1)].join(' '), ...withoutOptions(name, values));
  }
  return found;
}

/** `git -C x push` is a `git push`: without the options in front of the subcommand, and what may be their values. */
function withoutOptions(name: string, values: readonly string[]): string[] {
  if (!withSubcommands.has(name) || !/^[-+]/.test(values[1] ?? '')) return [];
  const starts = new Set([1]);
  const found: string[] = [];
  for (let index = 1; index < values.length && index < maxOptions; index++) {
    const value = values[index] ?? '';
    if (!starts.has(index)) continue;
    if (!/^[-+]/.test(value))
      found.push([values[0], ...values.slice(index)].join(' '), [name, ...values.slice(index)].join(' '));
    else {
      const valued = name === 'git' ? gitValued.has(value) : valuedOptions.has(value);
      if (!valued) starts.add(index + 1);
      if (valued || (name !== 'git' && /^-[^=]*$/.test(value))) starts.add(index + 2);
    }
  }
  return found;
}

const maxOptions = 40;
const withSubcommands = new Set(
  'git npm pnpm yarn bun cargo docker podman kubectl helm terraform tofu gh glab aws gcloud az systemctl pip pip3 poetry uv gem bundle composer dotnet go mvn gradle gradlew make pulumi vercel fly firebase heroku rustup'.split(
    ' ',
  ),
);
/** Their next word is a value in every program that has them. */
export const valuedOptions = new Set(
  '-C -n -F --prefix --workspace --dir --filter --cwd --context --namespace --kubeconfig --host --config --registry --profile --region --project --chdir --manifest-path --userconfig'.split(
    ' ',
  ),
);

/** For lines that do not parse: cut at everything that could end a command. */
function roughPieces(raw: string): string[] {
  const pieces = raw
    .slice(0, maxRough)
    .split(/&&|\|\||[;|&\n(){}`]|\$\(/)
    .map((piece) =>
      piece
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/^((!|time|if|then|elif|else|while|until|do) )+/, ''),
    );
  return [raw.trim(), ...pieces.filter((piece) => piece !== '')];
}

const maxRough = 100_000;
