// Puts arguments and variables into the text of a skill: one pass, so that nothing which was put in is looked at again.
import { splitArguments } from '../text/split-arguments';

/** By the name in `${…}`. */
export type SkillVariables = Readonly<Record<string, string>>;

export interface Substituted {
  text: string;
  /** The text names an argument somewhere. */
  placed: boolean;
}

/** The named groups of one match. */
type Placeholder = { escape: string } & Partial<Record<'variable' | 'index' | 'all' | 'position' | 'name', string>>;

/** `${NAME}` of those that are known; any other stays. */
export function putVariables(text: string, variables: SkillVariables): string {
  return text.replace(/\$\{([A-Z_]+)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole,
  );
}

/**
 * `$ARGUMENTS`, `$ARGUMENTS[N]`, `$N` (from 0), `$name`, each empty where nothing was given; `\$` before one keeps it as it
 * is. Variables too.
 */
export function putArguments(
  text: string,
  args: string,
  names: readonly string[],
  variables: SkillVariables = {},
): Substituted {
  const words = splitArguments(args);
  const named = new Map(names.map((name, index) => [name, words[index] ?? '']));
  // The longest first: `$file` must not take the beginning of `$files`.
  const known = [...named.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/\W/g, ''));
  const placeholder = new RegExp(
    `(?<escape>\\\\?)\\$(?:\\{(?<variable>[A-Z_]+)\\}|ARGUMENTS\\[(?<index>\\d{1,3})\\]|(?<all>ARGUMENTS)(?!\\w)|(?<position>\\d{1,3})(?!\\w)${known.length === 0 ? '' : `|(?<name>${known.join('|')})(?!\\w)`})`,
    'g',
  );
  let placed = false;
  const result = text.replace(placeholder, (whole: string, ...rest: unknown[]) => {
    // After the groups by number, the position and the text.
    const { escape, variable, index, all, position, name } = rest.at(-1) as Placeholder;
    if (variable !== undefined)
      return Object.hasOwn(variables, variable)
        ? escape === ''
          ? (variables[variable] ?? '')
          : whole.slice(1)
        : whole;
    if (escape !== '') return whole.slice(1);
    placed = true;
    if (all !== undefined) return args;
    return index !== undefined || position !== undefined
      ? (words[Number(index ?? position)] ?? '')
      : (named.get(name ?? '') ?? '');
  });
  return { text: result, placed };
}
