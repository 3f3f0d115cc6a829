// AskUserQuestion beyond its table: what the host is asked, where it is offered, and what ends the wait.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type QuestionAnswer, type Questioner } from '../../../../src/core/ports/questions';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { availabilityOf } from '../../../../src/core/tool/availability';
import { askUserQuestionTool } from '../../../../src/core/tools/ask-user-question';
import { getTools } from '../../../../src/core/tools/registry';
import { isFailure, type ToolContext } from '../../../../src/core/tool/tool';
import { type QuestionRequest } from '../../../../src/shared/question';
import { reply, text, toolUse } from '../../../support/messages-api/script';
import { createManualClock } from '../../../support/manual-clock';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const option = (label: string) => ({ label, description: `It is ${label}.` });
const database = {
  question: 'Which database?',
  header: 'Database',
  options: [option('Postgres'), option('SQLite')],
  multiSelect: false,
};
const features = {
  question: 'Which features?',
  header: 'Features',
  options: [option('Search'), option('Export'), option('Import')],
  multiSelect: true,
};
type Input = Parameters<typeof askUserQuestionTool.call>[0];

describe('AskUserQuestion', () => {
  async function ask(
    input: Input,
    answer: QuestionAnswer,
  ): Promise<{ said: string; detail: string; view: string; requests: QuestionRequest[] }> {
    const requests: QuestionRequest[] = [];
    const questioner: Questioner = { askQuestions: async (request) => (requests.push(request), answer) };
    const context = {
      toolUseId: 't1',
      signal: new AbortController().signal,
      session: { questionTimeoutMs: () => undefined },
      ports: { questioner, uuid: () => 'q1' },
    } as unknown as ToolContext;
    const result = await askUserQuestionTool.call(input, context);
    assert.ok(!isFailure(result));
    assert.equal(askUserQuestionTool.outputSchema?.safeParse(result.data).success, true);
    const view = askUserQuestionTool.view(result.data, input);
    assert.ok(view.kind === 'markdown');
    return {
      said: String(askUserQuestionTool.mapToolResultToToolResultBlockParam(result.data, 't1').content),
      detail: askUserQuestionTool.detail(result.data),
      view: view.text,
      requests,
    };
  }
  const answers = (given: Record<string, string>, response?: string): QuestionAnswer => ({
    behavior: 'answered',
    answers: given,
    ...defined({ response }),
  });

  it('waits no longer than the settings say, and then tells that nobody was there', async () => {
    let withdrawn = false;
    const questioner: Questioner = {
      askQuestions: (_request, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => ((withdrawn = true), reject(signal.reason as Error))),
        ),
    };
    const clock = createManualClock('manual');
    const wait = {
      toolUseId: 't1',
      signal: new AbortController().signal,
      session: { questionTimeoutMs: () => 300_000 },
      ports: { questioner, clock, uuid: () => 'q1' },
    } as unknown as ToolContext;
    const asked = askUserQuestionTool.call({ questions: [database] }, wait);
    await clock.sleeping(1);
    clock.advance(299_999);
    assert.equal(withdrawn, false);
    clock.advance(1);
    const result = await asked;
    assert.ok(!isFailure(result) && withdrawn, 'the question is taken out of the chat');
    assert.match(
      String(askUserQuestionTool.mapToolResultToToolResultBlockParam(result.data, 't1').content),
      /^The user did not answer within 5 minutes and may be away\. That is neither a yes nor a no/,
    );
    assert.equal(askUserQuestionTool.detail(result.data), 'no answer within 5 minutes');
  });

  it('shows question and answer in its card', async () => {
    assert.equal(
      (await ask({ questions: [database] }, answers({ 'Which database?': 'SQLite' }))).view,
      '**Which database?**  \nSQLite',
    );
    assert.match(
      (await ask({ questions: [database] }, answers({}, 'Files.'))).view,
      /\*\*Which database\?\*\*\n\nYou wrote: Files\./,
    );
  });

  it('asks the host once for all of them, previews included', async () => {
    const shown = { ...database, options: [{ ...option('Postgres'), preview: '`psql`' }, option('SQLite')] };
    const { requests } = await ask({ questions: [shown, features] }, { behavior: 'dismissed' });
    assert.deepEqual(requests, [{ id: 'q1', toolUseId: 't1', questions: [shown, features] }]);
  });

  it('takes one answer for the rule where nothing is said', () => {
    const { multiSelect: _left, ...question } = database;
    assert.deepEqual(askUserQuestionTool.inputSchema.parse({ questions: [question] }), { questions: [database] });
  });

  it('is offered only where somebody can be asked', () => {
    const offered = (interactive: boolean): boolean =>
      getTools({
        isDenied: () => false,
        simple: false,
        availability: availabilityOf({}, { interactive, platform: 'linux' }),
      }).includes(askUserQuestionTool);
    assert.deepEqual([offered(true), offered(false)], [true, false]);
  });

  it('asks without an approval, one call after the other', async () => {
    let open = 0;
    const questioner: Questioner = {
      askQuestions: async ({ questions }) => {
        assert.equal(++open, 1);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return answers({ [questions[0]?.question ?? '']: 'SQLite' });
      },
    };
    const model = createScriptedModel([
      reply(
        toolUse('AskUserQuestion', { questions: [database] }),
        toolUse('AskUserQuestion', { questions: [{ ...database, question: 'And for tests?' }] }),
      ),
      reply(text('SQLite then.')),
    ]);
    const harness = createHarness({ model, tools: [askUserQuestionTool], ports: { questioner } });
    assert.equal((await harness.run('Choose')).reason, 'completed');
    assert.deepEqual(harness.approvals, []);
    assert.equal(harness.chat().items.filter((item) => item.kind === 'tool' && item.state === 'done').length, 2);
  });

  it('ends with the turn, and the call counts as stopped', async () => {
    const abort = new AbortController();
    const questioner: Questioner = {
      askQuestions: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          abort.abort(new DOMException('Stopped.', 'AbortError'));
        }),
    };
    const harness = createHarness({
      model: createScriptedModel([reply(toolUse('AskUserQuestion', { questions: [database] }))]),
      tools: [askUserQuestionTool],
      ports: { questioner },
    });
    assert.equal((await harness.run('Choose', abort.signal)).reason, 'interrupted');
    assert.equal(harness.chat().items.find((item) => item.kind === 'tool')?.state, 'stopped');
  });

  it('counts as not run where the window went away while it waited', async () => {
    const harness = createHarness({
      model: createScriptedModel([reply(toolUse('AskUserQuestion', { questions: [database] }))]),
      tools: [askUserQuestionTool],
      ports: { questioner: { askQuestions: () => new Promise(() => undefined) } },
    });
    void harness.run('Choose');
    await harness.when((event) => event.type === 'tool_state' && event.state === 'running');
    const [result] = messagesFromRecords(harness.stored()).at(-1)?.content ?? [];
    assert.ok(result?.type === 'tool_result');
    assert.equal(result.content, 'This call was not run: the session was interrupted before it started.');
    const item = harness.replayed().items.at(-1);
    assert.ok(item?.kind === 'tool' && item.state === 'stopped');
  });
});
