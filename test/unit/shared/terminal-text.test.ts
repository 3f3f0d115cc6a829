// What a command wrote as model and cards get it: what a terminal shows, but for files whose lines end in carriage returns.
import assert from 'node:assert/strict';
import { lastLines, terminalText } from '../../../src/shared/terminal-text';

describe('terminal text', () => {
  it('drops what a line held when it was erased', () => {
    assert.equal(terminalText('fetching a.tgz\u001b[2K\rdone\n'), 'done\n');
    assert.equal(terminalText('fetching a.tgz\u001b[1K\rdone\n'), 'done\n');
    assert.equal(terminalText('old\rab\u001b[K\rx\n'), 'xb\n');
  });

  it('drops escapes and controls', () => {
    assert.equal(terminalText('\u001b[32mok\u001b[0m\r\n\u001b]0;title\u0007next'), 'ok\nnext');
    assert.equal(terminalText('a\u0000b\tc'), 'ab\tc');
    assert.equal(terminalText('an end that is cut off \u001b[3'), 'an end that is cut off [3');
  });

  const bars: [name: string, raw: string, shown: string][] = [
    ['that grows', '10%\r50%\r100%\ndone', '100%\ndone'],
    ['that is all there is', '10%\r50%\r100%\n', '100%'],
    [
      'that counts down, a character shorter now and then',
      Array.from({ length: 120 }, (_, index) => `${120 - index} left`).join('\r'),
      '1 lefttt',
    ],
    ['that spaces wipe away', 'Reading the list\r                \rdone\n', 'done'],
    ['that is as wide all the time', '|\r/\r-\r\\\r', '\\'],
    ['that erases its line', 'Downloading\r\u001b[Kok', 'ok'],
    ['after other lines', 'Start\nDownloading\rok', 'Start\nokwnloading'],
  ];
  for (const [name, raw, shown] of bars)
    it(`shows the last state of a bar ${name}`, () => assert.equal(terminalText(raw).trimEnd(), shown));

  it('keeps each line where carriage returns are the only line ends, and lines show through others', () => {
    assert.equal(terminalText('# Title\r\rOne line of text.\rEnd\r'), '# Title\n\nOne line of text.\nEnd\n');
    assert.equal(terminalText('a longer line\rb\n'), 'a longer line\nb\n');
  });

  it('is quick with a million carriage returns, blanks or halves of escapes', () => {
    const million = 1_000_000;
    assert.equal(terminalText(`${'\r'.repeat(million)}x\r`), 'x');
    assert.equal(terminalText(`${'1%\r'.repeat(million)}ok`), 'ok');
    assert.equal(terminalText('\u001b]'.repeat(million)).length, million);
    assert.equal(lastLines(`${' '.repeat(million)}x`, 1).length, million + 1);
  });
});

describe('the last lines', () => {
  it('are without empty ones around', () => {
    assert.equal(lastLines('a\nb\nc\n\n', 2), 'b\nc');
    assert.equal(lastLines('a\n\nb', 2), 'b');
    assert.equal(lastLines('', 8), '');
  });
});
