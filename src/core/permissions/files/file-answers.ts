// What is said about reading or writing one path.
import { allow, ask, byRule, type Judgment } from '../rules/judgment';
import { type Answers, climb } from '../rules/ladder';
import { allowingRule, pathNames, restrictingRule } from '../rules/path-rules';
import { type PermissionContext } from '../rules/verdict';
import { isInsideAny } from '../rules/workspace-path';
import { isProcessFolder, isProcessMemory, isProtectedPath } from './protected-paths';

export interface FileUse {
  access: 'read' | 'write';
  path: string;
  realPath: string;
}

export function judgeFile(use: FileUse, context: PermissionContext): Judgment {
  return climb(fileAnswers(use, context), context);
}

export function fileAnswers({ access, path, realPath }: FileUse, context: PermissionContext): Answers {
  const names = pathNames(path, realPath);
  const writes = access === 'write';
  const { agentMemory, folders, ownFolders, ignoreCase } = context;
  const within = (places: readonly string[]): boolean => names.every((name) => isInsideAny(name, places, ignoreCase));
  // Markdown alone, wherever its links lead.
  const isNote = agentMemory !== undefined && names.every((name) => /\.md$/i.test(name)) && within(agentMemory.folders);
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
    protected: () =>
      writes && !isNote && names.some(isProtectedPath)
        ? ask(
            'protected-path',
            `\`${path}\` controls tools, editors or shells, so Deft always asks before changing it.`,
          )
        : undefined,
    edits: () =>
      writes && (isNote || within(folders)) ? allow('mode', 'The mode allows edits in the workspace.') : undefined,
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
      if (isNote || within(folders)) return ask('mode', 'Deft asks before each edit in this mode.');
      const where = names.length > 1 ? `\`${path}\` leads to \`${realPath}\`, which` : `\`${path}\``;
      return ask('outside-workspace', `${where} is outside the workspace.`);
    },
  };
}

/** `text`: the path, or the command that reads there. */
export function holdsMemory(text: string): Judgment {
  return ask('protected-path', `\`${text}\` exposes the memory of a process, so Deft always asks before reading it.`);
}
