// What the user runs in a terminal of theirs, as shell integration reports it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createShellExecutions, type ShellExecutions } from '../../src/vscode/terminal/shell-executions';
import { until } from './workspace-file';

describe("commands in the user's terminals", () => {
  let executions: ShellExecutions;
  let terminal: vscode.Terminal;

  before(async () => {
    executions = createShellExecutions();
    terminal = vscode.window.createTerminal({ name: 'mine', shellPath: '/bin/bash' });
    terminal.show(true);
    await until('shell integration is there', () => terminal.shellIntegration !== undefined);
  });
  after(() => {
    terminal.dispose();
    executions.dispose();
  });

  async function typed(line: string): Promise<void> {
    const before = executions.runs.length;
    terminal.sendText(line);
    await until(`${line} has ended`, () => executions.runs.length > before && executions.runs[0]?.running === false);
  }

  it('are kept with what they wrote and how they ended, newest first', async () => {
    // Not at once: what begins and ends within one message to the extension host is lost on the way.
    await typed('sleep 0.3; echo "price $((40 + 2))"; false');
    await typed('sleep 0.3; printf "one\\n\\033[31mtwo\\033[0m\\n"');
    const seen = executions.runs.map(({ command, exitCode, output }) => ({ command, exitCode, ...output() }));
    assert.deepEqual(seen, [
      { command: 'sleep 0.3; printf "one\\n\\033[31mtwo\\033[0m\\n"', exitCode: 0, text: 'one\ntwo', cut: false },
      { command: 'sleep 0.3; echo "price $((40 + 2))"; false', exitCode: 1, text: 'price 42', cut: false },
    ]);
  });

  it('keep the end of a long output', async () => {
    await typed('seq 1 60000');
    const { text, cut } = executions.runs[0]?.output() ?? assert.fail();
    assert.equal(cut, true);
    assert.ok(text.length <= 200_000 && text.endsWith('\n59999\n60000'), text.slice(-100));
  });

  it("are none of Deft's own", async () => {
    const before = executions.runs.length;
    terminal.sendText('true /tmp/deft-commands-abc/1');
    await typed('true');
    assert.equal(executions.runs.length, before + 1);
  });
});
