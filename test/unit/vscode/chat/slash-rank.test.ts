// The order of the "/" menu: what is typed finds names by their beginning first, and groups stay together.
import assert from 'node:assert/strict';
import { type SlashCommand } from '../../../../src/shared/answers';
import { rankSlashCommands } from '../../../../src/vscode/chat/completion/slash-rank';

const command = (name: string, group = 'Deft', description = ''): SlashCommand => ({ name, group, description });
const commands = [
  command('clear'),
  command('compact'),
  command('cost'),
  command('security-review'),
  command('deploy', 'Project', 'Brings the app out'),
  command('web:clean', 'Project'),
  command('review', 'Personal'),
  command('agents'),
];
const found = (query: string): string =>
  rankSlashCommands(commands, query)
    .map(({ name }) => name)
    .join(' ');

describe('rankSlashCommands', () => {
  const rows: [query: string, names: string][] = [
    ['', 'agents clear compact cost security-review deploy web:clean review'],
    ['co', 'compact cost'],
    ['clear', 'clear'],
    ['cle', 'clear web:clean'],
    ['review', 'review security-review'],
    ['REV', 'review security-review'],
    ['cpt', 'compact'],
    ['brings', 'deploy'],
    ['zzz', ''],
  ];
  it('finds a command of a folder by its name and behind the name of that folder', () => {
    const nested = [{ ...command('tools:x', 'Project'), shortName: 'x' }, command('todo')];
    for (const query of ['x', 'tool', 'tools:', 'tools:x'])
      assert.deepEqual(
        rankSlashCommands(nested, query).map(({ name }) => name),
        ['tools:x'],
        query,
      );
  });

  for (const [query, names] of rows) it(JSON.stringify(query), () => assert.equal(found(query), names));
});
