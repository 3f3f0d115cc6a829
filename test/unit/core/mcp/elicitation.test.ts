// Forms that servers ask for: none that nobody would read through.
import assert from 'node:assert/strict';
import { fieldsOf } from '../../../../src/core/mcp/elicitation';

const choice = (length: number) => ({ type: 'string', enum: Array.from({ length }, (_, index) => `c${index}`) });

describe('forms of MCP servers', () => {
  it('hold a hundred choices and fifty fields', () => {
    assert.equal(fieldsOf({ properties: { a: choice(60), b: choice(40) } })?.length, 2);
    assert.equal(fieldsOf({ properties: { a: choice(60), b: choice(41) } }), undefined);
    const fields = (length: number) => ({ properties: Object.fromEntries(Array.from({ length }, (_, index) => [`f${index}`, { type: 'string' }])) });
    assert.equal(fieldsOf(fields(50))?.length, 50);
    assert.equal(fieldsOf(fields(51)), undefined);
  });
});
