import assert from 'node:assert/strict';
import { type ModelClient } from '../../../../src/core/ports/model';
import { createKeptClient } from '../../../../src/vscode/model/kept-client';
import { createScriptedModel } from '../../../support/scripted-model';

describe('the client for what is set up', () => {
  const clientOf = (): ModelClient => createScriptedModel([]);
  const made = (): {
    promise: Promise<ModelClient>;
    done: (client: ModelClient) => void;
    failed: (error: Error) => void;
  } => {
    let done = (_client: ModelClient): void => undefined;
    let failed = (_error: Error): void => undefined;
    const promise = new Promise<ModelClient>((resolve, reject) => ([done, failed] = [resolve, reject]));
    return { promise, done, failed };
  };

  it('is made once, also for two who ask at once', async () => {
    const kept = createKeptClient(() => assert.fail('none is replaced'));
    let times = 0;
    const make = async (): Promise<ModelClient> => (times++, clientOf());
    const [first, second] = await Promise.all([kept.begin()('key', make), kept.begin()('key', make)]);
    assert.deepEqual([times, first === second, kept.present === first], [1, true, true]);
  });

  it('is made anew after a failure', async () => {
    const kept = createKeptClient(() => assert.fail('none is replaced'));
    await assert.rejects(
      kept.begin()('key', () => Promise.reject(new Error('No module.'))),
      /No module/,
    );
    const client = clientOf();
    assert.equal(await kept.begin()('key', async () => client), client);
    assert.equal(kept.present, client);
  });

  it('is the one for what was read last, however long an older one takes', async () => {
    const gone: ModelClient[] = [];
    const kept = createKeptClient((client) => void gone.push(client));
    const [old, slow, fresh] = [clientOf(), made(), clientOf()];
    const [beginsFirst, beginsSecond] = [kept.begin(), kept.begin()];
    const older = beginsFirst('old', () => slow.promise);
    assert.equal(await beginsSecond('new', async () => fresh), fresh);
    slow.done(old);
    assert.equal(await older, old);
    assert.deepEqual([kept.present === fresh, gone.length, gone[0] === old], [true, 1, true]);
  });

  it('is the one for what was read last, where the older is asked for later', async () => {
    const kept = createKeptClient(() => undefined);
    const fresh = clientOf();
    const [beginsFirst, beginsSecond] = [kept.begin(), kept.begin()];
    await beginsSecond('new', async () => fresh);
    await beginsFirst('old', async () => clientOf());
    assert.equal(kept.present, fresh);
  });
});
