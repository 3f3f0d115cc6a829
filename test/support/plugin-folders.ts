// Folders with plugins and marketplaces in them, and git repositories made of those: real ones, for file://.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type FolderText = Readonly<Record<string, string | object>>;

/** Objects become JSON; what lies in `bin` and what ends in .sh may be run. */
export async function writeFolder(folder: string, files: FolderText): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    if (/^bin\/|\.sh$/.test(name)) await chmod(file, 0o755);
  }
  return folder;
}

/** One of each part. The hook writes where it may; the program is found by commands. */
export function wholePlugin(servers: Record<string, unknown> = {}): FolderText {
  return {
    '.claude-plugin/plugin.json': {
      name: 'shout',
      version: '1.2.0',
      description: 'Says things loudly',
      author: { name: 'Ann' },
    },
    'skills/loud/SKILL.md':
      '---\ndescription: Says a word loudly\nallowed-tools: Bash(shout-it *)\n---\nShout $ARGUMENTS from ${CLAUDE_PLUGIN_ROOT}: !`shout-it hello`\n',
    'commands/whisper.md': 'Whisper $ARGUMENTS\n',
    'agents/crier.md':
      '---\nname: crier\ndescription: Cries: news\ntools: Read\npermissionMode: acceptEdits\n---\nYou are the crier of ${CLAUDE_PLUGIN_ROOT}.\n',
    'hooks/hooks.json': {
      description: 'Notes prompts',
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}/note.sh"' }] }] },
    },
    'note.sh': '#!/bin/bash\necho noted >> "$CLAUDE_PLUGIN_DATA/notes.txt"\necho "The hook of the plugin ran."\n',
    'bin/shout-it': '#!/bin/bash\nprintf "%s!\\n" "${1^^}"\n',
    ...(Object.keys(servers).length === 0 ? {} : { '.mcp.json': { mcpServers: servers } }),
  };
}

/** Made of what lies in the folder now; the commit. */
export function commitAll(folder: string): string {
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      [
        '-c',
        'user.name=Test',
        '-c',
        'user.email=test@example.org',
        '-c',
        'init.defaultBranch=main',
        '-c',
        'core.hooksPath=/dev/null',
        ...args,
      ],
      { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '-m', 'State');
  return git('rev-parse', 'HEAD').trim();
}
