// PowerShell beyond its table: what it asks of the terminal, and when it is offered.
import assert from 'node:assert/strict';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import { bashTool } from '../../../../../src/core/tools/bash/bash';
import { type CommandEnd } from '../../../../../src/core/ports/command-end';
import { type CommandRequest, type Shell, type Terminal } from '../../../../../src/core/ports/terminal';
import { createPowerShellTool, powerShellTool, powerShellWords } from '../../../../../src/core/tools/bash/power-shell';
import { createReadState } from '../../../../../src/core/sessions/read-state';
import { isFailure, type ToolContext } from '../../../../../src/core/tool/tool';
import { createMemoryFiles } from '../../../../support/memory-files';
import { unusedPorts } from '../../../../support/unused-ports';

describe('PowerShell', () => {
  async function run(command: string, end: CommandEnd, tool = powerShellTool) {
    const requests: CommandRequest[] = [];
    const terminal: Partial<Terminal> = {
      run: async (request) => {
        requests.push(request);
        return {
          end,
          output: 'out\n',
          omittedBytes: 0,
          totalBytes: 4,
          incomplete: false,
          outputPath: '/o',
          cwd: '/w',
          durationMs: 1,
          survivors: [],
          notes: [],
        };
      },
    };
    const session = {
      id: 's',
      cwd: '/w',
      folders: ['/w'],
      home: '/h',
      resultsDirectory: '/r',
      readState: createReadState(),
      isHidden: () => false,
    };
    const context = {
      toolUseId: 't',
      signal: new AbortController().signal,
      session,
      ports: unusedPorts({ terminal, files: createMemoryFiles({ '/w/a.txt': 'one' }) }),
      onProgress: () => undefined,
    } as unknown as ToolContext;
    const done = await tool.call({ command }, context);
    assert.ok(!isFailure(done));
    return requests[0];
  }

  it('asks the terminal for PowerShell', async () => {
    const request = await run('npm test', { state: 'exited', code: 0 }, createPowerShellTool({ defaultTimeoutMs: 5 }));
    assert.deepEqual(request, {
      id: 't',
      command: 'npm test',
      shell: 'powershell',
      cwd: '/w',
      timeoutMs: 5,
      shownCharacters: 30_000,
      background: false,
      onTimeout: 'background',
    });
  });

  it('lets only plain lines run on after a timeout', () => {
    const table: [string, string][] = [
      ['npm test', 'background'],
      ['git fetch', 'kill'],
      ['sleep 5', 'kill'],
      ['npm test; Start-Sleep 5', 'kill'],
      ['npm $x', 'kill'],
    ];
    for (const [command, expected] of table) assert.equal(powerShellWords.onTimeoutOf(command), expected, command);
  });

  it('is offered where there is no bash, or where it is named', () => {
    const table: [platform: string, shells: Shell[] | undefined, named: boolean, powerShell: boolean, bash: boolean][] =
      [
        ['win32', ['powershell'], false, true, false],
        ['win32', ['bash', 'powershell'], false, false, true],
        ['win32', ['bash', 'powershell'], true, true, true],
        ['win32', [], true, false, false],
        ['linux', ['bash'], true, false, true],
        ['linux', ['bash', 'powershell'], false, false, true],
        ['linux', ['bash', 'powershell'], true, true, true],
        ['darwin', undefined, true, false, true],
      ];
    for (const [platform, shells, named, powerShell, bash] of table) {
      const terminal = (shells === undefined ? {} : { shells: () => shells }) as Terminal;
      const availability = availabilityOf({ terminal }, { interactive: true, platform, names: () => named });
      assert.deepEqual(
        [powerShellTool.isEnabled(availability), bashTool.isEnabled(availability)],
        [powerShell, bash],
        `${platform} ${String(shells)} ${named}`,
      );
    }
  });

  it('runs beside others only where it looks', () => {
    assert.equal(powerShellTool.isConcurrencySafe({ command: 'Get-ChildItem' }), true);
    assert.equal(powerShellTool.isConcurrencySafe({ command: 'Get-ChildItem', run_in_background: true }), false);
    assert.equal(powerShellTool.isConcurrencySafe({ command: 'rm x' }), false);
  });
});
