// Where memory files may be stored, in the order in which they are sent.
import { dirname, join } from 'pathe';
import { type Path } from '../ports/path';
import { type MemoryType } from './memory-entry';

/** Whether AGENTS.md counts: only in folders without a CLAUDE.md, everywhere, or nowhere. */
export const agentsMdChoices = ['whenNoClaudeMd', 'both', 'never'] as const;
export type AgentsMd = (typeof agentsMdChoices)[number];

export type MemoryPlace = { type: MemoryType; path: Path } &
  /** `unless`: counts only where none of these is there. */
  (
    | { kind: 'file'; unless?: readonly Path[] }
    /** All Markdown files in it, at any depth. `root`: what the globs of its rules are relative to; every workspace folder where it is left out. */
    | { kind: 'rules'; root?: Path }
  );

export interface PersonalPlaces {
  /** Where an organisation puts its files. */
  managedFolder: Path;
  /** `~/.claude`, or what CLAUDE_CONFIG_DIR names. */
  personalFolder: Path;
}

export function personalMemory({ managedFolder, personalFolder }: PersonalPlaces): MemoryPlace[] {
  return [
    { kind: 'file', type: 'Managed', path: join(managedFolder, 'CLAUDE.md') },
    { kind: 'file', type: 'User', path: join(personalFolder, 'CLAUDE.md') },
    { kind: 'rules', type: 'User', path: join(personalFolder, 'rules') },
  ];
}

/** The memory of one folder. The user's own file is last: it has the last word. */
export function folderMemory(folder: Path, agentsMd: AgentsMd): MemoryPlace[] {
  const shared = [join(folder, 'CLAUDE.md'), join(folder, '.claude/CLAUDE.md')];
  const agents: MemoryPlace = { kind: 'file', type: 'Project', path: join(folder, 'AGENTS.md') };
  return [
    ...shared.map((path): MemoryPlace => ({ kind: 'file', type: 'Project', path })),
    ...(agentsMd === 'never' ? [] : [agentsMd === 'both' ? agents : { ...agents, unless: shared }]),
    { kind: 'rules', type: 'Project', path: join(folder, '.claude/rules'), root: folder },
    { kind: 'file', type: 'Local', path: join(folder, 'CLAUDE.local.md') },
  ];
}

/** The folder and all its parents, the root first. */
export function ancestorsOf(folder: Path): Path[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...ancestorsOf(parent), folder];
}

/** Folders between a workspace folder and a file in it, the outermost first; the workspace folder itself is not one of them. */
export function foldersBetween(folder: Path, file: Path): Path[] {
  if (!file.startsWith(`${folder}/`)) return [];
  return ancestorsOf(dirname(file)).filter((one) => one.startsWith(`${folder}/`));
}
