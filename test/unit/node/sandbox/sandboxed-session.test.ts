// A session whose commands run in the real sandbox: what is asked, what runs, what the user and the model are shown.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { type CommandSandbox } from '../../../../src/core/ports/command-sandbox';
import { openSandbox, sandboxLimits } from '../../../../src/core/sandbox/tool-sandbox';
import { createBashTool, type BashInput } from '../../../../src/core/tools/bash/bash';
import { taskStopTool } from '../../../../src/core/tools/background/task-stop';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { reply, toolUse } from '../../../support/messages-api/script';
import { withSandboxPlace, type SandboxPlace } from '../../../support/sandbox-place';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';
import { rule } from '../../core/permissions/permission-table';

const no: ApprovalDecision = { behavior: 'deny', interrupt: false };

interface Plan {
  settings?: Record<string, unknown>;
  rules?: string[];
  answer?: ApprovalDecision;
  sandbox?: CommandSandbox;
}

describe('a session in the sandbox', function () {
  this.timeout(60_000);
  let sandbox: CommandSandbox;
  let base: string;
  let workspace: string;
  let terminal: SandboxPlace['terminal'];

  withSandboxPlace(process.env, (place) => void ({ sandbox, base, workspace, terminal } = place));

  async function runs(input: BashInput, plan: Plan = {}) {
    const { settings = {}, rules = [], answer = no } = plan;
    const opened = await openSandbox(plan.sandbox ?? sandbox, { enabled: true, ...settings });
    const model = createScriptedModel([reply(toolUse('Bash', { ...input }, 'call')), reply('Done.')]);
    const harness = createHarness({
      model,
      tools: [createBashTool(sandboxLimits(opened)), taskStopTool],
      answer: () => answer,
      ports: { files: createNodeFileSystem(), terminal },
      session: {
        ...defined({ sandbox: opened }),
        environment: {
          cwd: workspace,
          folders: [workspace],
          platform: 'linux',
          shell: 'bash',
          osVersion: '',
          today: '2026-01-01',
        } as never,
        permission: () => ({
          rules: rules.map((text) => rule(`${text} @ ${workspace}`)),
          folders: [workspace],
          ownFolders: [],
          home: '/home/nobody',
          ignoreCase: false,
          trusted: true,
        }),
      },
    });
    await harness.run('Go');
    assert.deepEqual(model.violations, []);
    const result = JSON.stringify(model.requests[1]?.messages.at(-1)?.content);
    const bash = model.requests[0]?.tools?.find(({ name }) => name === 'Bash');
    return { harness, result, offered: JSON.stringify(bash) };
  }
  const card = (harness: Harness) => harness.chat().items.find((item) => item.kind === 'tool');
  const outside = () => path.join(base, 'outside');

  it('runs an unknown command unasked, as it was written, and says that it was sandboxed', async () => {
    const command = 'mkdir made; env | grep -c SANDBOX_RUNTIME';
    const { harness, offered } = await runs({ command });
    assert.deepEqual(harness.approvals, []);
    const shown = card(harness);
    assert.deepEqual([shown?.state, shown?.detail], ['done', 'sandboxed']);
    assert.ok(shown?.view?.kind === 'terminal');
    assert.deepEqual([shown.view.command, shown.view.sandboxed], [command, true]);
    assert.ok(existsSync(path.join(workspace, 'made')));
    assert.match(offered, /dangerouslyDisableSandbox/);
  });

  it('asks where the user wants to be asked, with a card that says where it will run', async () => {
    const { harness } = await runs({ command: 'mkdir never' }, { settings: { autoAllowBashIfSandboxed: false } });
    const [request] = harness.approvals;
    assert.equal(request?.title, 'Bash mkdir never');
    assert.ok(request?.view.kind === 'terminal' && request.view.sandboxed);
    assert.equal(existsSync(path.join(workspace, 'never')), false);
  });

  it('tells the model what was refused and how to go on', async () => {
    const { result } = await runs(
      { command: `mkdir '${outside()}'` },
      { settings: { autoAllowBashIfSandboxed: false }, answer: { behavior: 'allow' } },
    );
    assert.match(result, /Read-only file system/);
    assert.match(result, /The sandbox refused: [^"]*mkdir [^"]*outside/);
    assert.match(result, /run it again with dangerouslyDisableSandbox/);
    assert.equal(existsSync(outside()), false);
  });

  it('names the host that was refused', async () => {
    const { harness, result } = await runs({ command: 'curl -sS http://docs.example.test/' });
    assert.deepEqual(harness.approvals, []);
    assert.match(result, /The sandbox refused: [^"]*docs\.example\.test/);
  });

  it('always asks before a command leaves, and runs it outside then', async () => {
    const input: BashInput = { command: `mkdir '${outside()}'`, dangerouslyDisableSandbox: true };
    const rules = ['allow Bash'];
    const refused = await runs(input, { rules });
    assert.deepEqual(
      refused.harness.approvals.map(({ reason, suggestions }) => [reason, suggestions]),
      [['It would run outside the sandbox.', []]],
    );
    assert.equal(existsSync(outside()), false);
    const { harness } = await runs(input, { rules, answer: { behavior: 'allow' } });
    assert.ok(existsSync(outside()));
    rmSync(outside(), { recursive: true });
    const shown = card(harness);
    assert.ok(shown?.view?.kind === 'terminal' && shown.view.sandboxed === undefined);
  });

  it('does not offer to leave where the settings forbid it', async () => {
    const { harness, offered, result } = await runs(
      { command: `mkdir '${outside()}'`, dangerouslyDisableSandbox: true } as BashInput,
      {
        settings: { allowUnsandboxedCommands: false },
        rules: ['allow Bash'],
      },
    );
    assert.doesNotMatch(offered, /dangerouslyDisableSandbox/);
    assert.equal(existsSync(outside()), false);
    assert.deepEqual(harness.approvals, []);
    assert.doesNotMatch(result, /run it again with/);
  });

  it('runs an excluded command outside, by the ordinary rules', async () => {
    const { harness } = await runs(
      { command: `mkdir '${outside()}'` },
      { settings: { excludedCommands: ['mkdir'] }, answer: { behavior: 'allow' } },
    );
    assert.equal(harness.approvals.length, 1);
    assert.ok(existsSync(outside()));
    rmSync(outside(), { recursive: true });
  });

  it('holds deny rules inside commands that do not name the file', async () => {
    const { result } = await runs(
      { command: 'echo hidden >key.pem; env cat *.pem' },
      { rules: ['deny Read(key.pem)'], answer: { behavior: 'allow' } },
    );
    assert.doesNotMatch(result, /hidden/);
  });

  it('does not run what the sandbox cannot take', async () => {
    const broken: CommandSandbox = {
      available: async () => ({ ok: true }),
      wrap: async () => Promise.reject(new Error('The process of the sandbox has ended.')),
      close: async () => undefined,
    };
    const { result } = await runs({ command: 'mkdir unsafe' }, { sandbox: broken });
    assert.match(result, /was not run because the sandbox could not start it: The process of the sandbox has ended/);
    assert.equal(existsSync(path.join(workspace, 'unsafe')), false);
  });

  it('asks as without one where there is none, and says so once', async () => {
    const none: CommandSandbox = {
      available: async () => ({ ok: false, reason: 'No bubblewrap here.' }),
      wrap: () => assert.fail('wrapped'),
      close: async () => undefined,
    };
    const { harness, offered } = await runs(
      { command: 'mkdir asked' },
      { sandbox: none, answer: { behavior: 'allow' } },
    );
    assert.equal(harness.approvals.length, 1);
    assert.doesNotMatch(offered, /andbox/);
    const notices = harness.chat().items.filter((item) => item.kind === 'notice');
    assert.deepEqual(
      notices.map(({ level, title }) => [level, title]),
      [['warning', 'Commands run without a sandbox.']],
    );
    assert.match(notices[0]?.detail ?? '', /^No bubblewrap here\. Permission rules apply as usual\./);
    const shown = card(harness);
    assert.ok(shown?.view?.kind === 'terminal' && shown.view.sandboxed === undefined);
  });

  it('keeps a command in the background inside until it ends', async () => {
    const ended = new Promise<void>((resolve) => {
      const stop = terminal.onBackgroundEnd(() => {
        stop();
        resolve();
      });
    });
    const { harness } = await runs({
      command: `until [ -e go ]; do sleep 0.05; done; mkdir '${outside()}' || mkdir in-background`,
      run_in_background: true,
    });
    assert.equal(card(harness)?.detail, 'sandboxed, in the background');
    mkdirSync(path.join(workspace, 'go'));
    await ended;
    assert.deepEqual([existsSync(outside()), existsSync(path.join(workspace, 'in-background'))], [false, true]);
  });
});
