// Forms that servers ask for: none that nobody would read through.
import assert from 'node:assert/strict';
import { fieldsOf } from '../../../../src/core/mcp/elicitation';
import { problemOf } from '../../../../webview-ui/forms/request-fields';

const choice = (length: number) => ({ type: 'string', enum: Array.from({ length }, (_, index) => `c${index}`) });

describe('forms of MCP servers', () => {
  it('hold a hundred choices and fifty fields', () => {
    assert.equal(fieldsOf({ properties: { a: choice(60), b: choice(40) } })?.length, 2);
    assert.equal(fieldsOf({ properties: { a: choice(60), b: choice(41) } }), undefined);
    const fields = (length: number) => ({
      properties: Object.fromEntries(Array.from({ length }, (_, index) => [`f${index}`, { type: 'string' }])),
    });
    assert.equal(fieldsOf(fields(50))?.length, 50);
    assert.equal(fieldsOf(fields(51)), undefined);
  });

  it('keep to the limits that the server names, where an answer can', () => {
    const properties = {
      number: { type: 'integer', minimum: 1, maximum: 9 },
      name: { type: 'string', minLength: 2, maxLength: 4 },
      some: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', enum: ['a', 'b', 'c'] } },
      none: { type: 'number', minimum: 5, maximum: 1 },
    };
    const [number, name, some, none] = fieldsOf({ properties }) ?? [];
    assert.ok(number && name && some && none);
    assert.deepEqual(
      ['0', '77', '1', '9', ''].map((value) => problemOf(number, value)),
      ['The number is at least 1.', 'The number is at most 9.', undefined, undefined, undefined],
    );
    assert.deepEqual(
      ['a', 'abcde', '\u{1F600}\u{1F600}\u{1F600}\u{1F600}', ''].map((value) => problemOf(name, value)),
      ['Write at least 2 characters.', 'Write at most 4 characters.', undefined, undefined],
    );
    assert.deepEqual(
      [['a'], ['a', 'b'], ['a', 'b', 'c'], []].map((value) => problemOf(some, value)),
      ['Choose at least 2.', undefined, 'Choose at most 2.', undefined],
    );
    assert.equal(problemOf(none, '3'), undefined);
  });
});
