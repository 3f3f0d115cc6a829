// What servers ask of the user: it reaches the chat that called, waits there, and is declined where no chat did.
import assert from 'node:assert/strict';
import { type McpCallOutcome, type McpPeople } from '../../../../src/core/ports/mcp';
import { type McpRequest } from '../../../../src/shared/mcp-view';
import { createCallingChats } from '../../../../src/vscode/mcp/calling-chats';
import { noOutcome } from '../../../../src/core/hooks/hook-outcome';
import { createPendingMcpRequests } from '../../../../src/vscode/chat/conversation/pending-mcp-requests';
import { memoryServers } from './memory-servers';

const never = new AbortController().signal;
const form = { kind: 'form' as const, server: 's', message: 'Which branch?', fields: [] };

describe('a question of a server', () => {
  it('goes to the chat whose call it is, and is declined once nobody calls', async () => {
    const chats = createCallingChats();
    const asked: string[] = [];
    const user = (name: string): McpPeople => ({
      elicit: async ({ message }) => {
        asked.push(`${name}: ${message}`);
        return { action: 'accept', content: { from: name } };
      },
      allowSampling: async () => true,
    });
    const answer = async (): Promise<McpCallOutcome> => ({
      outcome: 'answered',
      content: [{ type: 'text', text: JSON.stringify(await chats.people.elicit(form, never)) }],
      isError: false,
    });
    const servers = memoryServers({ answer });
    await chats.of(servers, user('first')).callTool('s', 't', {}, { signal: never });
    await chats.of(servers, user('second')).readResource('s', 'a://b', never);
    await chats.of(servers, user('third')).callTool('other', 't', {}, { signal: never });
    assert.deepEqual(asked, ['first: Which branch?', 'second: Which branch?']);
    assert.deepEqual(await chats.people.elicit(form, never), { action: 'decline' });
    assert.equal(await chats.people.allowSampling({ server: 's', text: 'x' }, never), false);
  });

  it('waits until it is answered, once', async () => {
    const askedMessages: (string | undefined)[] = [];
    const pending = createPendingMcpRequests((asked) => askedMessages.push(asked?.message));
    const answer = pending.people.elicit(form, never);
    const [request] = pending.requests as [McpRequest];
    assert.deepEqual(
      { ...request, id: '' },
      { id: '', kind: 'form', server: 's', message: 'Which branch?', fields: [] },
    );
    assert.equal(pending.answer(request.id, { action: 'accept', content: { branch: 'main' } }), true);
    assert.equal(pending.answer(request.id, { action: 'decline' }), false);
    assert.deepEqual(await answer, { action: 'accept', content: { branch: 'main' } });
    assert.deepEqual(pending.requests, []);
    assert.deepEqual(askedMessages, ['Which branch?', undefined]);
  });

  it("is heard by hooks of the chat's session first, and what the user answers too", async () => {
    const events: string[] = [];
    const says: { elicitation?: { action: string } } = {};
    const pending = createPendingMcpRequests(() => undefined, {
      onProblem: assert.fail,
      event: async (event) => (events.push(event), { ...noOutcome, ...says }),
    });
    const asked = pending.people.elicit(form, never);
    while (pending.requests.length === 0) await Promise.resolve();
    pending.answer(pending.requests[0]?.id ?? '', { action: 'accept', content: {} });
    assert.deepEqual(await asked, { action: 'accept', content: {} });
    assert.deepEqual(events, ['Elicitation', 'ElicitationResult']);
    says.elicitation = { action: 'decline' };
    assert.deepEqual(await pending.people.elicit(form, never), { action: 'decline' });
    assert.deepEqual(pending.requests, []);
  });

  it('is cancelled with the call, and a request to the model needs a yes', async () => {
    const pending = createPendingMcpRequests(() => undefined);
    const abort = new AbortController();
    const cancelled = pending.people.elicit(form, abort.signal);
    abort.abort();
    assert.deepEqual(await cancelled, { action: 'cancel' });
    assert.deepEqual(await pending.people.elicit(form, abort.signal), { action: 'cancel' });
    const sampling = pending.people.allowSampling({ server: 's', text: 'Sum this up' }, never);
    assert.equal(pending.requests[0]?.kind, 'sampling');
    pending.answer(pending.requests[0]?.id ?? '', { action: 'decline' });
    assert.equal(await sampling, false);
    assert.equal(await pending.people.allowSampling({ server: 's', text: 'x'.repeat(20_001) }, never), false);
  });

  it('leaves with the call that it was asked for', async () => {
    const chats = createCallingChats();
    const pending = createPendingMcpRequests(() => undefined);
    const stop = new AbortController();
    const asked: Promise<unknown>[] = [];
    // A call that is stopped while the server still asks.
    const answer = (): Promise<McpCallOutcome> => {
      asked.push(chats.people.elicit(form, never), chats.people.allowSampling({ server: 's', text: 'x' }, never));
      return new Promise((_resolve, reject) =>
        stop.signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    };
    const call = chats.of(memoryServers({ answer }), pending.people).callTool('s', 't', {}, { signal: never });
    assert.equal(pending.requests.length, 2);
    stop.abort();
    await assert.rejects(call);
    assert.deepEqual(await Promise.all(asked), [{ action: 'cancel' }, false]);
    assert.deepEqual(pending.requests, []);
  });

  it('is declined behind five of the same server, and all leave with their chat', async () => {
    const pending = createPendingMcpRequests(() => undefined);
    const asked = Array.from({ length: 6 }, () => pending.people.elicit(form, never));
    const other = pending.people.elicit({ ...form, server: 'other' }, never);
    assert.deepEqual(await asked[5], { action: 'decline' });
    assert.equal(pending.requests.length, 6);
    pending.cancelAll();
    assert.deepEqual(
      await Promise.all([...asked.slice(0, 5), other]),
      Array.from({ length: 6 }, () => ({ action: 'cancel' })),
    );
    assert.deepEqual(pending.requests, []);
  });
});
