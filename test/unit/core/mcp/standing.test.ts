// Whether a server may be started, by its scope and what settings and the user say.
import assert from 'node:assert/strict';
import { type McpPolicy, standingOf } from '../../../../src/core/mcp/standing';
import { type McpScope, type McpServerConfig } from '../../../../src/core/ports/mcp';

const local: McpServerConfig = { type: 'stdio', command: 'npx', args: ['server'], env: {} };
const remote: McpServerConfig = { type: 'http', url: 'https://mcp.example.org/x', headers: {} };
const no = (): boolean => false;

const cases: [
  name: string,
  scope: McpScope,
  settings: McpPolicy['settings'],
  expected: string,
  more?: Partial<McpPolicy> & { config?: McpServerConfig },
][] = [
  ["the user's own", 'user', {}, 'allowed'],
  ["the user's own in a workspace that is not trusted", 'user', {}, 'disabled', { trusted: false }],
  ["one of the user's for this project, not trusted", 'local', {}, 'disabled', { trusted: false }],
  ['an address, not trusted', 'user', {}, 'disabled', { trusted: false, config: remote }],
  ['one of the project, not trusted', 'project', {}, 'unapproved', { trusted: false }],
  ['one of the command line', 'command-line', {}, 'allowed'],
  ['one of the project', 'project', {}, 'unapproved'],
  ["one of the project's editor file", 'editor', {}, 'unapproved'],
  ['one that the user has agreed to', 'project', {}, 'allowed', { approved: () => true }],
  ['one of the project where all are enabled', 'project', { enableAllProjectMcpServers: true }, 'allowed'],
  ['one that settings name', 'project', { enabledMcpjsonServers: ['s'] }, 'allowed'],
  ['another than settings name', 'project', { enabledMcpjsonServers: ['t'] }, 'unapproved'],
  [
    'one that settings switch off',
    'project',
    { enableAllProjectMcpServers: true, disabledMcpjsonServers: ['s'] },
    'disabled',
  ],
  ["one of the user's with the same name", 'user', { disabledMcpjsonServers: ['s'] }, 'allowed'],
  ['one that is switched off', 'user', {}, 'disabled', { switchedOff: () => true }],
  ['a denied name', 'user', { deniedMcpServers: [{ serverName: 's' }] }, 'disabled'],
  ['a denied command', 'user', { deniedMcpServers: [{ serverCommand: ['npx', 'server'] }] }, 'disabled'],
  ['another command', 'user', { deniedMcpServers: [{ serverCommand: ['npx'] }] }, 'allowed'],
  [
    'a denied address',
    'user',
    { deniedMcpServers: [{ serverUrl: 'https://*.example.org/*' }] },
    'disabled',
    { config: remote },
  ],
  ['an empty list of allowed', 'user', { allowedMcpServers: [] }, 'disabled'],
  ['an allowed name', 'user', { allowedMcpServers: [{ serverName: 's' }] }, 'allowed'],
  [
    'an allowed name with another command than the allowed ones',
    'user',
    { allowedMcpServers: [{ serverName: 's' }, { serverCommand: ['node'] }] },
    'disabled',
  ],
  [
    'an allowed address',
    'user',
    { allowedMcpServers: [{ serverUrl: 'https://mcp.example.org/*' }] },
    'allowed',
    { config: remote },
  ],
  [
    'allowed and denied',
    'user',
    { allowedMcpServers: [{ serverName: 's' }], deniedMcpServers: [{ serverName: 's' }] },
    'disabled',
  ],
];

describe('standing of MCP servers', () => {
  for (const [name, scope, settings, expected, { config = local, ...more } = {}] of cases) {
    it(`${name}: ${expected}`, () =>
      assert.equal(
        standingOf(
          { name: 's', scope, config, alwaysLoad: false, written: '' },
          { settings, trusted: true, approved: no, switchedOff: no, ...more },
        ).kind,
        expected,
      ));
  }
});
