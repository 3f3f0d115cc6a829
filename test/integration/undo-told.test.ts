// What the user does to the agent's edits in the editor reaches its model: undone hunks and files, and what they type.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileChanges } from '../../src/core/features/file-changes/file-changes-key';
import { type ApprovalDecision } from '../../src/core/ports/approver';
import { type FileSystem } from '../../src/core/ports/files';
import { type Log } from '../../src/core/ports/log';
import { editTool } from '../../src/core/tools/edit/edit';
import { writeTool } from '../../src/core/tools/edit/write';
import { readTool } from '../../src/core/tools/read/read';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { type ChangeReview, createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles, type ReviewFiles } from '../../src/vscode/review/review-files';
import { reply, type ScriptedReply, toolUse } from '../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../support/scripted-model';
import { createHarness, type Harness } from '../support/session-harness';
import { closeAll, disk, newFolder, put, show, type } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const edited = text.replace('two', 'TWO').replace('seven', 'SEVEN');

describe('what the user undoes and types', () => {
  let folder: string;
  let storage: string;
  let reviewFiles: ReviewFiles;
  let changes: ChangeReview;
  let files: FileSystem;

  before(() => void (folder = newFolder('undo-told')));
  beforeEach(() => {
    storage = mkdtempSync(path.join(tmpdir(), 'deft-undo-told-'));
    reviewFiles = registerReviewFiles({ original: 'deft-told-original', proposed: 'deft-told-proposed' });
    changes = createChangeReview({ storage, files: reviewFiles, log });
    files = createVscodeFileSystem({ settings: () => ({ autosave: false }), watch: changes.watch });
  });
  afterEach(async () => {
    await closeAll();
    changes.keep();
    await changes.flush();
    changes.dispose();
    reviewFiles.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  /** As the window does: what the review undoes is passed on to the session. */
  const open = (
    script: readonly ScriptedReply[],
    answer: ApprovalDecision = { behavior: 'allow' },
  ): { harness: Harness; model: ScriptedModel } => {
    const model = createScriptedModel(script);
    const environment = { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' };
    const harness = createHarness({
      model,
      answer: async () => answer,
      ports: { files },
      tools: [readTool, editTool, writeTool],
      session: {
        mode: 'acceptEdits',
        environment,
        permission: () => ({
          rules: [],
          folders: [folder],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
      },
    });
    changes.onDidUndo((file) => harness.session.feature(fileChanges)?.acted('undone', [file]));
    return { harness, model };
  };
  const last = (model: ScriptedModel): string => {
    const content = model.requests.at(-1)?.messages.at(-1)?.content ?? [];
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  };

  it('of an edit is in the next request: a hunk, what they type and do not save, and the rest', async () => {
    const file = put(folder, 'told.txt', text);
    const { harness, model } = open([
      reply(toolUse('Read', { file_path: file })),
      reply(toolUse('Write', { file_path: file, content: edited })),
      ...[1, 2, 3, 4, 5].map(() => reply('Done.')),
    ]);
    const editor = await show(file);
    await harness.run('Go');
    assert.equal(disk(file), edited);
    await harness.run('Nothing has changed');
    assert.equal(last(model), 'Nothing has changed');
    assert.deepEqual(await changes.undoHunk(file, { newStart: 6, newEnd: 7 }), { outcome: 'undone' });
    await harness.run('One is undone');
    assert.match(
      last(model),
      /^<system-reminder>\nThe user undid a part of what was edited in .*told\.txt\. The difference is attached\.\n[^]*\n-SEVEN\n\+seven\n[^]*\nOne is undone$/,
    );
    await type(editor, 'mine\n');
    await harness.run('I have typed');
    assert.match(
      last(model),
      /told\.txt has changed again since you last read or wrote it, by the user.*\n[^]*\n\+mine\n/,
    );
    await editor.edit((edit) => edit.delete(editor.document.lineAt(0).rangeIncludingLineBreak));
    await editor.document.save();
    assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
    assert.equal(disk(file), text);
    await harness.run('All is undone');
    assert.match(last(model), /The user reverted your edit of .*told\.txt; it stands as before it\./);
    await harness.run('Go on');
    assert.equal(last(model), 'Go on');
  });

  it('is not made again unasked, in whatever words', async () => {
    const file = put(folder, 'again.txt', text);
    const { harness } = open(
      [
        reply(toolUse('Read', { file_path: file })),
        reply(toolUse('Write', { file_path: file, content: edited })),
        reply('Done.'),
        reply(toolUse('Edit', { file_path: file, old_string: 'six\nseven\n', new_string: 'six\nSEVEN\n' })),
        reply(toolUse('Write', { file_path: file, content: `${edited}nine\n` })),
        reply(toolUse('Edit', { file_path: file, old_string: 'three', new_string: 'THREE' })),
        reply('Done.'),
      ],
      { behavior: 'deny', interrupt: false },
    );
    await show(file);
    await harness.run('Go');
    assert.deepEqual(await changes.undoHunk(file, { newStart: 6, newEnd: 7 }), { outcome: 'undone' });
    await harness.run('Go on');
    assert.deepEqual(
      harness.approvals.map(({ reason }) => reason),
      ['undone', 'rejected'].map((how) => `It makes a change again that was ${how} before.`),
    );
    assert.equal(disk(file), text.replace('two', 'TWO').replace('three', 'THREE'));
  });

  it('of a file that was made is in the next request', async () => {
    const file = path.join(folder, 'made.txt');
    const { harness, model } = open([
      reply(toolUse('Write', { file_path: file, content: 'x\n' })),
      reply('Done.'),
      reply('Done.'),
    ]);
    await harness.run('Go');
    assert.deepEqual(await changes.undo(), [{ outcome: 'undone' }]);
    await harness.run('And now?');
    assert.match(last(model), /The user undid the creation of .*made\.txt: the file does not exist any more\./);
  });
});
