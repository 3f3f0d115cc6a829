// A result that failed, as it may go to the API: also one of another program's log.
import assert from 'node:assert/strict';
import { textOnlyError } from '../../../../src/core/model/text-only-error';
import { type ToolResultBlock } from '../../../../src/core/wire/wire';

describe('a result that failed', () => {
  it('names parts that no tool here makes', () => {
    const content = [
      { type: 'text', text: 'It failed.' },
      { type: 'search_result', source: 'https://example.com', title: 'a', content: [] },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } },
    ];
    const block = {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      is_error: true,
      content,
    } as unknown as ToolResultBlock;
    const left = 'omitted: a failure is reported as text only]';
    assert.deepEqual(
      textOnlyError(block).content,
      ['It failed.', `[search_result ${left}`, `[document ${left}`, `[image ${left}`, `[image/png ${left}`].map(
        (text) => ({ type: 'text', text }),
      ),
    );
  });
});
