import assert from 'node:assert/strict';
import { slimOutput } from '../../../../src/core/sessions/slim-output';

describe('slimOutput', () => {
  it('leaves short outputs as they are', () => {
    const output = { filePath: '/a', lines: ['one', 'two'], nested: { hash: 'x', count: 3, none: null } };
    assert.deepEqual(slimOutput(output), output);
  });

  it('keeps head and tail of a long text, wherever it stands', () => {
    const text = `${'a'.repeat(30_000)}${'z'.repeat(30_000)}`;
    const slim = slimOutput({ file: { content: [text] } }) as { file: { content: string[] } };
    const [cut = ''] = slim.file.content;
    assert.ok(cut.length < 20_200);
    assert.ok(cut.startsWith('aaaa') && cut.endsWith('zzzz'));
    assert.match(cut, /\[40000 characters left out of the log\]/);
  });

  it('does not change what it was given', () => {
    const output = { stdout: 'x'.repeat(50_000) };
    slimOutput(output);
    assert.equal(output.stdout.length, 50_000);
  });
});
