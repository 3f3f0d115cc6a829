// What tests of the built runner begin with: before each test a place and a scripted server, and after it no broken rule of the API.
import assert from 'node:assert/strict';
import { createHeadlessPlace, type HeadlessPlace } from './headless-run';
import { startMessagesApi, type MessagesApi, type MessagesApiOptions } from './messages-api/server';

/** To be called in a `describe`. */
export function withHeadlessPlace(
  use: (place: HeadlessPlace, server: MessagesApi) => void,
  options: MessagesApiOptions = {},
): void {
  let opened: { place: HeadlessPlace; server: MessagesApi };
  beforeEach(async () => {
    opened = { place: await createHeadlessPlace(), server: await startMessagesApi([], options) };
    use(opened.place, opened.server);
  });
  afterEach(async () => {
    await opened.server.close();
    await opened.place.remove();
    assert.deepEqual(opened.server.violations, []);
  });
}
