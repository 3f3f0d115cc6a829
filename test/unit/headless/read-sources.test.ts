// --setting-sources: whose files a run reads, for every kind of content and every source of it, and the run that obeys.
import assert from 'node:assert/strict';
import path from 'node:path';
import { isRead } from '../../../src/headless/read-sources';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { oddServer } from '../../support/mcp/run-servers';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { writeFolder } from '../../support/plugin-folders';

const choices = [[], ['user'], ['project'], ['local'], ['user', 'project', 'local']] as const;

describe('whose files are read', () => {
  /** Kind, source, and for which choice it is read; `all`: whatever is chosen. */
  const table = `
    settings userSettings user
    settings projectSettings project
    settings localSettings local
    settings managedSettings all
    settings commandLine all
    settings session all
    memory User user
    memory Auto user
    memory Project project
    memory Local local
    memory Managed all
    skills personal user
    skills project project
    skills managed all
    skills plugin all
    skills bundled all
    agents user user
    agents project project
    agents managed all
    agents plugin all
    servers user user
    servers project project
    servers editor project
    servers local local
    servers managed all
    servers command-line all
    servers plugin all
  `;
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' ') as [Parameters<typeof isRead>[0], Parameters<typeof isRead>[1], string]);

  for (const [kind, source, owner] of rows)
    it(`${kind} of ${source}`, () => {
      assert.ok(isRead(kind, source, undefined), 'without a choice');
      for (const chosen of choices)
        assert.equal(
          isRead(kind, source, chosen),
          owner === 'all' || (chosen as readonly string[]).includes(owner),
          chosen.join(),
        );
    });
});

describe('a run with --setting-sources', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  /** One of each kind in a folder, each with the owner's name in it. */
  const writeAll = async (folder: string, owner: string): Promise<unknown> =>
    writeFolder(folder, {
      [owner === 'project' ? 'CLAUDE.md' : '.claude/CLAUDE.md']: `memory of ${owner}`,
      '.claude/settings.json': {
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `echo hook of ${owner}` }] }] },
      },
      [`.claude/skills/skill-${owner}/SKILL.md`]: '---\ndescription: A skill.\n---\nDo it.',
      [`.claude/commands/command-${owner}.md`]: 'Do it.',
      [`.claude/agents/agent-${owner}.md`]: `---\nname: agent-${owner}\ndescription: An agent.\n---\nYou are one.`,
    });

  const kinds = ['memory', 'hook', 'skill', 'command', 'agent', 'server'];

  for (const [chosen, read] of [
    [undefined, ['user', 'project']],
    ['user', ['user']],
    ['project', ['project']],
    ['', []],
  ] as const)
    it(`of ${chosen === undefined ? 'everybody' : JSON.stringify(chosen)} has nothing else of .claude`, async () => {
      await writeAll(place.home, 'user');
      await writeAll(place.workspace, 'project');
      await writeFolder(place.home, { '.claude.json': { mcpServers: { 'server-user': oddServer('plain') } } });
      await writeFolder(place.workspace, {
        '.mcp.json': { mcpServers: { 'server-project': oddServer('plain') } },
        'deep/.claude/skills/skill-project-deep/SKILL.md': '---\ndescription: A skill further down.\n---\nDo it.',
        'deep/x.txt': 'x',
      });
      server.setScript([
        reply(toolUse('Read', { file_path: path.join(place.workspace, 'deep/x.txt') }, 'r1')),
        reply('Done.'),
      ]);
      const end = await place.run(
        [
          ...['-p', 'Go', '--output-format', 'stream-json', '--trust-project'],
          ...['--settings', JSON.stringify({ enableAllProjectMcpServers: true })],
          ...(chosen === undefined ? [] : [`--setting-sources=${chosen}`]),
        ],
        { url: server.url },
      );
      assert.equal(end.code, 0, end.stderr);
      const init = jsonLines(end.stdout).find(({ subtype }) => subtype === 'init') ?? {};
      const seen = `${JSON.stringify(init)} ${JSON.stringify(server.requests.map(({ body }) => body))}`;
      const all = ['user', 'project'].flatMap((owner) =>
        kinds.map((kind) => `${kind}${['memory', 'hook'].includes(kind) ? ' of ' : '-'}${owner}`),
      );
      assert.deepEqual(
        [...all, 'skill-project-deep'].filter((name) => new RegExp(`${name}(?!-)`).test(seen)),
        [
          ...all.filter((name) => read.some((owner) => name.endsWith(owner))),
          ...((read as readonly string[]).includes('project') ? ['skill-project-deep'] : []),
        ],
      );
    });
});
