// What is sent to the model when the sandbox blocked a command: facts first, likely causes second, nothing where nothing points to it.
import assert from 'node:assert/strict';
import { type CommandResult } from '../../../../../src/core/ports/terminal';
import { refusalNotes } from '../../../../../src/core/tools/bash/bash-sandbox';

const result = (output: string, code = 1): Pick<CommandResult, 'end' | 'output'> => ({
  end: { state: 'exited', code },
  output,
});

describe('refusalNotes', () => {
  const likely: string[] = [
    "touch: cannot touch '/etc/x': Read-only file system",
    "Error: EROFS: read-only file system, open '/home/u/.cache/x'",
    'curl: (6) Could not resolve host: docs.test',
    'npm error code EAI_AGAIN',
    'fatal: CONNECT tunnel failed, response 403',
    'ping: socket: Operation not permitted',
    'sh: /opt/x: Permission denied',
  ];
  for (const line of likely) {
    it(`takes for a likely cause: ${line}`, () => {
      const [note = ''] = refusalNotes(result(`before\n${line}\nafter\n`), [], true);
      assert.ok(
        note.startsWith(
          `The sandbox may have caused: ${line}. In the sandbox, commands can write only in the workspace`,
        ),
        note,
      );
    });
  }

  it('says nothing of other failures, and nothing of a command that went well', () => {
    assert.deepEqual(refusalNotes(result('1 test failed\n'), [], true), []);
    assert.deepEqual(refusalNotes(result('Permission denied\n', 0), [], true), []);
  });

  it('puts what is known before what is likely, the last of much', () => {
    const [note = ''] = refusalNotes(result('EPERM\n'), ['a', 'b', 'c', 'd', 'e', 'f'], true);
    assert.match(note, /^The sandbox refused: b; c; d; e; f\. In the sandbox/);
    assert.doesNotMatch(note, /may have caused/);
  });

  it('cuts a long line', () => {
    const [note = ''] = refusalNotes(result(`${'x'.repeat(5_000)} EPERM`), [], true);
    assert.ok(note.length < 700);
  });

  it('names a way out only where there is one', () => {
    assert.match(refusalNotes(result('EPERM'), [], true).join(), /dangerouslyDisableSandbox/);
    assert.doesNotMatch(refusalNotes(result('EPERM'), [], false).join(), /dangerouslyDisableSandbox/);
  });
});
