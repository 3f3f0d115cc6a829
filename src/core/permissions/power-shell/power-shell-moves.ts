// `Cd(path)` rules for PowerShell: into which folders a line may change.
import { byRule, type Judgment } from '../rules/judgment';
import { folderRule, folderRules } from '../rules/path-rules';
import { type PowerShellCommand } from './power-shell-command';
import { pathForRules } from './power-shell-files';
import { type HiddenLine } from './power-shell-hidden';
import { plainPath } from './power-shell-read-only';
import { type PermissionContext } from '../rules/verdict';
import { absolutePath } from '../rules/workspace-path';

/** These change the session's folder. */
export function movesPowerShell({ name }: PowerShellCommand): boolean {
  return ['set-location', 'push-location', 'pop-location', 'new-psdrive'].includes(name);
}

/** What a deny or ask rule says about the folders that the commands change to; where there is such a rule, an unknown folder asks. */
export function restrictPowerShellMoves(
  behavior: 'deny' | 'ask',
  { commands, parsed }: HiddenLine,
  cwd: string,
  context: PermissionContext,
): Judgment | undefined {
  const [any] = folderRules(behavior, context);
  if (any === undefined) return undefined;
  let folders: readonly string[] = [cwd];
  for (const command of commands) {
    if (!movesPowerShell(command) || command.name === 'new-psdrive') continue;
    // In a line that is not plain its folder may stand in parentheses.
    const written = !parsed.ok && command.words.length < 2 ? undefined : targetOf(command, context.home);
    const targets = written === undefined ? [] : folders.map((folder) => pathForRules(written, folder, context.home));
    const found = targets.map((folder) => folderRule(behavior, folder, context)).find((rule) => rule !== undefined);
    if (found !== undefined) return byRule(found);
    if (written === undefined)
      return {
        ...byRule(any),
        behavior: 'ask',
        reason: `Deft cannot tell which folder \`${command.text}\` changes to. ${byRule(any).reason}`,
      };
    folders = [...new Set([...folders, ...targets])].slice(0, maxFolders);
  }
  return undefined;
}

/** The folder that this command changes to, where it is sure to be known. */
export function plainMove(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  cwd: string,
  home: string,
): string | undefined {
  const written = before.some(movesPowerShell) || command.name === 'pop-location' ? undefined : targetOf(command, home);
  const path = written === undefined ? undefined : plainPath(written, home);
  return path === undefined ? undefined : absolutePath(path, cwd);
}

/** Every folder that the commands may have led to, each with and without success; not all of them where it moves too often. */
export function foldersOf(commands: readonly PowerShellCommand[], cwd: string, home: string): string[] {
  let folders = [cwd];
  for (const command of commands) {
    if (folders.length >= maxFolders) break;
    const written = movesPowerShell(command) && command.name !== 'new-psdrive' ? targetOf(command, home) : undefined;
    if (written === undefined) continue;
    folders = [...new Set([...folders, ...folders.map((folder) => pathForRules(written, folder, home))])];
  }
  return folders;
}

/** So many folders come into question that looking at all of them is not worth it. */
export function movesPowerShellTooOften(commands: readonly PowerShellCommand[], cwd: string, home: string): boolean {
  return foldersOf(commands, cwd, home).length >= maxFolders;
}

const maxFolders = 16;

/** As written; undefined where it may be any folder. */
function targetOf({ name, words }: PowerShellCommand, home: string): string | undefined {
  const values = words.slice(1).flatMap(({ value, quoted }): string[] => {
    const [, parameter = '', direct = ''] = quoted ? [] : (/^[-–—―]([A-Za-z]+)(?::(.*))?$/s.exec(value) ?? []);
    if (parameter === '') return [value];
    if (/^pas/i.test(parameter)) return [];
    return /^(p|path|l|lp|literalpath|pspath)$/i.test(parameter) ? (direct === '' ? [] : [direct]) : ['$'];
  });
  if (name === 'pop-location' || values.length > 1) return undefined;
  const [value] = values;
  if (value === undefined) return name === 'set-location' ? home : undefined;
  return value === '-' || value === '+' || /[$*?[\]`]/.test(value) ? undefined : value;
}
