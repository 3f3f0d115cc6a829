// The draft's images outlive their page, whatever their size, and the page's own state stays small.
import assert from 'node:assert/strict';
import type { WebviewMessage } from '../../../src/shared/protocol';
import { openWebviewPage, webviewPage } from '../../support/webview-page';
import {
  aside,
  askForImages,
  attachImages,
  clearDraft,
  draft,
  images,
  imagesAreThere,
  imagesKept,
  restoreDraft,
  setAside,
  setDraft,
  setImages,
  writeAnew,
} from '../../../webview-ui/state/draft';

const large = (name: string) => ({ name, mediaType: 'image/png', data: name.repeat(4_500_000 / name.length) });

describe('images of the draft', () => {
  before(openWebviewPage);
  after(() => {
    clearDraft();
    setAside(null);
  });
  beforeEach(() => {
    setAside(null);
    clearDraft();
    webviewPage.posted = [];
  });

  const ofType = <Type extends WebviewMessage['type']>(type: Type) =>
    webviewPage.posted.filter((message): message is Extract<WebviewMessage, { type: Type }> => message.type === type);

  it('go to the host once each; the state holds their names', () => {
    attachImages([large('a'), large('b')]);
    setDraft('Look at these');
    attachImages([large('c')]);
    assert.deepEqual(
      ofType('keepImage').map(({ image }) => image.name),
      ['a', 'b', 'c'],
    );
    assert.ok(
      JSON.stringify(webviewPage.state).length < 1_000,
      `${JSON.stringify(webviewPage.state).length} characters`,
    );
  });

  it('are asked for by a new page, and stand before what is attached meanwhile', () => {
    attachImages([large('a'), large('b')]);
    const kept = ofType('keepImage').map(({ id, image }) => ({ id, image }));
    restoreDraft();
    assert.equal(images.peek().length, 0);
    void askForImages();
    assert.deepEqual(
      ofType('keptImages')[0]?.ids,
      kept.map(({ id }) => id),
    );
    attachImages([large('c')]);
    imagesKept(kept);
    assert.deepEqual(
      images.peek().map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(ofType('dropImages'), []);
    assert.equal(ofType('keepImage').length, 3);
  });

  it('are kept no longer than something shows them', () => {
    attachImages([large('a'), large('b')]);
    const [first, second] = ofType('keepImage').map(({ id }) => id);
    setImages(images.peek().slice(1));
    assert.deepEqual(
      ofType('dropImages').map(({ ids }) => ids),
      [[first]],
    );
    setDraft('half a thought');
    writeAnew({ text: 'Another', images: [] });
    assert.deepEqual(
      aside.peek()?.images.map(({ key }) => key),
      [second],
    );
    attachImages(aside.peek()?.images ?? []);
    setAside(null);
    assert.equal(ofType('dropImages').length, 1);
    clearDraft();
    assert.deepEqual(ofType('dropImages').at(-1)?.ids, [second]);
    assert.equal(ofType('keepImage').length, 2);
  });

  it('of a draft that made room come back to it', () => {
    attachImages([large('a')]);
    setDraft('half a thought');
    writeAnew({ text: 'Another', images: [] });
    const kept = ofType('keepImage').map(({ id, image }) => ({ id, image }));
    restoreDraft();
    void askForImages();
    imagesKept(kept);
    assert.deepEqual(
      [draft.peek(), images.peek().length, aside.peek()?.text, aside.peek()?.images.map(({ name }) => name)],
      ['Another', 0, 'half a thought', ['a']],
    );
  });

  it('that come only after their draft has made room go aside with it', () => {
    attachImages([large('a')]);
    const kept = ofType('keepImage').map(({ id, image }) => ({ id, image }));
    restoreDraft();
    void askForImages();
    let sent = 0;
    imagesAreThere(() => sent++);
    writeAnew({ text: 'Another', images: [] });
    imagesKept(kept);
    assert.deepEqual(
      [draft.peek(), images.peek().length, aside.peek()?.images.map(({ name }) => name)],
      ['Another', 0, ['a']],
    );
    assert.equal(sent, 0, 'what was to be sent is not this message');
  });

  it('hold a message up that is sent before they are there, and no second time', () => {
    attachImages([large('a')]);
    const kept = ofType('keepImage').map(({ id, image }) => ({ id, image }));
    restoreDraft();
    let sent = 0;
    assert.equal(
      imagesAreThere(() => sent++),
      false,
    );
    assert.equal(
      imagesAreThere(() => undefined),
      true,
    );
    imagesKept(kept);
    assert.equal(sent, 1);
    assert.equal(
      imagesAreThere(() => undefined),
      true,
    );
  });

  it('what is typed is kept with the key that typed it', () => {
    setDraft('the last word');
    assert.equal((webviewPage.state as { draft: string }).draft, 'the last word');
  });
});
