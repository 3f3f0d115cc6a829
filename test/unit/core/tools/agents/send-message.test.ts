// What the SendMessage tool shows of a message.
import assert from 'node:assert/strict';
import { sendMessageTool } from '../../../../../src/core/tools/agents/send-message';

describe('SendMessage', () => {
  it('is shown by its summary, else by its first line', () => {
    assert.equal(
      sendMessageTool.describe({ to: 'scout', message: 'First\nsecond', summary: 'Asks more' }).past,
      'Told scout: Asks more',
    );
    assert.equal(sendMessageTool.describe({ to: 'scout', message: '\nFirst\nsecond' }).past, 'Told scout: First');
    assert.equal(
      sendMessageTool.describe({ to: 'scout', message: 'x'.repeat(500) }).past.length,
      'Told scout: '.length + 200,
    );
  });

  it('shows the message itself as plain text', () => {
    assert.deepEqual(
      sendMessageTool.view(
        { status: 'delivered', agentId: 'a', agentType: 'x', description: 'd' },
        { to: 'a', message: '<b>hi</b>' },
      ),
      { kind: 'json', text: '<b>hi</b>' },
    );
  });
});
