// A watched request ends when it is aborted, whatever the fetch below makes of that.
import assert from 'node:assert/strict';
import { watchedFetch } from '../../../src/providers/watched-fetch';

const patience = { stallMs: 1000, quietMs: 1000, startTimer: () => () => undefined };

describe('watched fetch', () => {
  it('ends the reading of a body that its fetch never lets go of, and gives the body back', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    const watched = watchedFetch(async () => new Response(body), patience);
    const answer = await watched.fetch('http://127.0.0.1/', { signal: watched.signal });
    const read = answer.body?.getReader().read();
    watched.abort();
    await assert.rejects(read ?? Promise.resolve(), { name: 'AbortError' });
    assert.equal(cancelled, true);
  });

  it('lets what is whole be read to its end, aborted later', async () => {
    const watched = watchedFetch(async () => new Response('all of it'), patience);
    const answer = await watched.fetch('http://127.0.0.1/');
    assert.equal(await answer.text(), 'all of it');
    watched.abort();
  });
});
