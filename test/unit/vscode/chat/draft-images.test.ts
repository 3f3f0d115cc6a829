// Images of drafts on the disk: there until they are dropped, in the order of the calls, and not for ever.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createDraftImages } from '../../../../src/vscode/chat/conversation/draft-images';

describe('images of drafts', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'deft-drafts-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const image = { name: 'a.png', mediaType: 'image/png', data: 'QUFB'.repeat(1_000_000) };
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)];

  it('are read as they were kept, also by the next window, until they are dropped', async () => {
    const drafts = createDraftImages(path.join(folder, 'new'));
    void drafts.keep(one, image);
    assert.deepEqual(await drafts.read([two, one]), [{ id: one, image }]);
    const next = createDraftImages(path.join(folder, 'new'));
    assert.deepEqual(await next.read([one]), [{ id: one, image }]);
    void next.keep(two, image);
    await next.drop([one, two]);
    assert.deepEqual(readdirSync(path.join(folder, 'new')), []);
  });

  it('stay while somebody asks for them, however old their draft is', async () => {
    const place = path.join(folder, 'old');
    const drafts = createDraftImages(place);
    await drafts.keep(one, image);
    utimesSync(path.join(place, `${one}.json`), 0, 0);
    await drafts.read([one]);
    assert.equal((await createDraftImages(place).read([one])).length, 1);
  });

  it('are left out where their file was cut off, and go when they are old', async () => {
    const file = (id: string) => path.join(folder, `${id}.json`);
    writeFileSync(file(one), '{"name":"a.p');
    writeFileSync(file(two), '{}');
    utimesSync(file(two), 0, 0);
    assert.deepEqual(await createDraftImages(folder).read([one]), []);
    assert.deepEqual(readdirSync(folder).includes(path.basename(file(two))), false);
  });
});
