// Which schemas may be strict, and how many of them together.
import assert from 'node:assert/strict';
import { type JsonSchema } from '../../../../src/core/wire/wire';
import { createStrictRoom } from '../../../../src/core/tool/strict-schema';

const object = (properties: Record<string, unknown>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string' };
const optional = (count: number): JsonSchema =>
  object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, text])), []);
const union = { anyOf: [text, { type: 'number' }] };

describe('strict tools', () => {
  const cases: [string, JsonSchema, boolean][] = [
    ['plain properties', object({ a: { type: 'string', description: 'x' }, b: { type: 'array', items: text } }), true],
    ['an enum of words', object({ a: { type: 'string', enum: ['x', 'y'] } }), true],
    ['a nested object', object({ a: object({ b: text }) }), true],
    ['other properties allowed', { type: 'object', properties: { a: text } }, false],
    [
      'other properties allowed further down',
      object({ a: { type: 'array', items: { type: 'object', properties: {} } } }),
      false,
    ],
    ['a bound', object({ a: { type: 'number', minimum: 0 } }), false],
    ['a length', object({ a: { type: 'string', maxLength: 5 } }), false],
    ['a list with a limit', object({ a: { type: 'array', items: text, maxItems: 4 } }), false],
    ['a reference', object({ a: { $ref: 'https://example.com/schema' } }), false],
    ['an enum of objects', object({ a: { enum: [{ x: 1 }] } }), false],
    ['24 optional properties', optional(24), true],
    ['25 optional properties', optional(25), false],
    ['16 unions', object(Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`u${index}`, union]))), true],
    ['17 unions', object(Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`u${index}`, union]))), false],
  ];
  for (const [name, schema, expected] of cases)
    it(`${name}: ${expected}`, () => assert.equal(createStrictRoom().take(schema), expected));

  it('are twenty at most', () => {
    const room = createStrictRoom();
    assert.deepEqual(
      Array.from({ length: 21 }, () => room.take(object({ a: text }))),
      [...Array.from({ length: 20 }, () => true), false],
    );
  });

  it('share what optional properties there may be; one that does not fit takes nothing', () => {
    const room = createStrictRoom();
    assert.deepEqual(
      [optional(20), optional(5), optional(4), optional(1), object({ a: text })].map((schema) => room.take(schema)),
      [true, false, true, false, true],
    );
  });
});
