// Edits at the cursor in a real window: what is sent to a real chat, what its thread shows of it, and what is left when it is closed.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import * as vscode from 'vscode';
import { diffTexts } from '../../src/core/edits/diff-hunks';
import { diffView } from '../../src/core/edits/diff-view';
import { type ModelRequest } from '../../src/core/wire/wire';
import { Chat } from '../../src/vscode/chat/conversation/chat';
import { createInlineEdits, type InlineEdits } from '../../src/vscode/inline/inline-edits';
import { inlinePlace } from '../../src/vscode/inline/inline-place';
import { askingTool } from '../support/fake-tools';
import { reply, type Reply, toolUse } from '../support/messages-api/script';
import { quietChatServices } from '../support/quiet-chat';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { codeCell, notebookText } from '../support/notebooks';
import { closeAll, newFolder, put, show, until } from './workspace-file';

const five = 'one\ntwo\nthree\nfour\nfive\n';

describe('an edit at the cursor', () => {
  let folder: string;
  let file: string;
  let controller: vscode.CommentController;
  let edits: InlineEdits;
  let chat: Chat;
  let asked: { at: number; request: ModelRequest }[];
  let boxes: number;
  let unsent: string[];

  before(() => void (folder = newFolder('inline')));
  afterEach(async () => {
    edits.dispose();
    controller.dispose();
    await chat.dispose();
    await closeAll();
  });

  /** A chat whose agent says this; Act proposes to write a line in place of "two", and Wait asks for something else. */
  const begin = (script: readonly Reply[]): void => {
    [asked, boxes, unsent] = [[], 0, []];
    file = put(folder, 'a.txt', five);
    controller = vscode.comments.createCommentController('deft-test-inline', 'Test');
    const act = askingTool('Act', {
      preview: async (input) => {
        const text = five.replace('two', String((input as { text: string }).text));
        return {
          view: diffView(file, false, diffTexts(five, text)),
          proposal: { path: file, base: undefined, text },
        };
      },
    });
    const model = createScriptedModel((request, index) => {
      asked.push({ at: performance.now(), request });
      return script[index] ?? assert.fail('nothing more is scripted');
    });
    chat = new Chat(
      quietChatServices({
        unsent: ({ display }) => unsent.push(display.text),
        openSession: async (_id, { emit, approver }) => {
          const { session } = createHarness({
            model,
            tools: [act, askingTool('Wait')],
            ports: { approver },
            onEvent: (event) => {
              edits.heard(session.id, event);
              emit(event);
            },
          });
          return { session, resumed: false };
        },
      }),
      () => undefined,
    );
    edits = createInlineEdits({
      chat: async () => {
        const { id } = await chat.session();
        return {
          session: id,
          send: async (text, inline) => {
            await chat.send({ text, images: [], inline, typed: text }, id);
            return chat.running;
          },
          decide: (requestId, decision) => chat.approvals.decide(requestId, decision),
          takeBack: async (id) => void (await chat.unqueue(id)),
          stop: () => chat.stop(),
        };
      },
      isHidden: () => false,
      openBox: async () => void boxes++,
      showDiff: async () => true,
      uuid: () => crypto.randomUUID(),
    });
  };
  const box = (start: number, end = start): vscode.CommentThread =>
    controller.createCommentThread(vscode.Uri.file(file), new vscode.Range(start, 0, end, 0), []);
  const says = ({ comments }: vscode.CommentThread): string[] =>
    comments.map(({ body }) => (typeof body === 'string' ? body : body.value));
  const state = ({ contextValue }: vscode.CommentThread): string => contextValue ?? '';
  const is = (thread: vscode.CommentThread, wanted: string): Promise<void> =>
    until(`the thread is ${wanted}`, () => state(thread) === `inline-${wanted}`);
  const sent = (index: number): string => JSON.stringify(asked[index]?.request.messages.at(-1)?.content);
  const proposes = (text: string): Reply => reply(toolUse('Act', { text }));

  it('is one message with the lines, a proposal in its thread, and another one after Retry', async () => {
    begin([proposes('TWO'), proposes('2'), reply('Done.')]);
    const editor = await show(file);
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    await edits.open();
    assert.equal(boxes, 1);
    // The lines move while the user writes.
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    await chat.session();
    const thread = box(1, 3);
    const before = performance.now();
    await edits.ask({ thread, text: ' Shout. ' } as vscode.CommentReply);
    await is(thread, 'asks');
    console.log(`from submit to the first request: ${Math.round((asked[0]?.at ?? 0) - before)} ms`);
    assert.match(sent(0), /<attachment path=\\"[^"]*a\.txt\\" lines=\\"3-4\\">\\ntwo\\nthree\\n<\/attachment>/);
    assert.match(sent(0), /"Shout\."/);
    assert.match(says(thread).at(-1) ?? '', /-two\n\+TWO/);
    const [request] = chat.approvals.requests;
    assert.equal(edits.shows(request?.id ?? ''), true);
    await edits.retry({ thread, text: 'A digit.' } as vscode.CommentReply);
    await until('the second proposal is there', () => /\+2/.test(says(thread).at(-1) ?? ''));
    assert.match(sent(1), /A digit\./);
    assert.deepEqual(says(thread).slice(0, -1), ['Shout.', 'A digit.']);
    assert.equal(edits.shows(request?.id ?? ''), false);
    await edits.accept(thread);
    await until('the turn is over', () => !chat.running);
    assert.equal(asked.length, 3);
  });

  it('shows an answer in words, takes another question in the same thread, and Reject ends both', async () => {
    begin([reply('It counts.'), proposes('TWO')]);
    await show(file);
    const thread = box(1);
    await edits.ask({ thread, text: 'What is this?' } as vscode.CommentReply);
    await is(thread, 'over');
    assert.deepEqual(says(thread), ['What is this?', 'It counts.']);
    await edits.ask({ thread, text: 'Shout it.' } as vscode.CommentReply);
    await is(thread, 'asks');
    await edits.reject(thread);
    await until('the turn is over', () => !chat.running);
    assert.equal(asked.length, 2, 'a rejection without words ends the turn');
    assert.equal(chat.approvals.requests.length, 0);
  });

  it('waits in the queue of a chat that works, and is taken back from there as its thread is closed', async () => {
    begin([reply(toolUse('Wait', {})), reply('Waited.')]);
    await show(file);
    await chat.send({ text: 'Wait', images: [] });
    await until('something else waits', () => chat.approvals.requests.length === 1);
    const [first, second] = [box(0), box(1)];
    await edits.ask({ thread: first, text: 'First' } as vscode.CommentReply);
    await is(first, 'queued');
    await edits.ask({ thread: second, text: 'Second' } as vscode.CommentReply);
    await is(second, 'queued');
    assert.deepEqual(
      (await chat.session()).pending.waiting.map(({ display }) => display.text.split('\n').at(-1)),
      ['First', 'Second'],
    );
    await edits.discard(second);
    assert.equal((await chat.session()).pending.waiting.length, 1);
    await chat.approvals.decide(chat.approvals.requests[0]?.id ?? '', { behavior: 'accept' });
    await is(first, 'over');
    assert.match(sent(1), /First/);
    assert.doesNotMatch(sent(1), /Second/);
  });

  it('leaves nothing behind where its thread is closed: no proposal and no turn', async () => {
    begin([proposes('TWO')]);
    await show(file);
    const thread = box(1);
    await edits.ask({ thread, text: 'Shout.' } as vscode.CommentReply);
    await is(thread, 'asks');
    await edits.discard(thread);
    await until('the turn is over', () => !chat.running);
    assert.equal(chat.approvals.requests.length, 0);
    assert.deepEqual(unsent, []);
  });

  it('leads to the chat for what it cannot show', async () => {
    begin([reply(toolUse('Wait', {})), reply('Waited.')]);
    await show(file);
    const thread = box(1);
    await edits.ask({ thread, text: 'Wait.' } as vscode.CommentReply);
    await until('the thread says so', () => (thread.label ?? '').startsWith('Waits for you in the chat'));
    await chat.approvals.decide(chat.approvals.requests[0]?.id ?? '', { behavior: 'accept' });
    await is(thread, 'over');
    assert.deepEqual(says(thread), ['Wait.', 'Waited.']);
  });

  it('says why it cannot be asked for in other texts', async () => {
    begin([]);
    const why = async (document: vscode.TextDocument, hidden = false): Promise<string> => {
      const place = await inlinePlace(document, () => hidden);
      return 'why' in place ? place.why : place.path;
    };
    const open = (uri: vscode.Uri): Thenable<vscode.TextDocument> => vscode.workspace.openTextDocument(uri);
    const document = (await show(file)).document;
    assert.equal(await why(document), file);
    assert.match(await why(document, true), /your rules hide this file/);
    assert.match(await why(await vscode.workspace.openTextDocument({ content: 'x' })), /Save it first/);
    const cells = put(folder, 'cells.ipynb', notebookText([codeCell('a', 'x')]));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(cells));
    assert.match(await why(notebook.cellAt(0).document), /cell of a notebook/);
    const locked = put(folder, 'locked.txt', five);
    chmodSync(locked, 0o444);
    assert.match(await why(await open(vscode.Uri.file(locked))), /read-only/);
    const outside = vscode.Uri.joinPath(vscode.Uri.file(folder), '../../elsewhere.txt');
    await vscode.workspace.fs.writeFile(outside, Buffer.from('x'));
    assert.match(await why(await open(outside)), /not a file of the workspace/);
    await vscode.workspace.fs.delete(outside);
  });
});
