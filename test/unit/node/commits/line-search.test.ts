// Who wrote a line, by the logs of many sessions: exact, honest where the logs do not say.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LineNow, lineOrigin } from '../../../../src/core/commit/line-origin';
import { findLineEdits } from '../../../../src/node/commits/line-search';

const file = '/w/src/a "ü".ts';
const now = (text: string, above?: string, below?: string): LineNow => ({ text, above, below });

interface Edit {
  id: string;
  at: string;
  lines: string[];
  file?: string;
  failed?: true;
  added?: number;
}

const recordOf = ({ id, at, lines, file: of = file, failed, added }: Edit): string =>
  JSON.stringify({
    type: 'user',
    uuid: `u-${id}`,
    parentUuid: null,
    timestamp: `2026-01-01T00:00:${at}.000Z`,
    sessionId: 's',
    cwd: '/w',
    version: '1',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...(failed && { is_error: true }) }],
    },
    toolUseResult: {
      filePath: of,
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }],
      added,
    },
  });

describe('who wrote a line', function () {
  this.timeout(60_000);
  let root: string;
  before(async () => void (root = await mkdtemp(path.join(tmpdir(), 'deft-test-'))));
  after(() => rm(root, { recursive: true, force: true }));

  let sessions: string[] = [];
  async function log(id: string, ...edits: Edit[]): Promise<void> {
    await writeFile(path.join(root, `${id}.jsonl`), `not JSON\n${edits.map(recordOf).join('\n')}\n`);
    sessions.push(id);
  }
  const search = (line: LineNow) =>
    findLineEdits({ root, sessions, path: file, line, signal: AbortSignal.timeout(30_000) });
  const origin = async (line: LineNow) => {
    const found = lineOrigin((await search(line)).edits, line);
    if (found.kind === 'none') return 'none';
    return found.kind === 'edit'
      ? `${found.edit.session} ${found.edit.toolUseId} ${found.earlier.map(({ toolUseId }) => toolUseId).join(',')}`.trim()
      : `${found.edit.toolUseId} removed by ${found.by.toolUseId}`;
  };

  it('is the newest edit that added this very text, and earlier ones are counted', async () => {
    sessions = [];
    await log(
      'one',
      { id: 'e1', at: '01', lines: ['+const a = 1;'] },
      { id: 'e2', at: '03', lines: ['-const a = 1;', '+const a = 2;'] },
    );
    await log(
      'two',
      { id: 'e3', at: '05', lines: [' const a = 2;', '+const b = 1;'] },
      { id: 'e4', at: '07', lines: ['-const b = 1;', '+const a = 2;'] },
    );
    assert.equal(await origin(now('const a = 2;')), 'two e4 e2');
    assert.equal(await origin(now('const a = 1;')), 'e1 removed by e2');
    assert.equal(await origin(now('const b = 1;')), 'e3 removed by e4');
    for (const other of ['const a = 2', ' const a = 2;', 'const a = 3;'])
      assert.equal(await origin(now(other)), 'none', other);
  });

  it('is no edit that failed, of another file, or only moved past the line', async () => {
    sessions = [];
    await log(
      'one',
      { id: 'f', at: '01', lines: ['+let x = 1;'], failed: true },
      { id: 'g', at: '02', lines: ['+let x = 1;'], file: `${file}x` },
      { id: 'h', at: '03', lines: [' let x = 1;', '+y'] },
    );
    assert.equal(await origin(now('let x = 1;')), 'none');
  });

  it('finds lines that are in every file only with a neighbour that is the same', async () => {
    sessions = [];
    await log(
      'one',
      { id: 'e1', at: '01', lines: [' call();', '+}', '+', '+next();'] },
      { id: 'e2', at: '02', lines: [' other();', '+}'] },
    );
    assert.equal(await origin(now('}', 'call();', 'next();')), 'one e1');
    assert.equal(await origin(now('}', 'mine();', 'yours();')), 'none');
  });

  it("reads agents' logs, and says where a log has a part of an edit", async () => {
    sessions = [];
    await log('one', { id: 'long', at: '01', lines: ['+first'], added: 5_000 });
    const folder = path.join(root, 'one', 'subagents');
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, 'agent-x.jsonl'),
      `${recordOf({ id: 'agent', at: '02', lines: ['+by an agent'] })}\n`,
    );
    assert.equal(await origin(now('by an agent')), 'one agent');
    assert.equal((await search(now('by nobody'))).cut, 1);
  });

  it('finds one edit among two hundred sessions', async () => {
    sessions = [];
    const other = recordOf({
      id: 'o',
      at: '01',
      lines: Array.from({ length: 40 }, (_line, index) => `+line ${index} of something`),
      file: '/w/other.ts',
    });
    const filler = `${`${other}\n`.repeat(Math.ceil(200_000 / other.length))}`;
    const many = Array.from({ length: 30 }, (_edit, index) =>
      recordOf({ id: `m${index}`, at: '02', lines: Array.from({ length: 300 }, (_line, at) => `+row ${at}`) }),
    ).join('\n');
    for (let index = 0; index < 200; index++) {
      const id = `many-${index}`;
      await writeFile(path.join(root, `${id}.jsonl`), index % 10 === 0 ? `${filler}${many}\n` : filler);
      sessions.push(id);
    }
    await log('last', { id: 'found', at: '09', lines: ['+the line'] });
    const found = await search(now('the line'));
    assert.deepEqual(
      found.edits.map(({ toolUseId }) => toolUseId),
      ['found'],
    );
  });
});
