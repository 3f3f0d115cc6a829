// How each end of a command reads to the model.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type CommandEnd } from '../../../../../src/core/ports/command-end';
import { type CommandResult } from '../../../../../src/core/ports/terminal';
import { meaningOfOne } from '../../../../../src/core/tools/bash/bash-command';
import { bashOutput, bashOutputSchema } from '../../../../../src/core/tools/bash/bash-output';
import { bashResultBlock } from '../../../../../src/core/tools/bash/bash-result';

const ABORTED = '<error>Command was aborted before completion</error>';

const result = (end: CommandEnd, output = '', more: Partial<CommandResult> = {}): CommandResult => ({
  end,
  output,
  omittedBytes: 0,
  totalBytes: output.length,
  incomplete: false,
  outputPath: '/tmp/d/1.out',
  cwd: '/w',
  durationMs: 5,
  survivors: [],
  notes: [],
  ...more,
});

function read(end: CommandEnd, output = '', more: Partial<CommandResult> = {}, command = 'run it') {
  const data = bashOutput(1500, result(end, output, more), [], (code) =>
    code === 1 ? meaningOfOne(command) : undefined,
  );
  assert.deepEqual(bashOutputSchema.parse(data), data);
  const block = bashResultBlock(data, 'toolu_1');
  assert.equal(block.tool_use_id, 'toolu_1');
  return { text: block.content, error: block.is_error };
}

