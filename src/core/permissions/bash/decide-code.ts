// Judges code in a command line where Read deny rules exist: Deft does not understand it, but a denied file that it names is found.
import { inlineCodes } from './inline-code';
import { byRule, type Judgment } from '../rules/judgment';
import { denyRuleWithPath, readDenialOf } from '../rules/path-rules';
import { shortened } from '../rules/rule-syntax';
import { type SimpleCommand } from './simple-command';
import { type PermissionContext } from '../rules/verdict';
import { absolutePath } from '../rules/workspace-path';

/** The question that code raises which names a file that a rule denies: in every mode, whatever rule allows it. */
export function judgeCode(
  commands: readonly SimpleCommand[],
  foldersOf: (command: SimpleCommand) => readonly string[],
  context: PermissionContext,
): Judgment | undefined {
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

/** The same where the program itself is in a variable, so that what it names cannot be determined. */
export function judgeUnknownCode(commands: readonly SimpleCommand[], context: PermissionContext): Judgment | undefined {
  const rule = denyRuleWithPath('read', context);
  const unknown = rule === undefined ? undefined : inlineCodes(commands).find((code) => code.unknown);
  if (rule === undefined || unknown === undefined) return undefined;
  return {
    ...byRule(rule),
    behavior: 'ask',
    reason: `Deft cannot tell what code \`${shortened(unknown.command.text)}\` runs, and it may reach files that a rule denies. ${byRule(rule).reason}`,
  };
}
