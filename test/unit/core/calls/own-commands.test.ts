// A session's tools see only the background commands that its own calls have started.
import assert from 'node:assert/strict';
import { ownCommands } from '../../../../src/core/calls/own-commands';
import { type BackgroundCommand, type Terminal } from '../../../../src/core/ports/terminal';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { unusedPorts } from '../../../support/unused-ports';

describe('own commands', () => {
  it('are read and ended; those of another session are not there', async () => {
    const stopped: string[] = [];
    const commands = ['mine', 'theirs'].map((name): BackgroundCommand => ({
      taskId: `bash_${name}`,
      toolUseId: name,
      command: name,
      outputPath: `/o/${name}`,
      startedAt: 0,
    }));
    const terminal: Partial<Terminal> = {
      background: () => commands,
      output: async (taskId) => ({ tail: taskId, totalBytes: 1 }),
      stop: async (taskId) => stopped.push(taskId) > 0,
    };
    const records = [
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'mine', name: 'Bash', input: {} }] } },
    ] as unknown as SessionRecord[];
    const own = ownCommands(unusedPorts({ terminal }).terminal, records);
    assert.deepEqual(
      own.background().map(({ taskId }) => taskId),
      ['bash_mine'],
    );
    assert.deepEqual(await own.output('bash_mine', 10), { tail: 'bash_mine', totalBytes: 1 });
    assert.equal(await own.output('bash_theirs', 10), undefined);
    assert.equal(await own.stop('bash_theirs', 'agent'), false);
    assert.equal(await own.stop('bash_mine', 'agent'), true);
    assert.deepEqual(stopped, ['bash_mine']);
  });

  it('are found without reading the log again for each of them', () => {
    let reads = 0;
    const call = (id: string) => ({
      get type() {
        reads++;
        return 'assistant';
      },
      message: { content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
    });
    const records = Array.from({ length: 1_000 }, (_, index) => call(`call ${index}`)) as unknown as SessionRecord[];
    const command = (toolUseId: string): BackgroundCommand => ({
      taskId: toolUseId,
      toolUseId,
      command: '',
      outputPath: '',
      startedAt: 0,
    });
    const commands = [command('call 999'), command('call 0'), command('later'), command('nobody')];
    const own = ownCommands(unusedPorts({ terminal: { background: () => commands } }).terminal, records);
    const shown = () => own.background().map(({ taskId }) => taskId);
    assert.deepEqual(shown(), ['call 999', 'call 0']);
    records.push(call('later') as unknown as SessionRecord);
    assert.deepEqual(shown(), ['call 999', 'call 0', 'later']);
    // Once each, and those that are found once more.
    assert.ok(reads <= 1_001 + 5, `${reads} reads`);
  });
});
