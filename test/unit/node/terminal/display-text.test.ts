// What the Deft terminal shows: line ends and characters whole over any cut, not too much, one command after another.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandTitle, createDisplayText } from '../../../../src/vscode/terminal/display-text';
import { createDisplayTurns } from '../../../../src/vscode/terminal/display-turns';

const pieces = (bytes: Buffer, cuts: number[]) => {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
};

describe('the text of a terminal', () => {
  it('is the same however the output is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'ä', '漢', '🎉'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (output, cuts) => {
        const display = createDisplayText();
        const shown =
          pieces(Buffer.from(output), cuts)
            .map((piece) => display.push(piece))
            .join('') + display.end();
        assert.equal(shown, output.replace(/(?<!\r)\n/g, '\r\n'));
      }),
    );
  });

  it('ends at the limit and says what is left out', () => {
    const display = createDisplayText(10);
    assert.equal(display.push(Buffer.from('12345678')), '12345678');
    assert.equal(display.push(Buffer.from('90abcdef')), '90');
    assert.equal(display.push(Buffer.from('more')), '');
    assert.match(display.end(), /^\r\n\[\.\.\. 10 more characters; /);
  });

  it('shows half a character at the end as what it is', () => {
    const display = createDisplayText();
    assert.equal(display.push(Buffer.from([0xf0, 0x9f])), '');
    assert.equal(display.end(), '\ufffd');
  });

  it('names the command without acting on what is in it', () => {
    assert.equal(commandTitle('ls -la\n'), '\u001b[1m$ ls -la\u001b[0m');
    assert.equal(commandTitle('a\u001b]0;x\u0007\r\nb\tc'), '\u001b[1m$ a\\x1b]0;x\\x07\nb\tc\u001b[0m');
    assert.ok(commandTitle('x'.repeat(9000)).length < 2100);
  });
});

describe('the turns of a terminal', () => {
  it('come one after another, whatever is written when', () => {
    let shown = '';
    const open = createDisplayTurns((text) => (shown += text));
    const [first, second, third] = [open(), open(), open()];
    second.write('b1');
    first.write('a1');
    third.write('c1');
    third.end();
    assert.equal(shown, 'a1');
    first.write('a2');
    first.end();
    first.write('too late');
    assert.equal(shown, 'a1a2b1');
    second.end();
    assert.equal(shown, 'a1a2b1c1');
    open().write('d1');
    assert.equal(shown, 'a1a2b1c1d1');
  });
});
