// What is said about reading or writing one path.
import { allow, ask, byRule, firstOf, type Judgment } from '../rules/judgment';
import { type Answers, climb } from '../rules/ladder';
import { allowingRule, pathNames, restrictingRule } from '../rules/path-rules';
import { type PermissionContext } from '../rules/verdict';
import { isInsideAny } from '../rules/workspace-path';
import { isProcessFolder, isProcessMemory, isProtectedPath } from './protected-paths';
import { elsewhereWords, protectedWords } from './steering-files';

export interface FileUse {
  access: 'read' | 'write';
  path: string;
  realPath: string;
  /** It is in the folder that `core.hooksPath` names. */
  isHook?: true;
  /** What package.json makes package managers run stays as it was. */
  keepsScripts?: true;
  /** A folder with more in it than Deft looks through. */
  unseen?: true;
}

export function judgeFile(use: FileUse, context: PermissionContext): Judgment {
  return climb(fileAnswers(use, context), context);
}

export function fileAnswers(use: FileUse, context: PermissionContext): Answers {
  const { access, path, realPath } = use;
  const names = pathNames(path, realPath);
  const writes = access === 'write';
  const { agentMemory, folders, ownFolders, ignoreCase, mode } = context;
  const within = (places: readonly string[]): boolean => names.every((name) => isInsideAny(name, places, ignoreCase));
  // Markdown alone, wherever its links lead.
  const isNote = agentMemory !== undefined && names.every((name) => /\.md$/i.test(name)) && within(agentMemory.folders);
  const takesEffect = (): string | undefined =>
    firstOf(names, (name) => elsewhereWords(name, use.keepsScripts === true));
  const restricted = (behavior: 'deny' | 'ask'): Judgment | undefined => {
    const rule = restrictingRule(behavior, access, names, context);
    return rule && byRule(rule);
  };
  return {
    subject: path,
    looks: !writes,
    reads: !writes,
    denied: () => restricted('deny'),
    asked: () => restricted('ask'),
    critical: () =>
      !writes && names.some((name) => isProcessMemory(name) || isProcessFolder(name)) ? holdsMemory(path) : undefined,
    protected: () => (writes && !isNote ? protectedAnswer(use, names) : undefined),
    edits: () =>
      writes && use.unseen !== true && (isNote || (within(folders) && takesEffect() === undefined))
        ? allow('mode', 'The mode allows edits in the workspace.')
        : undefined,
    allowed() {
      const rule = allowingRule(access, names, context);
      return rule && byRule(rule);
    },
    free() {
      if (isNote && (!writes || agentMemory.unasked)) return allow('own-file', "It is the agent's own note.");
      if (writes) return undefined;
      if (within(folders)) return allow('inside-workspace', 'It is in the workspace.');
      return within(ownFolders) ? allow('own-file', "It is one of Deft's own files.") : undefined;
    },
    rest() {
      if (use.unseen === true && mode === 'acceptEdits')
        return ask(
          'effect-elsewhere',
          `\`${path}\` holds more than Deft looks through, and some of it may take effect outside this session. The mode does not cover it.`,
        );
      const words = writes && mode === 'acceptEdits' && within(folders) ? takesEffect() : undefined;
      if (words !== undefined)
        return ask(
          'effect-elsewhere',
          `\`${path}\` takes effect outside this session: ${words}. The mode does not cover it.`,
        );
      if (isNote || within(folders)) return ask('mode', 'Deft asks before each edit in this mode.');
      const where = names.length > 1 ? `\`${path}\` leads to \`${realPath}\`, which` : `\`${path}\``;
      return ask('outside-workspace', `${where} is outside the workspace.`);
    },
  };
}

function protectedAnswer({ path, isHook }: FileUse, names: readonly string[]): Judgment | undefined {
  const name = names.find(isProtectedPath);
  if (name === undefined && isHook !== true) return undefined;
  const words =
    isHook === true
      ? 'git runs what is in that folder at commits, pushes and other steps'
      : protectedWords(name ?? path);
  return ask('protected-path', `Deft always asks before changing \`${path}\`: ${words}.`);
}

/** `text`: the path, or the command that reads there. */
export function holdsMemory(text: string): Judgment {
  return ask('protected-path', `\`${text}\` exposes the memory of a process, so Deft always asks before reading it.`);
}
