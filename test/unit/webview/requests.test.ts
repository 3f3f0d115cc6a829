// Answers find the request that they are for; what the host fails at rejects it.
import assert from 'node:assert/strict';
import { request, RequestFailed, takeAnswer, takeFailure } from '../../../webview-ui/host/vscode-api';
import { openWebviewPage, webviewPage } from '../../support/webview-page';
import { loadWholeOutput, loadTrace, outputs, traces } from '../../../webview-ui/state/call-details';

describe('requests of the page', () => {
  const last = () => webviewPage.posted.at(-1)?.request ?? assert.fail('nothing is asked');

  beforeEach(openWebviewPage);

  it('are answered each by its number, in whatever order', async () => {
    const first = request('slash', { query: 'a' });
    const numbers = [last()];
    const second = request('slash', { query: 'b' });
    numbers.push(last());
    assert.notEqual(numbers[0], numbers[1]);
    const item = (name: string) => ({ name, description: '', group: '' });
    takeAnswer({ request: numbers[1] ?? 0, answer: [item('b')] });
    takeAnswer({ request: numbers[0] ?? 0, answer: [item('a')] });
    assert.deepEqual([await first, await second], [[item('a')], [item('b')]]);
  });

  it('reject where the host failed, and take nothing that was not asked', async () => {
    const asked = request('decide', { approvalId: 'a', decision: { behavior: 'accept' } });
    takeAnswer({ request: 1, answer: 'to the page before' });
    takeFailure({ request: last() });
    await assert.rejects(asked, RequestFailed);
  });

  it('keep outputs and traces by their call', async () => {
    const output = loadWholeOutput('t');
    takeAnswer({ request: last(), answer: { text: 'all', truncated: false } });
    const trace = loadTrace('t');
    takeAnswer({ request: last(), answer: { trace: null, present: true } });
    await Promise.all([output, trace]);
    assert.deepEqual(outputs.peek().get('t'), { text: 'all', truncated: false });
    assert.deepEqual(traces.peek().get('t'), { trace: null, present: true });
  });
});
