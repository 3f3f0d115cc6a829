// The prompt of /init, with the rule files of other agents that are in the workspace.
import { join } from 'pathe';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import prompt from './init-prompt.md';

const otherAgents = [
  'AGENTS.md',
  '.cursorrules',
  '.cursor/rules',
  '.github/copilot-instructions.md',
  '.github/instructions',
  '.windsurfrules',
  '.windsurf/rules',
  '.clinerules',
  'GEMINI.md',
];

export async function initPrompt(folder: Path, files: Pick<FileSystem, 'stat'>): Promise<string> {
  const found = await Promise.all(
    ['CLAUDE.md', '.claude/CLAUDE.md', ...otherAgents].map(async (name) =>
      (await files.stat(join(folder, name))) === undefined ? [] : [name],
    ),
  );
  const names = found.flat();
  const listed = names.length === 0 ? 'There are no agent instructions yet.' : `These exist: ${names.join(', ')}.`;
  return `${prompt.trim()}\n\n${listed} The file to write is ${names.includes('.claude/CLAUDE.md') && !names.includes('CLAUDE.md') ? join(folder, '.claude/CLAUDE.md') : join(folder, 'CLAUDE.md')}.`;
}

/** As a message of the user's; `more` is what they typed behind the command. */
export async function initInput(folder: Path, files: Pick<FileSystem, 'stat'>, more: string): Promise<PromptText> {
  const text = await initPrompt(folder, files);
  return {
    text: more === '' ? text : `${text}\n\nThe user adds: ${more}`,
    shownAs: more === '' ? '/init' : `/init ${more}`,
    mentionsIn: more,
  };
}

interface PromptText {
  text: string;
  shownAs: string;
  mentionsIn: string;
}
