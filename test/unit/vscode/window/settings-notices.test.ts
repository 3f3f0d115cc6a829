// What the chat and /doctor say of settings that do not count.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSettings } from '../../../../src/core/settings/load-settings';
import { variableProblems } from '../../../../src/core/settings/variable-problems';
import { findRipgrep } from '../../../../src/node/search/ripgrep-path';
import { doctorFindings, type DoctorFacts } from '../../../../src/vscode/chat/commands/doctor-findings';
import { settingsNotices } from '../../../../src/vscode/window/settings-notices';

const fine: DoctorFacts = {
  missingSetup: undefined,
  refusedModel: undefined,
  ripgrep: '/bin/rg',
  trusted: true,
  grants: 0,
  variables: [],
  hidden: [],
  settings: [],
  notes: [],
  startRefusal: undefined,
  skills: [],
  folders: 1,
};

describe('a variable of a settings file whose value is none', () => {
  const { env } = loadSettings(
    [
      {
        source: 'userSettings',
        file: '/h/.claude/settings.json',
        root: '/h',
        home: '/h',
        text: JSON.stringify({
          env: {
            MAX_THINKING_TOKENS: 'many',
            CLAUDE_CODE_EXTRA_BODY: '[1',
            BASH_MAX_TIMEOUT_MS: 'long',
            API_TIMEOUT_MS: '5000',
          },
        }),
      },
    ],
    { trusted: true, projectSetsMode: false },
  );
  const sentences = [
    'CLAUDE_CODE_EXTRA_BODY takes a JSON object.',
    'MAX_THINKING_TOKENS takes a whole number from 0, not "many".',
    'BASH_MAX_TIMEOUT_MS takes a whole number from 1, not "long".',
  ];

  it('is named in one notice of the chat', () => {
    const [notice, ...others] = settingsNotices([], [], variableProblems(env));
    assert.deepEqual(others, []);
    assert.deepEqual(notice?.detail.split('\n').slice(0, -1), sentences);
    assert.deepEqual(settingsNotices([], [], variableProblems({ API_TIMEOUT_MS: '5000' })), []);
  });

  it('is named by /doctor', () => {
    assert.deepEqual(doctorFindings({ ...fine, variables: variableProblems(env) }), sentences);
    assert.deepEqual(doctorFindings(fine), []);
  });
});

describe('/doctor', () => {
  it('names the variables whose values are hidden, and how to show one', () => {
    assert.deepEqual(doctorFindings({ ...fine, hidden: ['GH_TOKEN', 'NPM_TOKEN'] }), [
      'The model does not see the values of `GH_TOKEN` and `NPM_TOKEN`, and hooks and MCP servers get them only if they name them, since they look like credentials. To change that, add a name to `visibleVariables` in ~/.claude/settings.json.',
    ]);
  });

  it('says where there is no ripgrep', async () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'deft-test-'));
    try {
      const [said, ...others] = doctorFindings({
        ...fine,
        ripgrep: await findRipgrep({ appRoot: empty, searchPath: empty }),
      });
      assert.deepEqual(others, []);
      assert.match(said ?? '', /^ripgrep was not found/);
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});
