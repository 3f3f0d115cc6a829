// Judges code in a command line beside Read deny rules: it is not understood, but a denied file that it names is found.
import { inlineCodes } from './inline-code';
import { byRule, type Judgement } from '../judgement';
import { denyRuleWithPath, readDenialOf } from '../rules/path-rules';
import { type SimpleCommand } from './simple-command';
import { type PermissionContext } from '../rules/verdict';
import { absolutePath } from '../rules/workspace-path';

/** The question that code raises which names a file that a rule denies: in every mode, whatever rule allows it. */
export function judgeCode(
  commands: readonly SimpleCommand[],
  foldersOf: (command: SimpleCommand) => readonly string[],
  context: PermissionContext,
): Judgement | undefined {
  if (denyRuleWithPath('read', context) === undefined) return undefined;
  for (const { command, names } of inlineCodes(commands)) {
    const folders = foldersOf(command);
    for (const name of names) {
      const path = name.replace(/^~(?=$|\/)/, context.home);
      const rule = readDenialOf(
        folders.map((folder) => absolutePath(path, folder)),
        name,
        context,
      );
      if (rule !== undefined)
        return {
          ...byRule(rule),
          behavior: 'ask',
          reason: `\`${shortened(command.text)}\` is code that names \`${name}\`. ${byRule(rule).reason}`,
        };
    }
  }
  return undefined;
}

/** The same where the program itself is in a variable, so that nobody can tell what it names. */
export function judgeUnknownCode(
  commands: readonly SimpleCommand[],
  context: PermissionContext,
): Judgement | undefined {
  const rule = denyRuleWithPath('read', context);
  const unknown = rule === undefined ? undefined : inlineCodes(commands).find((code) => code.unknown);
  if (rule === undefined || unknown === undefined) return undefined;
  return {
    ...byRule(rule),
    behavior: 'ask',
    reason: `Deft cannot tell what code \`${shortened(unknown.command.text)}\` runs, and it may reach files that a rule denies. ${byRule(rule).reason}`,
  };
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
