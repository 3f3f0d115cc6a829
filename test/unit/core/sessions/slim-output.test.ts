import assert from 'node:assert/strict';
import { slimOutput } from '../../../../src/core/sessions/slim-output';

describe('slimOutput', () => {
  it('keeps pictures whole, and no other long text in their place', () => {
    const data = 'a'.repeat(100_000);
    const output = { picture: { data, mediaType: 'image/jpeg', width: 1, height: 1 } };
    assert.deepEqual(slimOutput(output), output);
    const other = slimOutput({ data, mediaType: 'text/plain' }) as { data: string };
    assert.ok(other.data.length < 21_000);
  });

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
