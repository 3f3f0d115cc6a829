// Browsers of Page: none stays behind, nor what it kept, however often they are opened and however they end.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodePages } from '../../../../src/node/page/node-pages';
import { browserCandidates, lookedFor } from '../../../../src/node/page/browser-places';
import { type PageOutcome, type PageStep, type Pages } from '../../../../src/core/ports/pages';
import { ensureBrowser } from '../../../rig/browser';
import { type FaultyApp, startFaultyApp } from '../../../support/faulty-app';
import { processesWith } from '../../../support/machine-processes';

/** More on demand: `npm run soak:pages`. */
const rounds = Number(process.env['SOAK_PAGES'] ?? 6);
const never = new AbortController().signal;
const everything = { mayGo: () => true, mayLoad: () => true, deniedHosts: [] };

describe('the browsers of Page', function () {
  this.timeout(60_000 + rounds * 5_000);
  let chosen: string;
  let app: FaultyApp;
  let temporary: string;
  const temporaryBefore = process.env['TMPDIR'];

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    chosen = ensureBrowser();
    app = await startFaultyApp();
    temporary = await mkdtemp(path.join(tmpdir(), 'deft-browsers-'));
    process.env['TMPDIR'] = temporary;
  });
  after(async () => {
    if (temporaryBefore === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporaryBefore;
    await app.close();
    await rm(temporary, { recursive: true, force: true });
  });

  const open = (pages: Pages, step: PageStep, signal = never, session = 's'): Promise<PageOutcome> =>
    pages.run({ session, step, rules: everything }, signal);
  const started = (): Pages => createNodePages({ search: async () => ({ chosen, environment: process.env }) });
  const left = async (): Promise<unknown[]> => [...processesWith(temporary), ...(await readdir(temporary))];
  const total = (): PageStep => ({ action: 'open', url: `${app.url}/total` });

  it(`leave nothing behind in ${rounds} rounds: closed, ended with the session, or stopped in the middle`, async () => {
    const began = Date.now();
    for (let round = 0; round < rounds; round++) {
      const pages = started();
      const outcome = await open(pages, total());
      assert.equal(outcome.outcome, 'done', JSON.stringify(outcome));
      if (round % 3 === 0) await open(pages, { action: 'close' });
      else if (round % 3 === 1) await pages.end('s');
      else {
        const stop = new AbortController();
        const hanging = open(pages, { action: 'open', url: `${app.url}/api/never` }, stop.signal);
        stop.abort();
        await assert.rejects(hanging);
      }
      await pages.dispose();
      assert.deepEqual(await left(), [], `round ${round}`);
    }
    if (process.env['SOAK_PAGES'] !== undefined)
      console.log(`${rounds} browsers, nothing left behind; ${Math.round((Date.now() - began) / rounds)} ms each`);
  });

  it('are one for each session, whose pages know nothing of each other', async () => {
    const pages = started();
    try {
      await Promise.all(['one', 'other'].map((session) => open(pages, total(), never, session)));
      assert.equal(pages.address('one'), `${app.url}/total`);
      await pages.end('one');
      assert.equal(pages.address('one'), undefined);
      assert.equal(pages.address('other'), `${app.url}/total`);
      const ended = await open(pages, total(), never, 'other');
      assert.equal(ended.outcome, 'done');
    } finally {
      await pages.dispose();
    }
    assert.deepEqual(await left(), []);
    assert.deepEqual(await open(pages, total()), {
      outcome: 'refused',
      code: 'no-page',
      message: 'The session has ended.',
      events: [],
    });
  });

  it('that die by themselves are told, and another one starts', async () => {
    const pages = started();
    try {
      await open(pages, total());
      for (const pid of processesWith(temporary)) process.kill(pid, 'SIGKILL');
      const told = await open(pages, { action: 'look' });
      assert.equal(told.outcome === 'refused' && told.code, 'no-page');
      assert.equal((await open(pages, total())).outcome, 'done');
    } finally {
      await pages.dispose();
    }
    assert.deepEqual(await left(), []);
  });

  it('are looked for where the setting or the system says, and what is not there is named', async () => {
    const wrong = createNodePages({ search: async () => ({ chosen: '/no/such/browser', environment: {} }) });
    const outcome = await open(wrong, total());
    assert.equal(outcome.outcome === 'refused' && outcome.code, 'no-browser');
    assert.match(JSON.stringify(outcome), /\/no\/such\/browser, which the setting deft\.page\.browser names/);
    await wrong.dispose();
    for (const platform of ['linux', 'darwin', 'win32']) {
      const places = browserCandidates(platform, { HOME: '/h', PATH: '/a', PROGRAMFILES: 'C:\\P' });
      assert.ok(places.length > 2);
      const words = lookedFor(platform);
      for (const name of ['Chrome', 'Chromium', 'Edge']) assert.match(words, new RegExp(name, 'i'), platform);
    }
    const program = createNodePages({ search: async () => ({ chosen: '/bin/false', environment: {} }) });
    const failed = await open(program, total());
    assert.match(JSON.stringify(failed), /No browser could be started\. \/bin\/false: /);
    await program.dispose();
    assert.deepEqual(await left(), []);
  });
});
