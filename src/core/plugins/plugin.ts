// A plugin as read from its folder: what it contains, each part by its kind, and a sentence for everything in it that is wrong.
import { type HookEntry } from '../hooks/hook-entry';
import { type McpConfigSource } from '../mcp/config-source';
import { type Path } from '../ports/path';
import { type FoundFile } from '../skills/find-skills';
import { type PluginIdentity } from '../ports/plugin-identity';

export interface PluginFault {
  file: Path;
  message: string;
}

export interface Plugin extends PluginIdentity {
  version?: string;
  description?: string;
  author?: string;
  /** Files of skills and of commands. */
  skills: readonly FoundFile[];
  /** Folders and single files of agents. */
  agents: readonly Path[];
  hooks: readonly HookEntry[];
  servers: readonly McpConfigSource[];
  /** Its programs, by name: the folder goes to the end of the PATH of commands. */
  bin?: { folder: Path; programs: readonly string[] };
  /** Folders and single files, for whoever reads output styles. */
  outputStyles: readonly Path[];
  faults: readonly PluginFault[];
}
