// What the user drops or picks in VS Code: attached, mentioned, or told why not.
import assert from 'node:assert/strict';
import { type NamedFile, nameFiles } from '../../../../src/vscode/chat/messages/name-files';
import { createMemoryFiles } from '../../../support/memory-files';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const files = () =>
  createMemoryFiles({
    '/w/src/a.ts': 'one\n',
    '/w/src/with space.ts': 'two\n',
    '/w/shot.PNG': png,
    '/w/photo.jpg': png,
    '/w/data.bin': new Uint8Array([0, 1, 2, 0]),
    '/w/large.log': 'x'.repeat(2_500_000),
    '/w/long.txt': 'x'.repeat(70_000),
    '/w/secret.env': 'KEY=1',
    '/w/link.txt': { link: '/w/secret.env' },
    '/w/pipe': { type: 'other' },
    '/home/notes.txt': 'mine\n',
    '/home/shot.webp': png,
  });

const named = (path: string): NamedFile => ({ path, name: path.slice(path.lastIndexOf('/') + 1) });
const name = (all: readonly NamedFile[], folders = [{ name: 'w', path: '/w' }]) =>
  nameFiles(all, {
    files: files(),
    folders,
    isHidden: (path) => path.endsWith('.env'),
    shown: (path) => path.replace(/^\/w\//, ''),
  });

describe('files that are dropped', () => {
  it('are mentioned by the paths that the chat counts from, folders as such, lines with them', async () => {
    const taken = await name([
      named('/w/src/a.ts'),
      named('/w/src/with space.ts'),
      named('/w/src'),
      { ...named('/w/src/a.ts'), lines: { start: 3, end: 5 } },
    ]);
    assert.deepEqual(taken, {
      text: '@src/a.ts @"src/with space.ts" @src/ @src/a.ts#3-5 ',
      pictures: [],
      problems: [],
    });
  });

  it('are attached where they are pictures, also those from elsewhere', async () => {
    const data = png.toString('base64');
    assert.deepEqual(await name(['/w/shot.PNG', '/w/photo.jpg', '/home/shot.webp'].map(named)), {
      text: '',
      pictures: [
        { name: 'shot.PNG', mediaType: 'image/png', data },
        { name: 'photo.jpg', mediaType: 'image/jpeg', data },
        { name: 'shot.webp', mediaType: 'image/webp', data },
      ],
      problems: [],
    });
  });

  it('are mentioned with a sentence where the agent does not get all of them', async () => {
    const taken = await name(['/w/data.bin', '/w/large.log', '/w/long.txt', '/home/notes.txt'].map(named));
    assert.equal(taken.text, '@data.bin @large.log @long.txt @/home/notes.txt ');
    assert.deepEqual(taken.problems, [
      'data.bin is not text: only its path goes along.',
      'large.log is too large to attach (2.4MB): only its path goes along.',
      'long.txt is long: only its first 60,000 characters go along.',
      '/home/notes.txt is outside the workspace: only its path goes along.',
    ]);
    const nowhere = await name([named('/w/src/a.ts')], []);
    assert.deepEqual(nowhere.problems, ['src/a.ts is outside the workspace: only its path goes along.']);
  });

  it('are refused with a sentence where they can be neither', async () => {
    const unsaved = { path: undefined, name: 'Untitled-1' };
    assert.deepEqual(await name([unsaved, ...['/w/gone.ts', '/w/secret.env', '/w/link.txt', '/w/pipe'].map(named)]), {
      text: '',
      pictures: [],
      problems: [
        'Untitled-1 is not a file: save it first, or paste its text.',
        'gone.ts was not found.',
        'Your rules hide secret.env from the agent.',
        'Your rules hide link.txt from the agent.',
        'pipe is neither a file nor a folder.',
      ],
    });
  });
});
