// To which sessions nothing is sent unseen: it would be the answer to their question.
import assert from 'node:assert/strict';
import { waitsForAnswer } from '../../../../src/vscode/window/waits-for-answer';

describe('a message to another session', () => {
  const asking = { questions: { requests: [{}] } };
  const quiet = { questions: { requests: [] } };
  const cases: [
    name: string,
    state: 'waiting' | 'working' | 'idle',
    chat: typeof asking | undefined,
    waits: boolean,
  ][] = [
    ['a question is open here', 'waiting', asking, true],
    ['the question came after the list was read', 'working', asking, true],
    ['an approval waits here: a message is queued behind it', 'waiting', quiet, false],
    ['it waits in another window, or closed: nobody knows for what', 'waiting', undefined, true],
    ['it works elsewhere', 'working', undefined, false],
    ['it rests', 'idle', undefined, false],
  ];
  for (const [name, state, chat, waits] of cases)
    it(`${waits ? 'is refused' : 'is sent'} where ${name}`, () => {
      assert.equal(waitsForAnswer({ state }, chat), waits);
    });
});
