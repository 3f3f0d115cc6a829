// One allow rule against one command: whether the text matches, and whether the rule covers what it matches.
import { type AllowPattern, allowPattern } from '../rules/command-pattern';
import { exclusionOf } from './broad-rules';
import { areSafeAssignments, unwrap } from './shell-wrappers';
import { type ShellAssignment, type ShellWord, type SimpleCommand, textOf } from './simple-command';

/** The text of the rule matches. */
export interface Cover {
  /** It names just this command. */
  exact: boolean;
  /** Why it does not cover the command all the same. */
  exclusion: string | undefined;
}

/** Undefined where the text of the rule does not match, with or without wrappers in front of the command. */
export function coverOf(content: string, command: SimpleCommand): Cover | undefined {
  const rule = allowPattern(content);
  if (!allowsAssignments(rule, command.assignments)) return undefined;
  const { pattern } = rule;
  let missed: Cover | undefined;
  for (const { text, words, open } of formsOf(command.words)) {
    if (!pattern.matches(text)) continue;
    const exact = pattern.exact && !open;
    const exclusion = exclusionOf(pattern, { ...command, words });
    if (exclusion === undefined) return { exact, exclusion };
    missed = { exact, exclusion };
  }
  return missed;
}

interface Form {
  text: string;
  words: readonly ShellWord[];
  /** The rule names less than what runs: xargs passes more. */
  open: boolean;
}

/** As written, and without the wrappers in front. Every rule asks for it. */
function formsOf(words: readonly ShellWord[]): readonly Form[] {
  let forms = knownForms.get(words);
  if (forms === undefined) {
    const { words: plain, open } = unwrap(words);
    forms = [{ text: textOf({ words }), words, open: false }];
    if (plain !== words) forms = [...forms, { text: textOf({ words: plain }), words: plain, open }];
    // A word that is written as nothing would leave two blanks.
    if (words.some(({ text }) => text === '')) forms = [];
    knownForms.set(words, forms);
  }
  return forms;
}

const knownForms = new WeakMap<readonly ShellWord[], readonly Form[]>();

/** The first assignment in front of the command that the rule does not name, and that may change what the command does. */
export function uncoveredAssignment(content: string, { assignments }: SimpleCommand): ShellAssignment | undefined {
  return unnamed(allowPattern(content), assignments).find((one) => !areSafeAssignments([one]));
}

/** Each that the rule names stands there, in this order, and all others are harmless. */
function allowsAssignments(rule: AllowPattern, given: readonly ShellAssignment[]): boolean {
  if (rule.assignments.length === 0) return areSafeAssignments(given);
  const others = unnamed(rule, given);
  return given.length - others.length === rule.assignments.length && areSafeAssignments(others);
}

/** Those that the rule does not name. */
function unnamed({ assignments }: AllowPattern, given: readonly ShellAssignment[]): ShellAssignment[] {
  let next = 0;
  return given.filter(({ text }) => {
    const named = assignments[next]?.matches(text) === true;
    if (named) next++;
    return !named;
  });
}
