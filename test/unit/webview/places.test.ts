// Places in a report: each is a link where it stands by itself, and the text stays whole.
import assert from 'node:assert/strict';
import { splitAtPlaces } from '../../../webview-ui/tools/places';

const place = (shown: string) => ({ shown, path: `/w/${shown.split(':')[0]}`, line: Number(shown.split(':')[1]) });

describe('the places of a report', () => {
  const cases: readonly [text: string, places: readonly string[], links: readonly string[]][] = [
    ['Stopped at src/a.js:4 in total (breakpoint).', ['src/a.js:4'], ['src/a.js:4']],
    ['Called from a.js:1, a.js:12 in main.', ['a.js:1', 'a.js:12'], ['a.js:1', 'a.js:12']],
    ['a.js:12 and lib/a.js:1 are others', ['a.js:1'], []],
    ['a+b (1).js:2 error bad', ['a+b (1).js:2'], ['a+b (1).js:2']],
    ['twice: a.js:1 a.js:1', ['a.js:1'], ['a.js:1', 'a.js:1']],
    ['0: a.js:1', ['a.js:1'], ['a.js:1']],
    ['nothing here', [], []],
    ['', ['a.js:1'], []],
  ];
  for (const [text, places, links] of cases) {
    it(text === '' ? 'an empty line' : text, () => {
      const parts = splitAtPlaces(text, places.map(place));
      assert.equal(parts.map((part) => part.text).join(''), text);
      assert.deepEqual(
        parts.flatMap((part) => (part.place === undefined ? [] : [part.place.shown])),
        links,
      );
    });
  }
});
