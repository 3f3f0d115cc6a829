// Hooks around what servers ask: they answer, decline or change an answer, within what the server asked for and never against the user's no.
import assert from 'node:assert/strict';
import { fieldsOf } from '../../../../src/core/mcp/elicitation';
import { withElicitationHooks } from '../../../../src/core/mcp/hooked-people';
import { type HookOutcome, noOutcome } from '../../../../src/core/hooks/hook-outcome';
import { type McpElicitation, type McpPeople } from '../../../../src/core/ports/mcp';

type Answer = Awaited<ReturnType<McpPeople['elicit']>>;
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'integer' },
    colour: { enum: ['red', 'blue'], type: 'string' },
  },
  required: ['name'],
};
const form: McpElicitation = {
  kind: 'form',
  server: 'shop',
  message: 'Who are you?',
  fields: fieldsOf(schema) ?? assert.fail('no fields'),
  schema,
};
const { signal } = new AbortController();

function world(
  outcomes: Partial<Record<'Elicitation' | 'ElicitationResult', Partial<HookOutcome>>>,
  answer: Answer = { action: 'accept', content: { name: 'Ann' } },
) {
  const events: [string, Record<string, unknown>][] = [];
  const asked: McpElicitation[] = [];
  const notices: string[] = [];
  const people = withElicitationHooks(
    { elicit: async (request) => (asked.push(request), answer), allowSampling: async () => true },
    {
      onProblem: (sentence) => notices.push(sentence),
      event: async (event, fields) => (
        events.push([event, fields()]),
        { ...noOutcome, ...outcomes[event as 'Elicitation'] }
      ),
    },
  );
  return { people, events, asked, notices };
}

describe('hooks of elicitations', () => {
  it('hear what is asked and what the user answers, and change neither unless they say so', async () => {
    const { people, events, asked } = world({});
    assert.deepEqual(await people.elicit(form, signal), { action: 'accept', content: { name: 'Ann' } });
    assert.equal(asked.length, 1);
    assert.deepEqual(events, [
      ['Elicitation', { mcp_server_name: 'shop', message: 'Who are you?', mode: 'form', requested_schema: schema }],
      ['ElicitationResult', { mcp_server_name: 'shop', mode: 'form', action: 'accept', content: { name: 'Ann' } }],
    ]);
  });

  it("answer in the user's place; the user is not asked then", async () => {
    const { people, asked, events } = world({
      Elicitation: { elicitation: { action: 'accept', content: { name: 'Bot', size: 3, colour: 'red' } } },
    });
    assert.deepEqual(await people.elicit(form, signal), {
      action: 'accept',
      content: { name: 'Bot', size: 3, colour: 'red' },
    });
    assert.deepEqual([asked.length, events.length], [0, 1]);
    for (const outcome of [{ block: 'No.' }, { stop: '' }, { elicitation: { action: 'decline' } }]) {
      const declining = world({ Elicitation: outcome });
      assert.deepEqual(await declining.people.elicit(form, signal), { action: 'decline' });
      assert.equal(declining.asked.length, 0);
    }
  });

  it('are not taken where their answer is none of what the server asked for: the user is asked, and told why', async () => {
    const wrong: [unknown, RegExp][] = [
      [{}, /`name` is missing/],
      [{ name: 1 }, /`name` does not fit/],
      [{ name: 'A', size: 1.5 }, /`size`/],
      [{ name: 'A', colour: 'green' }, /`colour`/],
      [{ name: 'A', other: 'x' }, /did not ask for `other`/],
      ['A', /must be an object/],
    ];
    for (const [content, reason] of wrong) {
      const { people, asked, notices } = world({ Elicitation: { elicitation: { action: 'accept', content } } });
      assert.deepEqual(await people.elicit(form, signal), { action: 'accept', content: { name: 'Ann' } });
      assert.equal(asked.length, 1);
      assert.match(notices.join(), reason);
    }
    const odd = world({ Elicitation: { elicitation: { action: 'perhaps' } } });
    await odd.people.elicit(form, signal);
    assert.match(odd.notices.join(), /accept, decline or cancel/);
  });

  it('change or take back what the user answers, and never turn a no into a yes', async () => {
    const other = { elicitation: { action: 'accept', content: { name: 'Ben' } } };
    assert.deepEqual(await world({ ElicitationResult: other }).people.elicit(form, signal), {
      action: 'accept',
      content: { name: 'Ben' },
    });
    assert.deepEqual(await world({ ElicitationResult: { block: 'Not that.' } }).people.elicit(form, signal), {
      action: 'decline',
    });
    for (const action of ['decline', 'cancel'] as const)
      assert.deepEqual(await world({ ElicitationResult: other }, { action }).people.elicit(form, signal), { action });
  });

  it('are left out where there is no session, and run for five questions of one server at most', async () => {
    const people = withElicitationHooks(
      { elicit: async () => ({ action: 'cancel' }), allowSampling: async () => true },
      { onProblem: assert.fail, event: () => Promise.reject(new Error('gone')) },
    );
    assert.deepEqual(await people.elicit(form, signal), { action: 'cancel' });
    let answer = (_outcome: HookOutcome): void => undefined;
    const first = new Promise<HookOutcome>((resolve) => (answer = resolve));
    const busy = withElicitationHooks(
      { elicit: async () => ({ action: 'cancel' }), allowSampling: async () => true },
      { onProblem: assert.fail, event: () => first },
    );
    const all = Array.from({ length: 6 }, () => busy.elicit(form, signal));
    assert.deepEqual(await all[5], { action: 'decline' });
    answer(noOutcome);
    assert.deepEqual(await all[0], { action: 'cancel' });
    await Promise.all(all);
    assert.deepEqual(await busy.elicit(form, signal), { action: 'cancel' });
  });
});
