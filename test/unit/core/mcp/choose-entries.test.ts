// Which of several entries of one name counts.
import assert from 'node:assert/strict';
import { chooseEntries } from '../../../../src/core/mcp/choose-entries';
import { type McpStanding } from '../../../../src/core/mcp/standing';
import { type McpScope } from '../../../../src/core/ports/mcp';

type Kind = McpStanding['kind'];
const cases: [name: string, given: [McpScope, Kind][], chosen: McpScope, waiting: McpScope[]][] = [
  [
    'one of the project that nobody approved stands beside',
    [
      ['project', 'unapproved'],
      ['user', 'allowed'],
    ],
    'user',
    ['project'],
  ],
  [
    'an approved one takes the name',
    [
      ['project', 'allowed'],
      ['user', 'allowed'],
    ],
    'project',
    [],
  ],
  [
    'one of the project that is off gives the name back',
    [
      ['project', 'disabled'],
      ['user', 'allowed'],
    ],
    'user',
    ['project'],
  ],
  [
    'it hides none that is kept from starting',
    [
      ['project', 'unapproved'],
      ['user', 'disabled'],
    ],
    'user',
    ['project'],
  ],
  [
    'alone it has its name',
    [
      ['project', 'unapproved'],
      ['editor', 'unapproved'],
    ],
    'project',
    [],
  ],
  [
    'further down it is not told',
    [
      ['local', 'allowed'],
      ['project', 'unapproved'],
    ],
    'local',
    [],
  ],
  [
    'one of the user that is off hides what is further down',
    [
      ['local', 'disabled'],
      ['user', 'allowed'],
    ],
    'local',
    [],
  ],
];

describe('entries of one name', () => {
  for (const [name, given, chosen, waiting] of cases) {
    it(name, () => {
      const made = chooseEntries(
        given.map(([scope, kind]) => ({
          entry: {
            name: 'a',
            scope,
            config: { type: 'stdio', command: 'x', args: [], env: {} },
            alwaysLoad: false,
            written: '{}',
          },
          standing: kind === 'disabled' ? { kind, why: '' } : { kind },
        })),
      );
      assert.deepEqual(
        [made.chosen.map(({ entry }) => entry.scope), made.waiting.map(({ entry }) => entry.scope)],
        [[chosen], waiting],
      );
    });
  }
});
