// The host's messages become state: numbered events once each, gaps ask for a snapshot.
import assert from 'node:assert/strict';
import { emptyChat, type ChatEvent } from '../../../src/shared/chat';
import { type HostMessages } from '../../../src/shared/host-messages';
import { ChatStore } from '../../../webview-ui/state/chat-store';
import { createReceived } from '../../../webview-ui/state/receive';
import { surroundings } from '../../support/surroundings';

const snapshot = (epoch: number, seq = 0): HostMessages['snapshot'] => ({
  epoch,
  seq,
  state: emptyChat('s', 'default', 'm'),
  surroundings: surroundings(),
});
const title = (text: string): ChatEvent => ({ type: 'title', title: text });

describe('received messages', () => {
  let frames: (() => void)[] = [];
  const original = { request: globalThis.requestAnimationFrame, cancel: globalThis.cancelAnimationFrame };
  before(() => {
    globalThis.requestAnimationFrame = (callback) => frames.push(() => callback(0));
    globalThis.cancelAnimationFrame = () => undefined;
  });
  after(() => {
    globalThis.requestAnimationFrame = original.request;
    globalThis.cancelAnimationFrame = original.cancel;
  });

  function start() {
    frames = [];
    let asked = 0;
    const drawn: [number, number][] = [];
    const store = new ChatStore();
    const received = createReceived(
      store,
      () => asked++,
      (epoch, seq) => drawn.push([epoch, seq]),
    );
    const events = (epoch: number, from: number, ...titles: string[]) =>
      received.takeEvents({ epoch, from, events: titles.map(title) });
    const draw = () => frames.splice(0).forEach((frame) => frame());
    return { store, received, events, draw, drawn, asked: () => asked, title: () => store.facts.peek().title };
  }

  it('applies events once a frame', () => {
    const { received, events, draw, title: shown } = start();
    received.takeSnapshot(snapshot(1));
    events(1, 0, 'a');
    events(1, 1, 'b');
    assert.equal(shown(), '');
    assert.equal(frames.length, 1);
    draw();
    assert.equal(shown(), 'b');
  });

  it('acknowledges what is painted, once a frame and not before', async () => {
    const { received, events, draw, drawn } = start();
    const painted = () => new Promise((resolve) => setTimeout(resolve));
    received.takeSnapshot(snapshot(1, 4));
    await painted();
    assert.deepEqual(drawn, [[1, 4]]);
    events(1, 4, 'a', 'b');
    events(1, 6, 'c');
    await painted();
    assert.equal(drawn.length, 1, 'no frame has come');
    draw();
    await painted();
    assert.deepEqual(drawn.slice(1), [[1, 7]]);
  });

  it('drops what it has already and what is of another epoch', () => {
    const { received, events, draw, title: shown, asked } = start();
    received.takeSnapshot(snapshot(2, 5));
    events(2, 3, 'old', 'old', 'new');
    events(1, 6, 'void');
    draw();
    assert.equal(shown(), 'new');
    events(2, 4, 'old', 'again');
    draw();
    assert.equal(shown(), 'new');
    assert.equal(asked(), 0);
  });

  it('asks once after a gap, and goes on after the snapshot', () => {
    const { received, events, draw, title: shown, asked } = start();
    received.takeSnapshot(snapshot(1));
    events(1, 2, 'lost');
    events(1, 3, 'lost');
    assert.equal(asked(), 1);
    received.takeSnapshot(snapshot(2, 4));
    events(2, 4, 'found');
    draw();
    assert.equal(shown(), 'found');
    events(2, 9, 'lost');
    assert.equal(asked(), 2);
  });

  it('forgets events that wait while a snapshot comes', () => {
    const { received, events, draw, title: shown } = start();
    received.takeSnapshot(snapshot(1));
    events(1, 0, 'before');
    received.takeSnapshot(snapshot(2));
    draw();
    assert.equal(shown(), '');
  });
});
