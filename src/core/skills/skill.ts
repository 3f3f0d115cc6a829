// A skill as it was read: a SKILL.md, a command's file, or one that comes with Deft.
import { type FileHooks } from '../hooks/read-hooks';
import { type Effort } from '../wire/wire';
import { type PluginIdentity } from '../ports/plugin-identity';
import { type Path } from '../ports/path';

/** Where it comes from; of two with one name the first of these counts. */
export const skillSources = ['managed', 'personal', 'project', 'plugin', 'bundled'] as const;
export type SkillSource = (typeof skillSources)[number];

/** Where a skill comes from, and who supplies it. */
export interface SkillOrigin {
  source: SkillSource;
  kind: 'skill' | 'command';
  /** Its file; empty for those that come with Deft. */
  file: Path;
  /** The folder that its own files are in. */
  folder: Path;
  /** The folder that its `.claude` is in: what its rules and the user's consent are about. */
  root: Path;
  /** The plugin that it belongs to: its name begins with the plugin's. */
  plugin?: PluginIdentity;
}

/** How a skill runs in an agent of its own. */
export interface SkillFork {
  /** The agent's type; undefined: the general one. */
  agent?: string;
  background: boolean;
}

export interface Skill extends SkillOrigin {
  /** As it is called: `tools:x` for commands/tools/x.md. */
  name: string;
  /** Its name without that of its folder: it may be called so as long as nothing else is. */
  shortName?: string;
  /** One line. */
  description: string;
  /** The model decides by it, in addition to the description. */
  whenToUse?: string;
  argumentHint?: string;
  /** Names of the arguments, in order: `$name` in the text. */
  arguments: readonly string[];
  /** The model may call it. */
  forModel: boolean;
  /** The model is sent only its name. */
  nameOnly?: boolean;
  /** The user may: it is in the menu. */
  forUser: boolean;
  allowedTools: readonly string[];
  disallowedTools: readonly string[];
  /** As written: an alias or an id. */
  model?: string;
  effort?: Effort;
  /** Undefined: it runs in the conversation. */
  fork?: SkillFork;
  hooks?: FileHooks;
  /** The model is sent it once a file is touched that one of these covers; always where there are none. */
  paths: readonly string[];
  shell: 'bash' | 'powershell';
  /** For a plugin that is not what the user agreed to: the commands in its text do not run. */
  commandsWait?: true;
  /** The text after the frontmatter. */
  body: string;
}

/** A file that is not a skill, or one that is and says something that is not taken. */
export interface SkillProblem {
  file: Path;
  message: string;
  /** Nothing of it can be used. */
  broken: boolean;
}

export interface SkillList {
  /** By name; each name once. */
  skills: readonly Skill[];
  problems: readonly SkillProblem[];
}

export const noSkills: SkillList = { skills: [], problems: [] };

/** By its name, else by the one without its folder where only one has it. */
export function findSkill({ skills }: SkillList, written: string): Skill | undefined {
  const name = written.trim().replace(/^\//, '');
  const named = skills.find((skill) => skill.name === name);
  if (named !== undefined) return named;
  const [short, ...others] = skills.filter(({ shortName }) => shortName === name);
  return others.length === 0 ? short : undefined;
}
