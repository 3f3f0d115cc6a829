import assert from 'node:assert/strict';
import { findCells, type KnownCell } from '../../../src/vscode/review/find-cells';

const cell = (text: string, id?: string): KnownCell => ({ id, text });

describe('cells that waited when their notebook closed', () => {
  const cases: [string, (KnownCell & { index: number })[], KnownCell[], (number | undefined)[]][] = [
    [
      'are found by their id, wherever they are and whatever they say',
      [{ ...cell('x', 'a'), index: 0 }],
      [cell('x', 'b'), cell('y', 'a')],
      [1],
    ],
    ['are not another cell that says the same', [{ ...cell('x', 'a'), index: 0 }], [cell('x', 'b')], [undefined]],
    ['are found by their text where nothing has ids', [{ ...cell('x'), index: 0 }], [cell('new'), cell('x')], [1]],
    [
      'are the nearest of those that say the same',
      [{ ...cell('x'), index: 2 }],
      [cell('x'), cell('y'), cell('z'), cell('x')],
      [3],
    ],
    [
      'are each another cell',
      [
        { ...cell('x'), index: 0 },
        { ...cell('x'), index: 1 },
      ],
      [cell('x'), cell('x')],
      [0, 1],
    ],
    [
      'leave those with an id to the one that has it',
      [
        { ...cell('x'), index: 0 },
        { ...cell('x', 'a'), index: 1 },
      ],
      [cell('x', 'a'), cell('x')],
      [1, 0],
    ],
    ['are found by their text once a save gave them ids', [{ ...cell('x'), index: 0 }], [cell('x', 'new')], [0]],
    [
      'are lost where an id stands twice and the text is another',
      [{ ...cell('x', 'a'), index: 0 }],
      [cell('y', 'a'), cell('z', 'a')],
      [undefined],
    ],
    ['are lost where nothing says the same', [{ ...cell('x'), index: 0 }], [cell('y')], [undefined]],
  ];
  for (const [title, sought, present, places] of cases)
    it(title, () => assert.deepEqual(findCells(sought, present), places));
});
