// Texts of an object that is read while it is written: the same as when it is whole, however it is cut, and nothing of what is no JSON.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GrowingJson, type GrowingPiece } from '../../../../src/core/model/growing-json';

const fields = ['file_path', 'old_string', 'new_string'];

function read(
  pieces: readonly string[],
  wanted: readonly string[] = fields,
): { texts: Record<string, string>; whole: string[]; given: GrowingPiece[] } {
  const reader = new GrowingJson(new Set(wanted));
  const given = pieces.flatMap((piece) => reader.accept(piece));
  const texts: Record<string, string> = {};
  for (const { field, text } of given) texts[field] = (texts[field] ?? '') + text;
  return { texts, whole: given.flatMap(({ field, whole }) => (whole ? [field] : [])), given };
}

const cut = (json: string, cuts: readonly number[]): string[] => {
  const points = [0, ...cuts.map((at) => at % (json.length + 1)).sort((a, b) => a - b), json.length];
  return points.slice(1).map((end, index) => json.slice(points[index], end));
};

describe('a growing object', () => {
  it('gives the texts that the whole object has, however it is cut and spaced', () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant('a\\\n"é👋'));
    const other = fc.dictionary(
      fc.string().filter((name) => !fields.includes(name)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.record({
          texts: fc.record({ file_path: value, old_string: value, new_string: value }, { requiredKeys: [] }),
          before: other,
          behind: other,
          cuts: fc.array(fc.nat({ max: 400 })),
          space: fc.constantFrom(undefined, 1, '\t'),
          escaped: fc.boolean(),
        }),
        ({ texts, before, behind, cuts, space, escaped }) => {
          const plain = JSON.stringify({ ...before, ...texts, ...behind }, undefined, space);
          // As another writer may spell it.
          const json = escaped
            ? plain.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
            : plain;
          const found = read(cut(json, cuts));
          const expected = Object.fromEntries(
            Object.entries(JSON.parse(json) as Record<string, unknown>).filter(([name]) => fields.includes(name)),
          );
          assert.deepEqual(found.texts, expected);
          assert.deepEqual([...found.whole].sort(), Object.keys(expected).sort());
        },
      ),
    );
  });

  it('gives each text as far as it has come', () => {
    const reader = new GrowingJson(new Set(fields));
    assert.deepEqual(reader.accept('{"file_path":"/w/a'), [{ field: 'file_path', text: '/w/a', whole: false }]);
    assert.deepEqual(reader.accept('.ts","old_string":"one\\'), [
      { field: 'file_path', text: '.ts', whole: true },
      { field: 'old_string', text: 'one', whole: false },
    ]);
    assert.deepEqual(reader.accept('ntwo'), [{ field: 'old_string', text: '\ntwo', whole: false }]);
    assert.deepEqual(reader.accept('\\ud83d'), []);
    assert.deepEqual(reader.accept('\\udc4b"'), [{ field: 'old_string', text: '👋', whole: true }]);
    assert.deepEqual(reader.accept(',"replace_all":tr'), []);
    assert.deepEqual(reader.accept('ue}'), []);
  });

  for (const json of [
    '',
    '[]',
    '"text"',
    '{',
    '{"file_path"',
    '{"file_path":',
    '{file_path:"a"}',
    "{'file_path':'a'}",
    '{"file_path" "a"}',
    'null',
    '{"other":{"file_path":"deep"}}',
    '{"other":["]","}",{"file_path":"deep"}]}',
  ]) {
    it(`gives nothing of ${json === '' ? 'nothing' : json}`, () => assert.deepEqual(read([...json]).given, []));
  }

  it('stops where it is no JSON any more, and keeps what came before', () => {
    assert.deepEqual(read(['{"file_path":"a","old_string":"b\\q', 'c","new_string":"d"}']).texts, {
      file_path: 'a',
      old_string: 'b',
    });
    assert.deepEqual(read(['{"file_path":"a\\u12', 'zz"}']).texts, { file_path: 'a' });
    assert.deepEqual(read(['{"file_path":"a"; "old_string":"b"}']).texts, { file_path: 'a' });
  });

  it('reads texts of a field that is a text only', () =>
    assert.deepEqual(read(['{"file_path":12,"old_string":["a"],"new_string":"b"}']).texts, { new_string: 'b' }));
});
