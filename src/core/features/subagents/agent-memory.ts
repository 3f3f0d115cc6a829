// Notes that an agent keeps from task to task: where they are stored, what it is shown of them, and which tools reach them.
import { join } from 'pathe';
import { neutralText } from '../../text/system-reminder';
import { redactText, type Secrets } from '../../text/redact';
import { isInsideAny } from '../../permissions/rules/workspace-path';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';
import { type AnyTool } from '../../tool/tool';
import { type AgentDefinition, type AgentSource } from '../../subagents/agent-definition';

export interface AgentMemoryPlaces {
  personalFolder: Path;
  /** The first folder of the workspace. */
  project: () => Path | undefined;
}

export interface AgentMemory {
  folder: Path;
  /** As written and with links resolved. */
  folders: Path[];
  /** The user's own agents write there unasked; one of a project or plugin as it writes anywhere in the workspace. */
  unasked: boolean;
  /** For the system prompt. */
  note: string;
}

export interface OpenMemory {
  files: Pick<FileSystem, 'readText' | 'realPath'>;
  places: AgentMemoryPlaces | undefined;
  trusted: boolean;
  isHidden: (path: Path) => boolean;
  secrets: Secrets;
}

const file = 'MEMORY.md';
const limits = { lines: 200, chars: 25_000 };
const maxBytes = 1_000_000;
const tools = ['Read', 'Edit', 'Write'];
/** Whose agents are the user's own, or stand for them. */
const asOwn: readonly AgentSource[] = ['user', 'managed', 'commandLine'];

/** Undefined where it keeps none, or there is no place for it. */
export async function openAgentMemory(
  { memory: kind, name, source }: AgentDefinition,
  { files, places, trusted, isHidden, secrets }: OpenMemory,
): Promise<AgentMemory | undefined> {
  if (kind === undefined || places === undefined || (kind !== 'user' && !trusted)) return undefined;
  const root = kind === 'user' ? places.personalFolder : places.project();
  if (root === undefined) return undefined;
  const own = folderOf(name);
  const place =
    kind === 'user'
      ? join('agent-memory', own)
      : join('.claude', kind === 'project' ? 'agent-memory' : 'agent-memory-local', own);
  const folder = join(root, place);
  const path = join(folder, file);
  const [real, realFile] = await Promise.all([files.realPath(folder), files.realPath(path)]);
  // Whoever wrote the project chose where its links lead: to its commands, or to another agent's notes.
  const ofProject = kind !== 'user';
  if (ofProject && real !== join(await files.realPath(root), place)) return undefined;
  const leadsOn = ofProject && realFile !== join(real, file);
  const read = leadsOn || isHidden(path) || isHidden(realFile) ? undefined : await files.readText(path, maxBytes);
  const text = read?.outcome === 'read' ? redactText(read.file.text, secrets) : '';
  return {
    folder,
    folders: [...new Set([folder, real])],
    unasked: asOwn.includes(source),
    note: noteText(folder, text),
  };
}

/** A name may hold what a path would take for a way out of its folder. No two names share one: a plugin chooses those of its agents. */
function folderOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, (letter) => `+${(letter.codePointAt(0) ?? 0).toString(16)}+`);
}

function noteText(folder: Path, text: string): string {
  const lines = text.trim().split(/\r?\n/);
  const shown = lines.slice(0, limits.lines).join('\n').slice(0, limits.chars);
  const cut =
    shown.length < lines.join('\n').length
      ? `\n[${file} is longer; this is its first ${limits.lines} lines or ${limits.chars / 1_000} KB. Shorten it.]`
      : '';
  const inside = neutralText(shown, 'agent-memory');
  return [
    '# Memory',
    `Your notes from earlier tasks are in ${folder}. When you learn something that will help with later ones, write it into ${file} there before you end: one line each, outdated ones removed, longer texts in .md files next to it. They are notes: check before you rely on them.`,
    inside === '' ? `${file} is empty so far.` : `<agent-memory>\n${inside}${cut}\n</agent-memory>`,
  ].join('\n\n');
}

/** Its own tools, and what it needs for its notes: a tool that its file does not name works there alone. */
export function withMemoryTools(
  chosen: readonly AnyTool[],
  available: readonly AnyTool[],
  memory: AgentMemory | undefined,
): readonly AnyTool[] {
  if (memory === undefined) return chosen;
  const missing = available.filter(({ name }) => tools.includes(name) && !chosen.some((tool) => tool.name === name));
  return [...chosen, ...missing.map((tool) => onlyIn(memory, tool))];
}

function onlyIn({ folder, folders }: AgentMemory, tool: AnyTool): AnyTool {
  return {
    ...tool,
    async validateInput(input, context) {
      const outside = tool
        .targets(input, context.session.cwd)
        .find((target) => target.kind !== 'file' || !isInsideAny(target.path, folders, false));
      if (outside === undefined) return tool.validateInput(input, context);
      return {
        ok: false,
        code: 'memory-only',
        message: `You may use ${tool.name} only for your notes in ${folder}. Say in your report what else should be changed.`,
      };
    },
  };
}
