// Notes from the composer, and what /init sends to the model of other agents' files.
import assert from 'node:assert/strict';
import { initPrompt } from '../../../../src/core/memory/init-prompt';
import { noteOf, withNote } from '../../../../src/core/memory/memory-note';
import { createMemoryFiles } from '../../../support/memory-files';

describe('a note for memory', () => {
  const messages: [string, string | undefined][] = [
    ['# use tabs', 'use tabs'],
    ['#tag', undefined],
    ['## heading', undefined],
    ['use # tabs', undefined],
    ['# ', undefined],
    ['#  a\nb ', 'a\nb'],
  ];
  for (const [message, note] of messages) it(JSON.stringify(message), () => assert.equal(noteOf(message), note));

  const files: [string, string, string][] = [
    ['', 'a', '- a\n'],
    ['x\n', 'a', 'x\n- a\n'],
    ['x', 'a', 'x\n- a\n'],
    ['x\r\n', 'a\nb', 'x\r\n- a\r\n  b\r\n'],
  ];
  for (const [text, note, after] of files)
    it(`goes to the end of ${JSON.stringify(text)}`, () => assert.equal(withNote(text, note), after));
});

describe('/init', () => {
  it('names the instructions of other agents, and the file to write', async () => {
    const text = await initPrompt(
      '/w',
      createMemoryFiles({
        '/w/.cursor/rules/a.mdc': 'a',
        '/w/GEMINI.md': 'g',
        '/w/.github/copilot-instructions.md': 'c',
      }),
    );
    assert.match(
      text,
      /These exist: \.cursor\/rules, \.github\/copilot-instructions\.md, GEMINI\.md\. The file to write is \/w\/CLAUDE\.md\.$/,
    );
  });

  it('improves the file that is there', async () => {
    assert.match(
      await initPrompt('/w', createMemoryFiles({ '/w/.claude/CLAUDE.md': 'a' })),
      /write is \/w\/\.claude\/CLAUDE\.md\.$/,
    );
  });
});
