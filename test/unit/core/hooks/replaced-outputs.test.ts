// Several hooks that replace one output: what each has taken out stays out.
import assert from 'node:assert/strict';
import { joinReplacements } from '../../../../src/core/hooks/replaced-outputs';

const shown = { stdout: 'customer 4711 SECRET\nkey KEY\n', stderr: '', list: ['a', 'b'], interrupted: false };

describe('several replaced outputs', () => {
  const rows: [string, unknown[], unknown][] = [
    ['none', [], undefined],
    ['one that is the same', [{ ...shown }], undefined],
    ['one', [{ ...shown, stdout: 'x' }], { value: { ...shown, stdout: 'x' } }],
    ['a later one that is the same', [{ ...shown, stdout: 'x' }, { ...shown }], { value: { ...shown, stdout: 'x' } }],
    [
      'different fields',
      [
        { ...shown, stdout: 'x' },
        { ...shown, stderr: 'y' },
      ],
      { value: { ...shown, stdout: 'x', stderr: 'y' } },
    ],
    [
      'different lines of a text',
      [
        { ...shown, stdout: 'customer 4711 [gone]\nkey KEY\n' },
        { ...shown, stdout: 'customer 4711 SECRET\nkey [key]\n' },
      ],
      { value: { ...shown, stdout: 'customer 4711 [gone]\nkey [key]\n' } },
    ],
    [
      'different words of a line',
      [
        { ...shown, stdout: 'customer 4711 [gone]\nkey KEY\n' },
        { ...shown, stdout: 'customer [id] SECRET\nkey KEY\n' },
      ],
      { value: { ...shown, stdout: 'customer [id] [gone]\nkey KEY\n' } },
    ],
    [
      'different items of a list',
      [
        { ...shown, list: ['x', 'b'] },
        { ...shown, list: ['a', 'y'] },
      ],
      { value: { ...shown, list: ['x', 'y'] } },
    ],
    [
      'a field that one leaves out and the other changes',
      [
        { stdout: 'x', list: [], interrupted: false },
        { ...shown, stderr: 'y' },
      ],
      { value: { stdout: 'x', stderr: 'y', list: [], interrupted: false } },
    ],
    [
      'the same word in two ways',
      [
        { ...shown, stdout: 'customer 4711 [one]\nkey KEY\n' },
        { ...shown, stdout: 'customer 4711 [two]\nkey KEY\n' },
      ],
      { conflict: '`stdout`' },
    ],
    [
      'other numbers of lines',
      [
        { ...shown, stdout: 'key KEY\n' },
        { ...shown, stdout: 'customer 4711 [gone]\nkey KEY\n' },
      ],
      { conflict: '`stdout`' },
    ],
    ['other kinds of values', [7, { ...shown, stdout: 'x' }], { conflict: 'the whole output' }],
  ];
  for (const [name, given, expected] of rows)
    it(name, () => {
      assert.deepEqual(joinReplacements(shown, given), expected);
      // Which hook comes first does not matter.
      assert.deepEqual(joinReplacements(shown, given.toReversed()), expected);
    });
});
