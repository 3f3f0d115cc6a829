// The output of a command as the chat shows it on request.
import assert from 'node:assert/strict';
import { outputText } from '../../../../src/vscode/chat/messages/output-text';

describe('outputText', () => {
  const secret = 'sk-ant-0123456789abcdef';

  it('shows the end and says that it was cut', () => {
    assert.deepEqual(outputText(Buffer.from('short\n'), []), { text: 'short\n', truncated: false });
    const long = outputText(Buffer.from(`${'x'.repeat(200_000)}end`), []);
    assert.equal(long.truncated, true);
    assert.equal(long.text.length, 200_000);
    assert.match(long.text, /end$/);
  });

  it('shows no credential, nor a part of one at the cut', () => {
    const printed = Buffer.from(`${secret}${'x'.repeat(200_000 - 12)}${secret}`);
    assert.doesNotMatch(outputText(printed, [secret]).text, /sk-ant|abcdef/);
  });
});
