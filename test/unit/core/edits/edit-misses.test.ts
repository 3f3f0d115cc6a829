// Texts that models give and a file does not have, each with the lines it means: how many the answer names, and that none is said to be unlike all.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explainNotFound } from '../../../../src/core/edits/nearest-text';

interface Miss {
  kind: string;
  file: string;
  start: number;
  end: number;
  old_string: string;
}

const folder = path.resolve('test/fixtures/edit-misses');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const misses = JSON.parse(textOf('misses.json')) as Miss[];

/** The first range in the answer. */
function rangeIn(answer: string): [number, number] | undefined {
  const [, start, end] = /\b(?:at|line) lines? (\d+)(?:–(\d+))?|at line (\d+)/.exec(answer) ?? [];
  return start === undefined ? undefined : [Number(start), Number(end ?? start)];
}

describe('the corpus of misses', () => {
  it('gets the right range for at least 90 % of them, to the line or the one next to it, and always one', () => {
    const wrong: string[] = [];
    for (const { kind, file, start, end, old_string } of misses) {
      const text = textOf(`${file}.txt`);
      assert.ok(!text.includes(old_string), `${kind} in ${file} is no miss`);
      const answer = explainNotFound(text, old_string);
      assert.ok(answer !== undefined, `${kind} in ${file}, lines ${start}–${end}: nothing alike`);
      const range = rangeIn(answer);
      if (range === undefined || Math.abs(range[0] - start) > 1 || Math.abs(range[1] - end) > 1)
        wrong.push(`${kind} in ${file}: ${start}–${end}, ${answer}`);
    }
    const right = misses.length - wrong.length;
    console.log(`      ${right} of ${misses.length}`);
    assert.ok(misses.length >= 70 && right >= 0.9 * misses.length, wrong.join('\n'));
  });

  it('is answered without comparing each line of a large file: the work stays bounded', () => {
    const large = Array.from(
      { length: 10_000 },
      (_none, index) => `  const value${index} = compute(${index}, 'name');`,
    );
    const wanted = large.slice(7_000, 7_030).map((line, index) => (index % 10 === 5 ? `${line} // here` : line));
    wanted.splice(12, 0, '  // one line more');
    assert.deepEqual(rangeIn(explainNotFound(large.join('\n'), wanted.join('\n')) ?? ''), [7_001, 7_030]);
  });
});
