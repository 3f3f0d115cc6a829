// The questions of one chat: asked, shown, answered once, withdrawn by Stop.
import assert from 'node:assert/strict';
import { createPendingQuestions } from '../../../../src/vscode/chat/conversation/pending-questions';
import { type QuestionRequest } from '../../../../src/shared/question';

const request = (id: string): QuestionRequest => ({
  id,
  toolUseId: `t-${id}`,
  questions: [
    {
      question: `${id}?`,
      header: id,
      options: [
        { label: 'A', description: '' },
        { label: 'B', description: '' },
      ],
      multiSelect: false,
    },
  ],
});

describe('pending questions', () => {
  function make() {
    const changes: string[] = [];
    const questions = createPendingQuestions((asked) =>
      changes.push(`${asked?.id ?? '-'}: ${questions.requests.map(({ id }) => id).join()}`),
    );
    return { questions, changes, signal: new AbortController().signal };
  }

  it('tells of each that begins and ends to wait', async () => {
    const { questions, changes, signal } = make();
    const answer = questions.askQuestions(request('a'), signal);
    assert.equal(questions.answer('a', { behavior: 'answered', answers: { 'a?': 'B' } }), true);
    assert.deepEqual(await answer, { behavior: 'answered', answers: { 'a?': 'B' } });
    assert.deepEqual(changes, ['a: a', '-: ']);
  });

  it('takes one answer, whatever is clicked', async () => {
    const { questions, signal } = make();
    const answer = questions.askQuestions(request('a'), signal);
    const taken = [
      questions.answer('a', { behavior: 'dismissed' }),
      questions.answer('a', { behavior: 'answered', answers: {} }),
      questions.answer('b', { behavior: 'dismissed' }),
    ];
    assert.deepEqual(taken, [true, false, false]);
    assert.deepEqual(await answer, { behavior: 'dismissed' });
  });

  it('holds several, the oldest first', async () => {
    const { questions, signal } = make();
    const answers = [questions.askQuestions(request('a'), signal), questions.askQuestions(request('b'), signal)];
    assert.deepEqual(
      questions.requests.map(({ id }) => id),
      ['a', 'b'],
    );
    questions.answer('a', { behavior: 'dismissed' });
    await answers[0];
    assert.deepEqual(
      questions.requests.map(({ id }) => id),
      ['b'],
    );
  });

  it('is withdrawn by Stop', async () => {
    const { questions, changes } = make();
    const controller = new AbortController();
    const answer = questions.askQuestions(request('a'), controller.signal);
    controller.abort(new DOMException('Stopped.', 'AbortError'));
    await assert.rejects(answer, { name: 'AbortError' });
    await assert.rejects(questions.askQuestions(request('b'), controller.signal), { name: 'AbortError' });
    assert.deepEqual(changes, ['a: a', '-: ']);
    assert.equal(questions.answer('a', { behavior: 'dismissed' }), false);
  });
});
