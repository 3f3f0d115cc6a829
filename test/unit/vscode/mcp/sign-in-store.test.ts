// Where sign-ins are kept: several windows write there, and the storage itself may fail.
import assert from 'node:assert/strict';
import { createSignInStore } from '../../../../src/vscode/mcp/sign-in-store';

const tokensOf = (name: string): { access_token: string; token_type: string } => ({
  access_token: name,
  token_type: 'Bearer',
});

describe('where sign-ins are kept', () => {
  let stored: Map<string, string>;
  let broken: boolean;
  const secrets = {
    get: async (key: string) => (broken ? Promise.reject(new Error('locked')) : stored.get(key)),
    store: async (key: string, value: string) => void stored.set(key, value),
    delete: async (key: string) => (broken ? Promise.reject(new Error('locked')) : void stored.delete(key)),
  };
  beforeEach(() => {
    stored = new Map();
    broken = false;
  });

  it('keeps what another window has written', async () => {
    const [one, other] = [createSignInStore(secrets), createSignInStore(secrets)];
    await Promise.all([one.read('a'), other.read('a'), other.read('b')]);
    await one.change('a', { tokens: tokensOf('first') });
    await other.change('b', { tokens: tokensOf('second') });
    await other.change('a', { client: { redirect: 'x', information: { client_id: 'c' } } });
    assert.deepEqual(await one.read('a'), {
      tokens: tokensOf('first'),
      client: { redirect: 'x', information: { client_id: 'c' } },
    });
    assert.deepEqual(await one.read('b'), { tokens: tokensOf('second') });
    assert.deepEqual(one.tokens(), ['first', 'second']);
  });

  it('does not wait for a storage that does not answer, once it knows the tokens', async () => {
    let answers = true;
    const slow = { ...secrets, get: (key: string) => (answers ? secrets.get(key) : new Promise<undefined>(() => {})) };
    const store = createSignInStore(slow);
    await store.change('a', { tokens: tokensOf('first') });
    answers = false;
    assert.deepEqual((await store.read('a')).tokens, tokensOf('first'));
  });

  it('loses nothing where two changes run at once', async () => {
    const store = createSignInStore(secrets);
    await Promise.all([
      store.change('a', { tokens: tokensOf('first') }),
      store.change('a', { client: { redirect: 'x', information: { client_id: 'c' } } }),
    ]);
    assert.deepEqual(Object.keys(await store.read('a')), ['tokens', 'client']);
    await store.change('a', { tokens: undefined, client: undefined });
    assert.equal(stored.size, 0);
  });

  it('goes on with what it knows while the storage fails, and works once it is back', async () => {
    stored.set('deft.mcp.signIns', '[]');
    const store = createSignInStore(secrets);
    await store.change('a', { tokens: tokensOf('first') });
    broken = true;
    await store.clean();
    assert.deepEqual((await store.read('a')).tokens, tokensOf('first'));
    assert.deepEqual(await store.read('b'), {});
    await assert.rejects(store.change('a', { tokens: undefined }));
    broken = false;
    await store.clean();
    assert.equal(stored.has('deft.mcp.signIns'), false);
    await store.change('a', { tokens: tokensOf('second') });
    assert.deepEqual((await createSignInStore(secrets).read('a')).tokens, tokensOf('second'));
  });
});
