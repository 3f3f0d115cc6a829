// A notebook's cell through the whole pipeline: Edit rules govern it, and the user's version of the source is what is written.
import assert from 'node:assert/strict';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { notebookEditTool } from '../../../../src/core/tools/notebook/notebook-edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createMemoryFiles } from '../../../support/memory-files';
import { codeCell, markdownCell, notebookText } from '../../../support/notebooks';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';
import { rule } from '../permissions/permission-table';

const N = '/w/n.ipynb';
const before = notebookText([codeCell('a', 'x'), markdownCell('b', 'B')]);
const after = (source: string): string => notebookText([codeCell('a', source), markdownCell('b', 'B')]);

async function edited(rules: string[], answer: ApprovalDecision): Promise<Harness> {
  const model = createScriptedModel([
    reply(toolUse('Read', { file_path: N }, 'r')),
    reply(toolUse('NotebookEdit', { notebook_path: N, cell_id: 'a', new_source: 'y' }, 'e')),
    reply('Done.'),
  ]);
  const harness = createHarness({
    model,
    tools: [readTool, notebookEditTool],
    files: createMemoryFiles({ [N]: before }),
    answer: () => answer,
    session: {
      permission: () => ({
        rules: rules.map((text) => rule(`${text} @ /w`)),
        folders: ['/w'],
        ownFolders: ['/results'],
        home: '/home/ann',
        ignoreCase: false,
        trusted: true,
      }),
    },
  });
  await harness.run('Go');
  assert.deepEqual(model.violations, []);
  return harness;
}

const allow: ApprovalDecision = { behavior: 'allow' };

describe('a cell of a notebook', () => {
  const rows: [name: string, rules: string[], answer: ApprovalDecision, asked: number, source: string][] = [
    ['is asked about', [], allow, 1, 'y'],
    ['is written as the user left it', [], { behavior: 'allow', text: 'z' }, 1, 'z'],
    ['is left alone where the user says no', [], { behavior: 'deny', interrupt: false }, 1, 'x'],
    ['is denied by an Edit rule of its path', ['deny Edit(*.ipynb)'], allow, 0, 'x'],
    ['is allowed by an Edit rule of its path', ['allow Edit(n.ipynb)'], allow, 0, 'y'],
    ['is not the business of rules for other files', ['allow Edit(*.py)', 'deny Edit(m.ipynb)'], allow, 1, 'y'],
  ];
  for (const [name, rules, answer, asked, source] of rows) {
    it(name, async () => {
      const { approvals, files } = await edited(rules, answer);
      assert.equal(approvals.length, asked);
      assert.equal(files.text(N), source === 'x' ? before : after(source));
      if (asked === 0) return;
      const [request] = approvals;
      assert.equal(request?.title, 'NotebookEdit n.ipynb');
      assert.deepEqual(
        [request?.proposal?.path, request?.proposal?.shownAs, request?.proposal?.base?.text, request?.proposal?.text],
        [N, '/w/n.ipynb cell a.py', 'x', 'y'],
      );
    });
  }
});