describe('what the model reads of a command', () => {
  const exited = (code: number): CommandEnd => ({ state: 'exited', code });

  it('that succeeded: its output, without blank lines before and white space after', () => {
    assert.deepEqual(read(exited(0), '\n  \n  one\n\ntwo  \n\n'), { text: '  one\n\ntwo', error: undefined });
    assert.deepEqual(read(exited(0)), { text: '(no output)', error: undefined });
  });

  it('that failed: the exit code first', () => {
    assert.deepEqual(read(exited(2), 'out\n'), { text: 'Exit code 2\nout', error: true });
    assert.deepEqual(read(exited(1)), { text: 'Exit code 1', error: true });
  });

  it('whose exit code 1 is an answer', () => {
    assert.deepEqual(read(exited(1), '', {}, 'grep a b'), { text: 'Exit code 1: nothing matched.', error: undefined });
    assert.deepEqual(read(exited(2), '', {}, 'grep a b'), { text: 'Exit code 2', error: true });
  });

  it('that a signal ended', () => {
    const end: CommandEnd = { state: 'signalled', signal: 'SIGSEGV', code: 139 };
    assert.deepEqual(read(end, 'x'), { text: 'Exit code 139\nx\nThe command was killed by SIGSEGV.', error: true });
  });

  it('that runs in the background', () => {
    const line = 'Command running in background with ID: bash_1. Output is being written to: /tmp/d/1.out';
    const end = (reason: 'asked' | 'timeout' | 'user'): CommandEnd => ({
      state: 'background',
      taskId: 'bash_1',
      reason,
    });
    assert.deepEqual(read(end('asked')), { text: line, error: undefined });
    assert.deepEqual(read(end('timeout'), 'so far\n'), {
      text: `so far\nThe command did not finish within 1.5 s and continues in the background.\n${line}`,
      error: undefined,
    });
    const byUser =
      'Command was manually backgrounded by user with ID: bash_1. Output is being written to: /tmp/d/1.out';
    assert.deepEqual(read(end('user')), { text: byUser, error: undefined });
  });

  it('that was aborted', () => {
    assert.deepEqual(read({ state: 'killed', by: 'abort' }, 'half\n'), { text: `half\n${ABORTED}`, error: true });
    assert.deepEqual(read({ state: 'interrupted', code: 130 }, 'half'), {
      text: `Exit code 130\nhalf\nThe user interrupted the command with Ctrl+C.\n${ABORTED}`,
      error: true,
    });
  });

  const ends: [CommandEnd, RegExp][] = [
    [{ state: 'killed', by: 'timeout' }, /^The command did not finish within 1\.5 s and was killed\./],
    [{ state: 'killed', by: 'limit' }, /printed too much/],
    [{ state: 'killed', by: 'user' }, /^The user stopped the command\.$/],
    [{ state: 'suspended' }, /^The command was suspended before it finished\.$/],
    [{ state: 'closed' }, /^The user closed the terminal before the command finished\.$/],
    [{ state: 'closed', code: 143 }, /^Exit code 143\nThe user closed/],
    [{ state: 'not-started', message: 'No bash.' }, /^The command was not started: No bash\.$/],
    [{ state: 'lost', message: 'Its exit code is unknown.' }, /^Its exit code is unknown\.$/],
  ];
  for (const [end, expected] of ends) {
    it(`that ended as ${JSON.stringify(end)}: never a success`, () => {
      const { text, error } = read(end);
      assert.equal(error, true);
      assert.match(String(text), expected);
    });
  }

  it('whose output is incomplete, that left processes, that has notes', () => {
    const more = { incomplete: true, survivors: [{ pid: 7, command: 'sleep 9' }], notes: ['A note.'] };
    const expected =
      'x\nThe output may be incomplete: its end was not captured.\nStill running in the background: 7 (sleep 9).\nA note.';
    assert.deepEqual(read(exited(0), 'x', more), { text: expected, error: undefined });
  });

  it('that printed an image: that, and the notes behind it', () => {
    const png = readFileSync('media/icon.png').toString('base64');
    const lines = png.replace(/(.{76})/g, '$1\n');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
    assert.deepEqual(read(exited(0), `data:image/png;base64,${lines}\n`).text, [image]);
    const more = { survivors: [{ pid: 7, command: 'sleep 9' }] };
    assert.deepEqual(read(exited(0), `data:image/gif;base64,${png}`, more).text, [
      image,
      { type: 'text', text: 'Still running in the background: 7 (sleep 9).' },
    ]);
    assert.match(
      String(read({ state: 'background', taskId: 'bash_1', reason: 'timeout' }, `data:image/png;base64,${png}`).text),
      /^data:image[^]*\nCommand running in background with ID: bash_1/,
    );
    for (const text of [
      'data:image/png;base64,iVBO and more',
      'data:image/png;base64,iVBORw0KGgo=',
      `data:image/png;base64,${png.slice(0, -40)}`,
      'data:image/png;base64,A',
    ])
      assert.equal(read(exited(0), text).text, text);
  });

  it('that failed with an image: text', () => {
    const png = readFileSync('media/icon.png').toString('base64');
    const { text, error } = read(exited(2), `data:image/png;base64,${png}`);
    assert.equal(error, true);
    assert.match(String(text), /^Exit code 2\ndata:image/);
    // As a log of an earlier version has it.
    const data = {
      ...bashOutput(1, result(exited(2), `data:image/png;base64,${png}`), [], () => undefined),
      isImage: true,
    };
    assert.equal(typeof bashResultBlock(data, 'toolu_1').content, 'string');
  });

  it('that printed more than is kept: where all of it is', () => {
    const { text } = read(exited(0), 'head\n[... gap ...]\ntail', { omittedBytes: 3_000_000, totalBytes: 5_097_152 });
    assert.match(
      String(text),
      /tail\nThis result has only the beginning and the end of 4\.9MB of output; all of it is in \/tmp\/d\/1\.out\.$/,
    );
  });

  const shown: [name: string, output: string, text: string][] = [
    ['a progress bar: its last state', 'Get\n\r 1%\r 50%\r100%\nDone\n', 'Get\n100%\nDone'],
    ['what stays of a longer line', 'Downloading\rok\n.', 'okwnloading\n.'],
    ['nothing of an erased line', 'Downloading\r\u001b[Kok\n.\u001b[2K\rb\n', 'ok\nb'],
    [
      'no colours, titles or links',
      '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\ \u001b(Bx\u001b[?25l',
      'red link x',
    ],
    ['every line end as one', 'a\r\nb\r\n', 'a\nb'],
    ['no controls', 'a\u0000b\u0007\tc\u0008', 'ab\tc'],
    [
      'the lines of a file whose line ends are carriage returns',
      'name,size\ra,1\r\rlong name,2\r',
      'name,size\na,1\n\nlong name,2',
    ],
    ['whole characters', 'x😀😀\rab\n.', 'ab😀\n.'],
  ];
  for (const [name, output, text] of shown) {
    it(`as a terminal shows it: ${name}`, () => assert.equal(read(exited(0), output).text, text));
  }

  it('with a million carriage returns, at once', () => {
    assert.equal(read(exited(0), `${'x'.repeat(500_000)}${'\r1%'.repeat(300_000)}\u001b[K`).text, '1%');
    assert.equal(read(exited(0), `${'\r'.repeat(1_000_000)}1%\r\r\nend`).text, '1%\nend');
  });

  it('that failed with long output: its head and tail', () => {
    const { text } = read(exited(1), `start ${'x'.repeat(50_000)} end`);
    assert.match(
      String(text),
      /^Exit code 1\nstart x+\n\n\.\.\. \[38010 characters left out here; all 49KB of it are in \/tmp\/d\/1\.out: use Read or Grep\] \.\.\.\n\nx+ end$/,
    );
    assert.match(String(read(exited(0), 'y'.repeat(50_000)).text), /^y{4000}\n\n[^y]+\n\ny{8000}$/, 'a success, too');
  });
});
