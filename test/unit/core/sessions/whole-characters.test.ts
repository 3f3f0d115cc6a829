// Text that is cut on its way to the model, the log or the webview keeps its characters whole.
import assert from 'node:assert/strict';
import { storeLargeResult } from '../../../../src/core/calls/tool-result-storage';
import { sessionTitle } from '../../../../src/core/sessions/session-title';
import { slimOutput } from '../../../../src/core/sessions/slim-output';
import { slimView } from '../../../../src/shared/view-kinds';
import { createPrintedText } from '../../../../src/node/repl/printed-text';
import { outputText } from '../../../../src/vscode/chat/messages/output-text';
import { createDisplayText } from '../../../../src/vscode/terminal/display-text';

describe('cut texts', () => {
  const faces = '😀'.repeat(300_000);
  // One of the two is cut between two halves, wherever the limit lies.
  for (const text of [faces, `x${faces}x`]) {
    const printed = createPrintedText();
    printed.add(text);
    const display = createDisplayText(9);
    const table: [name: string, cut: () => unknown][] = [
      [
        'a stored result',
        () =>
          storeLargeResult(
            { type: 'tool_result', tool_use_id: 't', content: text },
            { maxChars: 10, directory: '/d', files: { writeOwnFile: async () => undefined } },
          ),
      ],
      ['a view of text', () => slimView({ kind: 'markdown', text })],
      ['a view of output', () => slimView({ kind: 'terminal', command: 'c', state: 'exited', tail: text, bytes: 1 })],
      [
        'a view of matches',
        () =>
          slimView({
            kind: 'matches',
            pattern: 'p',
            matches: 1,
            files: 1,
            items: [{ path: 'p', line: 1, text }],
            truncated: false,
          }),
      ],
      ['structured output', () => slimOutput({ text })],
      ['a title', () => sessionTitle(text)],
      ['output on request', () => outputText(text, [])],
      ['output in a terminal', () => display.push(Buffer.from(text)) + display.end()],
      ['what an interpreter printed', () => printed.take()],
    ];
    for (const [name, cut] of table) {
      it(`${name}, ${text.startsWith('x') ? 'odd' : 'even'}`, async () => {
        const result = JSON.stringify(await cut());
        assert.ok(result.includes('😀') && result.length < text.length);
        assert.doesNotMatch(result, /\\ud[89a-f]/, 'JSON escapes what is half a character');
      });
    }
  }
});
