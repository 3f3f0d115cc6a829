import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type SessionCheckpoints } from '../../../src/core/ports/checkpoints';
import { type SessionRecord } from '../../../src/core/ports/record';
import { slimOutput } from '../../../src/core/sessions/slim-output';
import { editTool } from '../../../src/core/tools/edit/edit';
import { readTool } from '../../../src/core/tools/read/read';
import { writeTool } from '../../../src/core/tools/edit/write';
import { textsOfCall } from '../../../src/vscode/review/call-texts';
import { createWorkspace, run, type Workspace } from '../../support/file-tool-runs';
import { openCheckpoints, type RewindPlace, withCheckpoints } from '../../support/rewind-session';

const decode = async (bytes: Uint8Array): Promise<string> => new TextDecoder().decode(bytes);

/** The result as the log holds it. */
function logged(id: string, toolUseResult: unknown): SessionRecord {
  return {
    type: 'user',
    uuid: `uuid-${id}`,
    parentUuid: null,
    timestamp: '2026-11-21T10:00:00.000Z',
    sessionId: 's',
    cwd: '/w',
    version: '1',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Done.' }] },
    toolUseResult: slimOutput(toolUseResult),
  };
}

describe('the two texts of an edit, from the log', () => {
  const edits = async (
    text: string,
    old_string: string,
    new_string: string,
  ): Promise<{ output: unknown; workspace: Workspace }> => {
    const workspace = createWorkspace({ '/w/a.ts': text });
    await run(workspace, readTool, { file_path: '/w/a.ts' });
    const { output, failed } = await run(workspace, editTool, {
      file_path: '/w/a.ts',
      old_string,
      new_string,
      replace_all: true,
    });
    assert.equal(failed, undefined);
    return { output, workspace };
  };
  const many = Array.from({ length: 60 }, (_, line) => (line % 20 === 0 ? 'same' : `line ${line}`));
  const cases: Record<string, [text: string, from: string, to: string]> = {
    'in the middle': ['one\ntwo\nthree\n', 'two', 'TWO\nand more'],
    'at the end, where no line feed stands': ['one\ntwo', 'two', 'TWO'],
    'that ends the last line': ['one\ntwo', 'two', 'two\n'],
    'that takes lines away': ['one\ntwo\nthree\n', 'two\n', ''],
    'in many places': [`${many.join('\n')}\n`, 'same', 'other\nand more'],
    'with the line endings of Windows': ['one\r\ntwo\r\nthree\r\n', 'two', 'TWO\nand more'],
  };
  for (const [name, [text, from, to]] of Object.entries(cases)) {
    it(`are those of an edit ${name}`, async () => {
      const { output, workspace } = await edits(text, from, to);
      const after = await workspace.files.readText('/w/a.ts', 1_000_000);
      assert.equal(after.outcome, 'read');
      const texts = await textsOfCall('b', {
        records: [logged('a', { filePath: '/w/other' }), logged('b', output)],
        checkpoints: undefined,
        decode,
      });
      assert.deepEqual(texts, {
        path: '/w/a.ts',
        before: text,
        after: after.outcome === 'read' ? after.file.text : '',
      });
    });
  }

  it('are nothing and the whole text of a file that was new', async () => {
    const { output } = await run(createWorkspace(), writeTool, { file_path: '/w/new.ts', content: 'one\ntwo\n' });
    assert.deepEqual(await textsOfCall('a', { records: [logged('a', output)], checkpoints: undefined, decode }), {
      path: '/w/new.ts',
      before: '',
      after: 'one\ntwo\n',
    });
  });

  it('are not to be had where the log holds them cut, and the checkpoints nothing', async () => {
    const text = `${'x'.repeat(99)}\n`.repeat(400);
    const { output } = await edits(`start\n${text}`, 'start', 'begin');
    assert.equal(await textsOfCall('a', { records: [logged('a', output)], checkpoints: undefined, decode }), undefined);
    const { output: made } = await run(createWorkspace(), writeTool, {
      file_path: '/w/new.ts',
      content: 'line\n'.repeat(3_000),
    });
    assert.equal(await textsOfCall('a', { records: [logged('a', made)], checkpoints: undefined, decode }), undefined);
    assert.equal(
      await textsOfCall('gone', { records: [logged('a', made)], checkpoints: undefined, decode }),
      undefined,
    );
  });

  it('are not made up where the hunks belong to another text', async () => {
    const { output } = await edits('one\ntwo\nthree\n', 'two', 'TWO');
    const other = { ...(output as object), originalFile: 'uno\ndue\ntre\n' };
    assert.equal(await textsOfCall('a', { records: [logged('a', other)], checkpoints: undefined, decode }), undefined);
  });
});

describe('the two texts of an edit, from the checkpoints', () => {
  let place: RewindPlace;
  let checkpoints: SessionCheckpoints;
  withCheckpoints((...opened) => ([place, checkpoints] = opened));
  const changes = async (id: string, file: string, text: string | undefined): Promise<void> => {
    const ended = await checkpoints.before({ id, files: [file], anything: false, othersRun: false });
    if (text === undefined) rmSync(file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    await ended();
  };

  it('are those of that very call, whatever came later, and after a restart too', async () => {
    const file = path.join(place.folder, 'deep/a.txt');
    const long = `${'x'.repeat(99)}\n`.repeat(400);
    await changes('first', file, long);
    await changes('second', file, `${long}more\n`);
    await changes('third', file, 'short\n');
    await checkpoints.close();
    const restarted = openCheckpoints(place);
    const source = { records: [], checkpoints: restarted, decode };
    assert.deepEqual(await textsOfCall('first', source), { path: file, before: '', after: long });
    assert.deepEqual(await textsOfCall('second', source), { path: file, before: long, after: `${long}more\n` });
    assert.equal(await textsOfCall('fourth', source), undefined);
    await restarted.close();
  });

  it('are not to be had of what was too large, is gone or was no text', async () => {
    const file = path.join(place.folder, 'a.txt');
    await changes('large', file, 'x'.repeat(6_000_000));
    assert.equal(await textsOfCall('large', { records: [], checkpoints, decode }), undefined);
    await changes('small', file, 'small\n');
    await changes('gone', file, undefined);
    assert.equal(await textsOfCall('gone', { records: [], checkpoints, decode }), undefined);
    await changes('binary', file, '\0');
    assert.equal(await textsOfCall('binary', { records: [], checkpoints, decode: async () => undefined }), undefined);
  });
});
