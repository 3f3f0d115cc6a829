// Every command that package.json contributes, without a chat that it could mean: none throws, and none waits for what never comes.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { closeAll } from './workspace-file';

/** Not run here, and why. */
const left: Readonly<Record<string, string>> = {
  'deft.startDemo': 'opens another window',
  // Their buttons are in threads and peeks, which pass what they mean.
  'deft.addPlanComment': 'is pressed in a thread of comments',
  'deft.removePlanComment': 'is pressed in a thread of comments',
  'deft.writeComment': 'is pressed in a thread of comments',
  'deft.writeAndSendComments': 'is pressed in a thread of comments',
  'deft.removeComment': 'is pressed in a thread of comments',
  'deft.fixFinding': 'is pressed in a thread of comments',
  'deft.dismissFinding': 'is pressed in a thread of comments',
  'deft.askInline': 'is pressed in a thread of comments',
  'deft.retryInline': 'is pressed in a thread of comments',
  'deft.discardInline': 'is pressed in a thread of comments',
};

const closeMs = 100;
const stuckMs = 20_000;

describe('the commands of the palette', () => {
  after(closeAll);

  const commands = (): string[] => {
    const manifest = vscode.extensions.getExtension('deft-agent.deft')?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    return manifest.contributes.commands.map(({ command }) => command);
  };

  /** What asks is closed unanswered, as by a user who thinks better of it. */
  async function run(command: string): Promise<string> {
    let over = false;
    const done = Promise.resolve(vscode.commands.executeCommand(command)).then(
      () => 'done',
      (error: unknown) => `throws ${String(error)}`,
    );
    void done.finally(() => (over = true));
    for (let waited = 0; !over && waited < stuckMs; waited += closeMs) {
      await Promise.race([done, sleep(closeMs)]);
      if (!over) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    }
    return over ? done : 'waits for ever';
  }

  it('neither throw nor hang where no chat is open', async function () {
    this.timeout(180_000);
    await vscode.extensions.getExtension('deft-agent.deft')?.activate();
    const all = commands();
    assert.deepEqual(
      Object.keys(left).filter((command) => !all.includes(command)),
      [],
    );
    const failed: string[] = [];
    for (const command of all) {
      if (left[command] !== undefined) continue;
      // A chat that one of them opened in a tab is not there for the next.
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('workbench.view.explorer');
      const outcome = await run(command);
      if (outcome !== 'done') failed.push(`${command} ${outcome}`);
    }
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.deepEqual(failed, []);
  });

  /** Those of the user, by their keys. */
  const settings = (): Record<string, unknown> =>
    Object.fromEntries(
      Object.keys(vscode.workspace.getConfiguration('deft'))
        .map((key) => [key, vscode.workspace.getConfiguration('deft').inspect(key)?.globalValue] as const)
        .filter(([, value]) => value !== undefined),
    );
  let before: Record<string, unknown> = {};
  beforeEach(() => (before = settings()));
  // What commands have set or opened is none of the next suite's business.
  afterEach(async () => {
    const now = settings();
    for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
      if (JSON.stringify(now[key]) !== JSON.stringify(before[key]))
        await vscode.workspace.getConfiguration('deft').update(key, before[key], vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A log that is shown there counts as an editor in sight.
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
});
