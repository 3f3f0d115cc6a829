// A set of plugins of our own making with the shapes of the public one: how many there are, what is in them, and what of it nobody can use.
import path from 'node:path';
import { type FolderText, writeFolder } from './plugin-folders';

const counts = { plugins: 92, skills: 286, agents: 200, files: 1_200 };

export interface PluginSet {
  /** As settings have them. */
  enabled: Record<string, true>;
  counts: typeof counts;
  /** The folder of each plugin, in order. */
  folders: string[];
}

/** As another program has installed them from one marketplace, in `home`. */
export async function writePluginSet(home: string): Promise<PluginSet> {
  const theirs = path.join(home, '.claude/plugins');
  const plugins = Array.from({ length: counts.plugins }, (_, index) => pluginNumber(index));
  for (let index = 0; index < counts.skills; index++) {
    const files = plugins[index % counts.plugins]?.files;
    if (files !== undefined) Object.assign(files, skillNumber(index));
  }
  for (let index = 0; index < counts.agents; index++) {
    const files = plugins[(index * 7) % counts.plugins]?.files;
    if (files !== undefined) Object.assign(files, agentNumber(index));
  }
  // One plugin carries the documents of a whole site.
  const [big] = plugins;
  for (let index = 0; big !== undefined && index < counts.files; index++)
    big.files[`skills/skill-0/reference/page-${index}.md`] = `# Page ${index}\n\nWords.\n`;
  const folders = await Promise.all(
    plugins.map(({ name, files }) => writeFolder(path.join(theirs, 'cache/set', name, '1.0.0'), files)),
  );
  await writeFolder(path.join(theirs, 'marketplaces/set'), {
    '.claude-plugin/marketplace.json': {
      name: 'set',
      owner: { name: 'Ann' },
      plugins: plugins.map(({ name }) => ({ name, source: `./plugins/${name}`, description: `Does ${name}.` })),
    },
  });
  await writeFolder(theirs, {
    'installed_plugins.json': {
      version: 2,
      plugins: Object.fromEntries(
        plugins.map(({ name }, index) => [
          `${name}@set`,
          [{ scope: 'user', installPath: folders[index], version: '1.0.0' }],
        ]),
      ),
    },
    'known_marketplaces.json': {
      set: {
        source: { source: 'github', repo: 'ann/set' },
        installLocation: path.join(theirs, 'marketplaces/set'),
      },
    },
  });
  return { enabled: Object.fromEntries(plugins.map(({ name }) => [`${name}@set`, true])), counts, folders };
}

function pluginNumber(index: number): { name: string; files: Record<string, FolderText[string]> } {
  const name = `plugin-${index}`;
  const manifest = { name, version: '1.0.0', description: `Does ${name}.`, author: { name: 'Ann' }, license: 'MIT' };
  return {
    name,
    files: {
      '.claude-plugin/plugin.json': manifest,
      'README.md': `# ${name}\n`,
      ...(index % 2 === 0 ? { [`commands/do-${index}.md`]: `---\ndescription: Does it\n---\nDo $ARGUMENTS.\n` } : {}),
      ...(index % 10 === 3 ? { '.mcp.json': { [name]: { type: 'http', url: 'https://mcp.invalid/mcp' } } } : {}),
      ...(index % 10 === 5 ? { '.lsp.json': { go: { command: 'gopls', args: [] } } } : {}),
    },
  };
}

/** Front matter as people write it: with colons, examples and lists. */
function skillNumber(index: number): FolderText {
  const more = ['', 'allowed-tools: Read, Grep\n', 'argument-hint: [file]\n', 'model: inherit\n'][index % 4] ?? '';
  return {
    [`skills/skill-${index}/SKILL.md`]: `---\nname: skill-${index}\ndescription: Use this when: the user wants number ${index}\n${more}---\n# Skill ${index}\n\nSee [reference](reference/a.md).\n`,
    [`skills/skill-${index}/reference/a.md`]: 'More.\n',
  };
}

function agentNumber(index: number): FolderText {
  return {
    [`agents/agent-${index}.md`]: `---\nname: agent-${index}\ndescription: Use this agent for number ${index}. Examples: <example>user: "go"</example>\ntools: Read, Grep, Glob\nmodel: sonnet\ncolor: blue\n---\nYou are number ${index}.\n`,
  };
}
