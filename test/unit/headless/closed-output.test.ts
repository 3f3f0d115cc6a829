// Whoever read the output has gone: the run ends at once, and by itself.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless, output that nobody reads', () => {
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('says why where it cannot be written', async () => {
    // Other systems have no such file.
    if (!existsSync('/dev/full')) return;
    server.setScript([reply('Hello.')]);
    const end = await place.run(['-p', 'Hello', '--output-format', 'json'], {
      url: server.url,
      shell: '"$@" >/dev/full',
    });
    assert.equal(end.code, 1);
    assert.match(
      end.stderr,
      /^deft: Cannot write to standard output: ENOSPC.* The model's reply is saved in the session\.\n$/,
    );
  });

  it('ends with a failure where the reader of the pipe is gone after the first line', async () => {
    // The abort meets the end of the reply, where a fetch may never settle: which of several runs that is nobody knows.
    const runs = 4;
    server.setScript(async () => {
      while ((await readdir(place.workspace)).length < runs) await setTimeout(10);
      return reply('A text that comes in several pieces, so that there is an end of it.');
    });
    const shell = (run: number): string =>
      `"$@" | { read -r line; exec <&-; touch gone-${run}; }; exit "\${PIPESTATUS[0]}"`;
    const ends = await Promise.all(
      Array.from({ length: runs }, (_, run) =>
        place.run(['-p', 'Hello', '--output-format', 'stream-json'], { url: server.url, shell: shell(run) }),
      ),
    );
    assert.deepEqual(
      ends.map(({ code }) => code),
      [1, 1, 1, 1],
      ends[0]?.stderr,
    );
  });
});
