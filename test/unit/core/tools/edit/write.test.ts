// Write beyond its table: long texts, Read afterwards, and its place among the tools.
import assert from 'node:assert/strict';
import { readTool } from '../../../../../src/core/tools/read/read';
import { writeTool } from '../../../../../src/core/tools/edit/write';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { createWorkspace, run } from '../../../../support/file-tool-runs';

const A = '/w/a.txt';

describe('Write', () => {
  it('leaves long texts out of its structured result, and caps its patch', async () => {
    const workspace = createWorkspace();
    const { output, view } = await run(workspace, writeTool, {
      file_path: A,
      content: 'a line of text\n'.repeat(20_000),
    });
    const { content, structuredPatch, added } = output as {
      content?: string;
      structuredPatch: { lines: string[] }[];
      added: number;
    };
    assert.equal(content, undefined);
    assert.deepEqual([structuredPatch[0]?.lines.length, added], [2_000, 20_000]);
    assert.equal((view as { truncated: boolean }).truncated, true);
  });

  it('lets Read show the file after it was written', async () => {
    const workspace = createWorkspace();
    await run(workspace, writeTool, { file_path: A, content: 'a\n' });
    assert.match((await run(workspace, readTool, { file_path: A })).text, /^1\ta\n/);
  });

  it("replaces what was not read where the user's settings allow that, and still not what has changed since it was read", async () => {
    const workspace = createWorkspace({ [A]: 'old\r\n' });
    assert.equal((await run(workspace, writeTool, { file_path: A, content: 'new\n' })).failed, 'not-read');
    workspace.writesUnread = true;
    assert.match((await run(workspace, writeTool, { file_path: A, content: 'new\n' })).text, /has been updated/);
    assert.equal(workspace.files.text(A), 'new\r\n');
    workspace.files.put(A, 'by somebody else\n');
    assert.equal((await run(workspace, writeTool, { file_path: A, content: 'x\n' })).failed, 'changed');
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(writeTool.access, 'WorkspaceWrite');
    const input = { file_path: '/w/a', content: '' };
    assert.ok(!writeTool.isReadOnly(input) && !writeTool.isConcurrencySafe(input));
    assert.deepEqual(writeTool.targets(input, '/w'), [{ kind: 'file', access: 'write', path: '/w/a' }]);
    assert.deepEqual(Object.keys(jsonSchemaOf(writeTool.inputSchema).properties ?? {}), ['file_path', 'content']);
  });
});
