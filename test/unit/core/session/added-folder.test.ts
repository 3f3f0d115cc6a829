// A folder added to the workspace: commands may stay there, as in VS Code, where the workspace's folders are others.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getAllBaseTools } from '../../../../src/core/tools/registry';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { createSystemClock } from '../../../../src/node/system-clock';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('a folder that was added', () => {
  it('is where the next command starts, once one has ended there', async () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    const [work, added, outside] = ['work', 'added', 'outside'].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [work, path.join(added, 'deep'), outside]) mkdirSync(folder, { recursive: true });
    const silent = { debug() {}, info() {}, warn() {}, error() {} };
    const terminal = createNodeTerminal({ log: silent, environment: process.env, root });
    try {
      const command = (text: string) => reply(toolUse('Bash', { command: text }));
      const harness = createHarness({
        model: createScriptedModel([
          command(`cd ${added}/deep`),
          command('pwd'),
          command(`cd ${outside}`),
          command('pwd'),
          reply('Done.'),
        ]),
        tools: getAllBaseTools(),
        ports: { terminal, files: createNodeFileSystem(), clock: createSystemClock() },
        answer: () => ({ behavior: 'allow' }),
        session: {
          environment: { cwd: work, folders: [work], platform: 'linux', shell: 'bash', date: '2026-11-21' },
          permission: () => ({
            rules: [],
            folders: [work, added],
            ownFolders: [],
            home: root,
            ignoreCase: false,
            trusted: true,
          }),
        },
      });
      await harness.run('go');
      const outputs = harness
        .stored()
        .flatMap((record) =>
          record.type === 'user' && record.toolUseResult !== undefined
            ? [(record.toolUseResult as { stdout: string }).stdout.trim()]
            : [],
        );
      assert.deepEqual(outputs, ['', `${added}/deep`, '', work]);
    } finally {
      await terminal.dispose();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
