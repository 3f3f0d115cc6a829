import assert from 'node:assert/strict';
import { type FileSystem, type TextChange, type TextFile, type WriteOutcome } from '../../../src/core/ports/files';
import { namingWriters } from '../../../src/vscode/files/last-writers';

describe('who wrote a file last', () => {
  const file = (path: string, text: string): TextFile => ({ path, text, encoding: 'utf8', hash: text, unsaved: false });
  let disk: Map<string, TextFile>;
  let files: FileSystem;
  const write = (path: string, base: string | undefined, text: string, session?: string): Promise<WriteOutcome> =>
    files.writeText({
      ...{ path, base: base === undefined ? undefined : file(path, base), text, approved: false },
      ...(session === undefined ? {} : { session }),
    });
  const by = async (outcome: Promise<WriteOutcome>): Promise<unknown> => {
    const got = await outcome;
    assert.equal(got.outcome, 'changed');
    return got.outcome === 'changed' ? got.by : undefined;
  };

  beforeEach(() => {
    disk = new Map();
    const plain = {
      async writeText({ path, base, text }: TextChange): Promise<WriteOutcome> {
        const current = disk.get(path);
        if (current?.hash !== base?.hash) return { outcome: 'changed', current };
        disk.set(path, file(path, text));
        return { outcome: 'written', file: file(path, text), notes: [] };
      },
    };
    const titles: Record<string, string> = { a: 'First', b: 'Second' };
    files = namingWriters(plain as FileSystem, (session) => titles[session]);
  });

  it('is the chat of another session, by its title', async () => {
    await write('/w/x', undefined, '1', 'a');
    assert.deepEqual(await by(write('/w/x', undefined, '2', 'b')), { chat: 'First' });
  });

  it('is the session itself: one of its agents, or another of its calls', async () => {
    await write('/w/x', undefined, '1', 'a');
    assert.equal(await by(write('/w/x', undefined, '2', 'a')), 'this session');
  });

  it('is nobody known where the file was written to since, was removed, or its chat is closed', async () => {
    await write('/w/x', undefined, '1', 'a');
    disk.set('/w/x', file('/w/x', 'by hand'));
    assert.equal(await by(write('/w/x', undefined, '2', 'b')), undefined);
    disk.delete('/w/x');
    assert.equal(await by(write('/w/x', '1', '2', 'b')), undefined);
    await write('/w/y', undefined, '1', 'closed');
    assert.equal(await by(write('/w/y', undefined, '2', 'b')), undefined);
  });

  it('is remembered of the 2,000 files that were written last', async () => {
    for (let index = 0; index <= 2_000; index++) await write(`/w/${index}`, undefined, '1', 'a');
    assert.equal(await by(write('/w/0', undefined, '2', 'b')), undefined);
    assert.deepEqual(await by(write('/w/1', undefined, '2', 'b')), { chat: 'First' });
  });
});
