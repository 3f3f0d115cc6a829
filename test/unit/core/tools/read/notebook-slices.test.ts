// Large notebooks in slices: the same cells as at once, and others have their turns meanwhile.
import assert from 'node:assert/strict';
import { type Clock } from '../../../../../src/core/ports/clock';
import { parseNotebook } from '../../../../../src/core/tools/read/notebook';
import { decodeInSlices, parseNotebookInSlices } from '../../../../../src/core/tools/read/notebook-slices';
import { readTool } from '../../../../../src/core/tools/read/read';
import { createWorkspace, run } from '../../../../support/file-tool-runs';
import { codeCell, display, type Json, markdownCell, notebookText, stream } from '../../../../support/notebooks';

/** Each look at it is a millisecond later. */
function slowClock(): Clock & { pauses: number } {
  let time = 0;
  const clock = { pauses: 0, now: () => time++, sleep: async () => void clock.pauses++ };
  return clock;
}

const filler = 'x'.repeat(600_000);
const large = (cells: Json[], rest: Json = {}): string => notebookText([markdownCell('first', filler), ...cells], rest);
const odd = codeCell('odd', 'a = "[{,]}\\\\"\nb = "\\\\\\""', [
  stream('{"cells": [1, 2]}\n'),
  display({ 'application/json': { cells: [[], {}, ','] } }),
]);

describe('a notebook in slices', () => {
  const texts: Record<string, string> = {
    'cells whose strings look like JSON': large([odd, codeCell('b', ''), odd]),
    'one cell': large([]),
    'cells without blanks': JSON.stringify(JSON.parse(large([odd]))),
    'no cells': JSON.stringify({ metadata: { filler, cells: [1] }, cells: [], nbformat: 4, nbformat_minor: 5 }),
    'no cells, with blanks': `{"cells": [ \n ], "nbformat": 4, "x": "${filler}"}`,
    'cells behind other fields': JSON.stringify({
      nbformat: 4,
      metadata: { title: 'cells', filler },
      list: [1, [2]],
      cells: [{ cell_type: 'raw', source: 'x' }],
    }),
    'an older format': JSON.stringify({
      nbformat: 3,
      worksheets: [{ cells: [{ cell_type: 'markdown', source: filler }] }],
    }),
    'two lists': `{"nbformat": 4, "cells": [{"source": "one"}], "cells": [{"source": "two"}], "x": "${filler}"}`,
    'a list that is none': `{"nbformat": 4, "cells": {"a": 1}, "x": "${filler}"}`,
    'a cell that is none': `{"nbformat": 4, "cells": [{}, 3], "x": "${filler}"}`,
    'no notebook': JSON.stringify({ cells: [], filler }),
    'a list at the top': JSON.stringify(['cells', [1], filler]),
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`${name}: as at once`, async () => {
      const clock = slowClock();
      assert.deepEqual(
        await parseNotebookInSlices(text, { ports: { clock }, signal: new AbortController().signal }),
        parseNotebook(text),
      );
    });
  }

  const broken = [
    '{"nbformat": 4, "cells": [{}, ], "x": "',
    '{"nbformat": 4, "cells": [, {}], "x": "',
    '{"nbformat": 4, "cells": [{} {}], "x": "',
    '{"nbformat": 4, "cells": [{}}, "x": "',
    '{"nbformat": 4 "cells": [{}], "x": "',
    '{"nbformat": 4, "cells": [{"a]}], "x": "',
  ];
  for (const text of [
    ...broken.map((start) => `${start}${filler}"}`),
    `{"nbformat": 4, "cells": [{}], "x": "${filler}`,
    `{"nbformat": 4, "cells": [{}], "x": "${filler}"}}`,
  ]) {
    it(`no JSON, at once and in slices: ${text.slice(0, 40)}`, async () => {
      assert.equal(parseNotebook(text), undefined);
      assert.equal(
        await parseNotebookInSlices(text, { ports: { clock: slowClock() }, signal: new AbortController().signal }),
        undefined,
      );
    });
  }

  it('lets others have their turns, and stops when it is told', async () => {
    const text = large(Array.from({ length: 100 }, (_, index) => codeCell(`c${index}`, 'x')));
    const clock = slowClock();
    await parseNotebookInSlices(text, { ports: { clock }, signal: new AbortController().signal });
    assert.ok(clock.pauses >= 9, `${clock.pauses} pauses`);
    const stopped = { ...slowClock(), sleep: async (_ms: number, signal: AbortSignal) => signal.throwIfAborted() };
    await assert.rejects(
      parseNotebookInSlices(text, { ports: { clock: stopped }, signal: AbortSignal.abort(new Error('stopped')) }),
      /stopped/,
    );
  });

  const slicing = () => ({ ports: { clock: slowClock() }, signal: new AbortController().signal });
  for (const length of [0, 1, 2, 3, 750_000, 749_999, 1_500_001]) {
    it(`decodes ${length} bytes`, async () => {
      const bytes = Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 7) % 251));
      assert.deepEqual(
        Buffer.from((await decodeInSlices(bytes.toString('base64'), slicing())) ?? assert.fail()),
        bytes,
      );
    });
  }
  for (const data of ['A', 'AA*=', 'AA==AA==', `${'A'.repeat(999_998)}==AAAA`]) {
    it(`refuses ${data.slice(-10)}`, async () => assert.equal(await decodeInSlices(data, slicing()), undefined));
  }

  it('decodes no picture that is not shown', async () => {
    // What is not a picture falls back to its text: only the bytes show it.
    const pictures = Array.from({ length: 22 }, (_, index) =>
      codeCell(`c${index}`, 'x', [display({ 'image/png': index < 20 ? png : 'AAAA', 'text/plain': 'a figure' })]),
    );
    const { content } = await run(createWorkspace({ '/w/n.ipynb': notebookText(pictures) }), readTool, {
      file_path: '/w/n.ipynb',
    });
    const text = JSON.stringify(content);
    assert.equal(text.match(/image omitted: one call shows at most 20/g)?.length, 2);
    assert.ok(!text.includes('a figure'));
  });

  it('hundreds of thousands of empty lines in the middle of an output take no time', async () => {
    const output = stream(`a${'\n'.repeat(400_000)}b\n\n`);
    const { content } = await run(
      createWorkspace({ '/w/n.ipynb': notebookText([codeCell('a', 'x', [output])]) }),
      readTool,
      { file_path: '/w/n.ipynb' },
    );
    assert.match(JSON.stringify(content), /characters truncated[^]*b\\n\\n<system-reminder>/);
  });
});

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
