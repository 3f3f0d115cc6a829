// `Cd(path)` rules: into which folders a command line may change.
import { foldersOf } from './command-scope';
import { byRule, type Judgment } from '../rules/judgment';
import { folderRule, folderRules } from '../rules/path-rules';
import { movesFolder, type SimpleCommand } from './simple-command';
import { type PermissionContext } from '../rules/verdict';

/** What a deny or ask rule says about the folders that the commands change to; where there is such a rule, an unknown folder asks. */
export function restrictMoves(
  behavior: 'deny' | 'ask',
  commands: readonly SimpleCommand[],
  cwd: string,
  context: PermissionContext,
): Judgment | undefined {
  const [any] = folderRules(behavior, context);
  if (any === undefined) return undefined;
  for (const command of commands) {
    if (!movesFolder(command.words)) continue;
    const folders = foldersAfter(command, cwd, context);
    const found = folders?.map((folder) => folderRule(behavior, folder, context)).find((rule) => rule !== undefined);
    if (found !== undefined) return byRule(found);
    if (folders === undefined)
      return {
        ...byRule(any),
        behavior: 'ask',
        reason: `Deft cannot tell which folder \`${command.text}\` changes to. ${byRule(any).reason}`,
      };
  }
  return undefined;
}

/** The rule that lets this command change its folder. */
export function allowedMove(command: SimpleCommand, cwd: string, context: PermissionContext): Judgment | undefined {
  if (folderRules('allow', context).length === 0 || !movesFolder(command.words)) return undefined;
  const rules = foldersAfter(command, cwd, context)?.map((folder) => folderRule('allow', folder, context));
  const [first] = rules ?? [];
  return first !== undefined && rules?.every((rule) => rule !== undefined) === true ? byRule(first) : undefined;
}

function foldersAfter(command: SimpleCommand, cwd: string, { home }: PermissionContext): string[] | undefined {
  return foldersOf({ ...command, moves: [...command.moves, { words: command.words, certain: true }] }, cwd, home);
}
