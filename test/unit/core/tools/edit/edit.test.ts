// Edit beyond its table: problems that it reports, Stop, and its place among the tools.
import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../../../src/core/ports/diagnostics';
import { type TextFile } from '../../../../../src/core/ports/files';
import { editTool } from '../../../../../src/core/tools/edit/edit';
import { readTool } from '../../../../../src/core/tools/read/read';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { createWorkspace, run, toolContext } from '../../../../support/file-tool-runs';

const A = '/w/a.txt';

describe('Edit', () => {
  const problem = (line: number, severity: Diagnostic['severity'], message = 'wrong'): Diagnostic => ({
    path: A,
    line,
    column: 3,
    severity,
    message,
  });

  it('tells new problems, errors first', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    workspace.problems = [
      problem(1, 'hint'),
      problem(9, 'warning'),
      problem(7, 'error', 'first line\n  second line'),
      { ...problem(2, 'error'), source: 'ts', code: '2322' },
    ];
    const { text } = await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' });
    assert.equal(
      text,
      `The file ${A} has been updated: line 1 (+1 −1).\n\n<new-diagnostics>\n${A}:2:3 error: wrong (ts 2322)\n${A}:7:3 error: first line second line\n${A}:9:3 warning: wrong\n</new-diagnostics>`,
    );
    assert.deepEqual(workspace.diagnosticCalls, ['current', 'newSince']);
  });

  it('tells at most twenty problems', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    workspace.problems = Array.from({ length: 25 }, (_, index) =>
      problem(25 - index, index < 12 ? 'error' : 'warning'),
    );
    const { output } = await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' });
    const { newDiagnostics } = output as { newDiagnostics: string[] };
    assert.equal(newDiagnostics.length, 21);
    assert.match(newDiagnostics[0] ?? '', /:14:3 error/);
    assert.equal(newDiagnostics[20], '… and 5 more');
  });

  it('reports what is written also when Stop comes while it waits for problems', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    const context = toolContext(workspace);
    context.ports.diagnostics.newSince = async (_before, _paths, signal) => {
      workspace.controller.abort();
      signal.throwIfAborted();
      return [];
    };
    const result = await editTool.call({ file_path: A, old_string: 'a', new_string: 'b' }, context);
    assert.ok('data' in result && result.data.newDiagnostics.length === 0);
    assert.equal(workspace.files.text(A), 'b\n');
  });

  const typedOn = async (times: number): Promise<{ text: string; failed: string | undefined }> => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    const context = toolContext(workspace);
    const write = context.ports.files.writeText.bind(context.ports.files);
    let left = times;
    context.ports.files.writeText = async (change) => {
      if (left-- > 0)
        await write({
          path: A,
          base: await textOf(workspace),
          text: `${workspace.files.text(A) ?? ''}typed\n`,
          approved: true,
        });
      return write(change);
    };
    const result = await editTool.call({ file_path: A, old_string: 'a', new_string: 'b' }, context);
    return { text: workspace.files.text(A) ?? '', failed: 'failure' in result ? result.failure.code : undefined };
  };
  const textOf = async ({ files }: ReturnType<typeof createWorkspace>): Promise<TextFile> => {
    const read = await files.readText(A, 1000);
    return read.outcome === 'read' ? read.file : assert.fail(read.message);
  };

  it('is made anew from the newest text while somebody types, and gives up in the end', async () => {
    assert.deepEqual(await typedOn(5), { text: `b\n${'typed\n'.repeat(5)}`, failed: undefined });
    assert.deepEqual(await typedOn(100), { text: `a\n${'typed\n'.repeat(9)}`, failed: 'changed' });
  });

  it('writes nothing after Stop', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    workspace.controller.abort();
    await assert.rejects(run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' }), {
      name: 'AbortError',
    });
    assert.equal(workspace.files.text(A), 'a\n');
  });

  it('makes its proposal itself where the pipeline made none', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    const input = { file_path: A, old_string: 'a', new_string: 'b' };
    const early = await editTool.call(input, toolContext(workspace));
    assert.ok('failure' in early && early.failure.code === 'not-read');
    await run(workspace, readTool, { file_path: A });
    assert.ok('data' in (await editTool.call(input, toolContext(workspace))));
    assert.equal(workspace.files.text(A), 'b\n');
  });

  it('passes on whether a user accepted the text', async () => {
    for (const approved of [true, false]) {
      const workspace = createWorkspace({ [A]: 'a\n' });
      await run(workspace, readTool, { file_path: A });
      const write = workspace.files.writeText;
      let seen: boolean | undefined;
      workspace.files.writeText = (change) => {
        seen = change.approved;
        return write(change);
      };
      await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' }, { approved });
      assert.equal(seen, approved);
    }
  });

  it('shows the proposal before anything is written', async () => {
    const workspace = createWorkspace({ [A]: 'a\r\n' });
    await run(workspace, readTool, { file_path: A });
    const preview = await editTool.preview?.(
      { file_path: A, old_string: 'a', new_string: 'b\nc' },
      toolContext(workspace),
    );
    assert.ok(preview && 'view' in preview);
    assert.deepEqual(preview.view.kind === 'diff' && preview.view.hunks[0]?.lines, ['-a', '+b', '+c']);
    assert.equal(preview.proposal?.text, 'b\r\nc\r\n');
    assert.equal(workspace.files.text(A), 'a\r\n');
  });

  it('lets Read show the whole file again after an edit', async () => {
    const workspace = createWorkspace({ [A]: 'a\nb\n' });
    await run(workspace, readTool, { file_path: A });
    await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'x' });
    assert.match((await run(workspace, readTool, { file_path: A })).text, /^1\tx\n2\tb$/);
  });

  it('leaves long texts out of its structured result', async () => {
    const workspace = createWorkspace({ [A]: `a\n${'b\n'.repeat(60_000)}` });
    await run(workspace, readTool, { file_path: A });
    const { output } = await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'x' });
    assert.ok(!('originalFile' in (output as object)));
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(editTool.access, 'WorkspaceWrite');
    const input = { file_path: '/w/../x', old_string: '', new_string: '' };
    assert.ok(!editTool.isReadOnly(input) && !editTool.isConcurrencySafe(input));
    assert.deepEqual(editTool.targets(input, '/w'), [{ kind: 'file', access: 'write', path: '/x' }]);
    assert.deepEqual(Object.keys(jsonSchemaOf(editTool.inputSchema).properties ?? {}), [
      'file_path',
      'old_string',
      'new_string',
      'replace_all',
    ]);
  });
});
