// Schemas of servers become ones that the API takes.
import assert from 'node:assert/strict';
import { cleanSchema } from '../../../../src/core/mcp/clean-schema';

const text = { type: 'string' };
const cases: [name: string, given: Record<string, unknown>, expected: Record<string, unknown>][] = [
  [
    'a plain one stays',
    { type: 'object', properties: { a: { ...text, description: 'A' } }, required: ['a'], additionalProperties: false },
    { type: 'object', properties: { a: { ...text, description: 'A' } }, required: ['a'], additionalProperties: false },
  ],
  [
    'the draft goes',
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    { type: 'object', properties: {} },
  ],
  ['another root becomes an object', { type: 'string' }, { type: 'object', properties: {} }],
  [
    'alternatives at the root are joined',
    {
      anyOf: [
        { properties: { a: text, b: text }, required: ['a', 'b'] },
        { properties: { a: text, c: text }, required: ['a'] },
      ],
    },
    { type: 'object', properties: { a: text, b: text, c: text }, required: ['a'], additionalProperties: true },
  ],
  [
    'of two shapes of a property either passes',
    { oneOf: [{ properties: { a: text } }, { properties: { a: { type: 'number' } } }] },
    { type: 'object', properties: { a: { anyOf: [text, { type: 'number' }] } }, additionalProperties: true },
  ],
  [
    'all parts of allOf are required',
    {
      type: 'object',
      allOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    },
    { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] },
  ],
  [
    'below the root alternatives stay',
    { properties: { a: { anyOf: [text, { type: 'null' }] } } },
    { type: 'object', properties: { a: { anyOf: [text, { type: 'null' }] } } },
  ],
  [
    'what is no schema goes',
    {
      properties: {
        a: {
          type: 'strange',
          enum: 'no',
          required: 'x',
          pattern: '(',
          minLength: -1,
          $ref: 'http://x',
          items: 5,
          default: 1,
        },
      },
    },
    { type: 'object', properties: { a: { default: 1 } } },
  ],
  [
    'parameters with impossible names go',
    { properties: { 'a b': text, c: text }, required: ['a b', 'c'] },
    { type: 'object', properties: { c: text }, required: ['c'] },
  ],
  [
    'unknown words and wrong shapes of known ones go, lists hold each value once',
    {
      required: ['a', 'a'],
      properties: {
        a: { type: ['string', 'string'], examples: 'x', uniqueItems: 'yes', dependentRequired: 5, $comment: {} },
      },
    },
    { type: 'object', properties: { a: { type: ['string'] } }, required: ['a'] },
  ],
  [
    'a reference to nothing goes',
    { properties: { a: { $ref: '#/definitions/none', description: 'A' }, b: { $ref: '#/properties/a' } } },
    { type: 'object', properties: { a: { description: 'A' }, b: { $ref: '#/properties/a' } } },
  ],
  [
    'definitions stay',
    { properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: text } },
    { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: text } },
  ],
];

describe('schemas of MCP tools', () => {
  for (const [name, given, expected] of cases) it(name, () => assert.deepEqual(cleanSchema(given), expected));
  it('an endless one ends', () => {
    const deep: Record<string, unknown> = { type: 'object', properties: {} };
    let at = deep;
    for (let level = 0; level < 1_000; level++)
      at = (at['properties'] = { a: { type: 'object' } } as Record<string, Record<string, unknown>>)['a'] as Record<
        string,
        unknown
      >;
    assert.ok(JSON.stringify(cleanSchema(deep)).length < 1_000);
  });

  it('a root that only refers to a definition has its parameters', () => {
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string' }, next: { $ref: '#/definitions/Input' } },
      required: ['city'],
    } as const;
    assert.deepEqual(
      cleanSchema({
        $ref: '#/definitions/Input',
        definitions: { Input: parameters },
        $schema: 'http://json-schema.org/draft-07/schema#',
      }),
      { ...parameters, definitions: { Input: parameters } },
    );
    // One that leads in a circle stays without any.
    assert.deepEqual(cleanSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }).properties, {});
  });

  it('a reference by the name of a place leads nowhere, and one with encoded letters where it says', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#place', description: 'x' }, b: { $ref: '#/$defs/My%20Type' } },
      $defs: { 'My Type': { $anchor: 'place', type: 'string' } },
    };
    assert.deepEqual(cleanSchema(schema), {
      type: 'object',
      properties: { a: { description: 'x' }, b: { $ref: '#/$defs/My%20Type' } },
      $defs: { 'My Type': { type: 'string' } },
    });
  });
});
