// Makes the content of a skill that is used: its commands run first, then the arguments go into the text around what they printed.
import { commandParts } from './command-parts';
import { type Skill } from './skill';
import { putArguments, putVariables, type SkillVariables } from './substitute';

/** `failed`: a sentence that ends with a full stop. */
export type CommandOutcome =
  | { kind: 'printed'; text: string }
  | { kind: 'failed'; message: string; /** The user rejected it without a reason. */ endsTurn?: boolean };

export interface ExpandServices {
  variables: SkillVariables;
  /** Undefined where commands of skills are switched off. */
  run: ((command: string) => Promise<CommandOutcome>) | undefined;
}

export type Expanded =
  | {
      kind: 'expanded';
      text: string;
      /** The text without what commands printed: mentions count in it. */ written: string;
    }
  | Extract<CommandOutcome, { kind: 'failed' }>;

export const waitingText =
  '[This command was not run: its plugin has changed since the user agreed to it. The user can review it with /plugin.]';
export const switchedOffText =
  '[This command was not run: settings turn off commands in skills (disableSkillShellExecution).]';

/**
 * Arguments never reach a command, and what a command prints is never looked at again: neither `$1` nor !`cmd` in it means
 * anything.
 */
export async function expandSkill(
  skill: Pick<Skill, 'body' | 'arguments'>,
  args: string,
  { variables, run }: ExpandServices,
): Promise<Expanded> {
  const parts = commandParts(skill.body);
  const printed: string[] = [];
  for (const part of parts) {
    if (part.kind !== 'command') continue;
    const outcome: CommandOutcome =
      run === undefined ? { kind: 'printed', text: switchedOffText } : await run(putVariables(part.command, variables));
    if (outcome.kind === 'failed') return outcome;
    printed.push(outcome.text);
  }
  let placed = false;
  const pieces = parts.map((part) => {
    if (part.kind === 'command') return undefined;
    const put = putArguments(part.text, args, skill.arguments, variables);
    placed ||= put.placed;
    return put.text;
  });
  const appended = placed || args.trim() === '' ? '' : `\n\nARGUMENTS: ${args}`;
  const fill = (output: () => string): string => `${pieces.map((piece) => piece ?? output()).join('')}${appended}`;
  let next = 0;
  return { kind: 'expanded', text: fill(() => printed[next++] ?? ''), written: fill(() => '') };
}
