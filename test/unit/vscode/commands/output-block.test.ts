// A command's output as text for the composer.
import assert from 'node:assert/strict';
import { outputBlock } from '../../../../src/vscode/commands/output-block';

const output = { command: 'npm test\n', text: 'one\ntwo', none: 'no output', cut: false, ending: 'exit code 1' };

describe('a block of output', () => {
  it('names the command and how it ended', () => {
    assert.equal(outputBlock(output), '\nTerminal output, exit code 1:\n```\n$ npm test\none\ntwo\n```\n');
  });

  it('says that there was none', () =>
    assert.match(outputBlock({ ...output, text: '' }), /\$ npm test\n\[no output\]\n```/));

  it('keeps the end of a long one and says that the beginning is missing', () => {
    const long = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n');
    const block = outputBlock({ ...output, text: long });
    assert.match(block, /\$ npm test\n\[the beginning of the output is omitted\]\nline 700\n/);
    assert.match(block, /\nline 999\n```\n$/);
    assert.ok(outputBlock({ ...output, text: 'x'.repeat(100_000) }).length < 17_000);
    assert.match(outputBlock({ ...output, cut: true }), /omitted/);
  });

  it('is fenced by more backquotes than it holds', () => {
    const block = outputBlock({ ...output, text: 'a ```` b' });
    assert.match(block, /^\nTerminal output, exit code 1:\n`{5}\n/);
    assert.match(block, /\n`{5}\n$/);
  });
});
