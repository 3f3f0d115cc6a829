// How long servers are waited for, as variables say.
import assert from 'node:assert/strict';
import { longestMs, mcpTimes, timesFromVariables, timesNow } from '../../../../src/core/mcp/limits';

describe('the times of MCP servers', () => {
  const cases: [string, string | undefined, number][] = [
    ['a value', '2500', 2_500],
    ['no value', undefined, mcpTimes.callMs],
    ['an empty one', '', mcpTimes.callMs],
    ['a word', 'long', mcpTimes.callMs],
    ['a fraction', '1.5', mcpTimes.callMs],
    ['none at all', '0', mcpTimes.callMs],
    ['less than none', '-5', mcpTimes.callMs],
    ['more than a timer takes', '999999999999', longestMs],
    ['more than a number is', '9'.repeat(40), mcpTimes.callMs],
  ];
  for (const [what, text, callMs] of cases) {
    it(`MCP_TOOL_TIMEOUT: ${what}`, () =>
      assert.deepEqual(timesFromVariables({ MCP_TOOL_TIMEOUT: text }), { ...mcpTimes, callMs }));
  }

  it('MCP_TIMEOUT is that of the start alone', () =>
    assert.deepEqual(timesFromVariables({ MCP_TIMEOUT: '700' }), { ...mcpTimes, connectMs: 700 }));

  it('are those of now where the variables change', () => {
    let variables: Record<string, string> = {};
    const times = timesNow(() => variables);
    assert.deepEqual({ ...times }, mcpTimes);
    variables = { MCP_TIMEOUT: '700', MCP_TOOL_TIMEOUT: '2500' };
    assert.deepEqual({ ...times }, { ...mcpTimes, connectMs: 700, callMs: 2_500 });
  });
});
