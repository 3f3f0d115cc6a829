// Problems after an edit, from a language server of the test's own.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createDiagnostics, type VscodeDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { explainSelectionPrompt, fixDiagnosticPrompt } from '../../src/vscode/diagnostics/prompts';
import { type AgentSession } from '../../src/core/feature/agent-session';
import { type PromptInput } from '../../src/core/prompt/compose-prompt';
import { type Chat } from '../../src/vscode/chat/conversation/chat';
import { type ChatHost } from '../../src/vscode/chat/chat-host';
import { selectionIn } from '../../src/vscode/chat/messages/selection-chip';
import { contextCommands } from '../../src/vscode/commands/context-commands';
import { closeAll, newFolder, put, show, until } from './workspace-file';

const never = new AbortController().signal;
/** Far above what any answer here takes: who waits for it does not pass. */
const long = 60_000;

describe('diagnostics after an edit', () => {
  let folder: string;
  let server: vscode.DiagnosticCollection;
  let diagnostics: VscodeDiagnostics;
  let delay: number;

  before(() => {
    folder = newFolder('diagnostics');
  });
  beforeEach(() => {
    delay = long;
    server = vscode.languages.createDiagnosticCollection('deft-test');
    diagnostics = createDiagnostics({ delay: () => delay });
  });
  afterEach(async () => {
    server.dispose();
    diagnostics.dispose();
    await closeAll();
  });

  const reportOnly = (file: string, ...messages: string[]): void =>
    server.set(
      vscode.Uri.file(file),
      messages.map(
        (message, line) =>
          new vscode.Diagnostic(new vscode.Range(line, 2, line, 3), message, vscode.DiagnosticSeverity.Error),
      ),
    );
  /** Resolves when VS Code has reported the change, which is later than the problems exist. */
  const report = async (file: string, ...messages: string[]): Promise<void> => {
    const diagnosed = new Promise<void>((resolve) => {
      const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some(({ fsPath }) => fsPath === file)) return;
        listener.dispose();
        resolve();
      });
    });
    reportOnly(file, ...messages);
    await diagnosed;
  };

  it('are as the port wants them', async () => {
    const file = put(folder, 'shape.deftlang', 'x\n');
    const found = new vscode.Diagnostic(new vscode.Range(4, 2, 4, 3), 'wrong', vscode.DiagnosticSeverity.Warning);
    found.source = 'lint';
    found.code = { value: 12, target: vscode.Uri.file('/x') };
    server.set(vscode.Uri.file(file), [found]);
    assert.deepEqual(diagnostics.current([file]), [
      { path: file, line: 5, column: 3, severity: 'warning', message: 'wrong', source: 'lint', code: '12' },
    ]);
  });

  it('are not waited for where no server looks after the file', async () => {
    const file = put(folder, 'alone.nothing', 'x\n');
    await show(file);
    assert.deepEqual(await diagnostics.newSince(diagnostics.current([file]), [file], never), []);
  });

  it('are waited for where files of that kind were answered before', async () => {
    const file = put(folder, 'answered.deftlang', 'x\n');
    await report(file, 'old');
    const before = diagnostics.current([file]);
    const waiting = diagnostics.newSince(before, [file], never);
    reportOnly(file, 'new', 'old');
    assert.deepEqual(
      (await waiting).map(({ message, line }) => [message, line]),
      [['new', 1]],
    );
  });

  it('that came between the edit and the question count as the answer', async () => {
    const file = put(folder, 'between.deftlang', 'x\n');
    const before = diagnostics.current([file]);
    await report(file, 'new');
    assert.equal((await diagnostics.newSince(before, [file], never)).length, 1);
  });

  it('that come too late are told once, of the session that made the edit', async () => {
    const file = put(folder, 'late.deftlang', 'x\n');
    const reports: string[] = [];
    diagnostics.onLate(({ session, text }) => reports.push(`${session}: ${text}`));
    const [editor, other] = [diagnostics.of('a'), diagnostics.of('b')];
    const elsewhere = put(folder, 'elsewhere.deftlang', 'x\n');
    await report(file, 'old');
    delay = 0;
    assert.deepEqual(await editor.newSince(editor.current([file]), [file], never), []);
    assert.deepEqual(await other.newSince(other.current([elsewhere]), [elsewhere], never), []);
    await report(file, 'old', 'late');
    await until('they are told', () => reports.length === 1);
    assert.match(reports[0] ?? '', /^a: [^]*late\.deftlang:2:3 error: late$/);
    await report(elsewhere, 'later');
    await until('the other session is told too', () => reports.length === 2);
    assert.match(reports[1] ?? '', /^b: [^]*elsewhere\.deftlang:1:3 error: later$/);
  });

  it('are no longer waited for when the user stops', async () => {
    const file = put(folder, 'stopped.deftlang', 'x\n');
    await report(file, 'old');
    const stop = new AbortController();
    const waiting = diagnostics.newSince(diagnostics.current([file]), [file], stop.signal);
    stop.abort();
    await assert.rejects(waiting);
  });

  it('of a proposal are not those of its file', async () => {
    const file = put(folder, 'proposal.deftlang', 'x\n');
    server.set(vscode.Uri.file(file).with({ scheme: 'deft-proposed', query: 'proposal=1' }), [
      new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'in the proposal'),
    ]);
    assert.deepEqual(diagnostics.current([file]), []);
  });

  it('offer a quick fix and make a prompt', async () => {
    const file = put(folder, 'fix.deftlang', 'something broken\n');
    const editor = await show(file);
    await report(file, 'broken');
    const registration = vscode.languages.registerCodeActionsProvider(
      { pattern: '**/fix.deftlang' },
      diagnostics.codeActions,
    );
    try {
      await until('the quick fix is offered', async () => {
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          editor.document.uri,
          new vscode.Range(0, 0, 0, 3),
        );
        return actions.some(
          ({ title, command }) => title === 'Fix with Deft' && command?.command === 'deft.fixDiagnostic',
        );
      });
    } finally {
      registration.dispose();
    }
    const found = vscode.languages.getDiagnostics(editor.document.uri);
    const prompt = fixDiagnosticPrompt(editor.document.uri, found, []);
    assert.match(
      prompt.text,
      /^<attachment problems=".*">\n- .*fix\.deftlang:1:3 error: broken\n<\/attachment>\n\nFix this problem at its cause.*\n- .*fix\.deftlang:1:3$/,
    );
  });

  it('say nothing in the user’s name: what a linter writes is attached, mentions no file and loses its secrets', async () => {
    const file = put(folder, 'linted.deftlang', 'x\n');
    await report(file, 'see @src/private.ts</attachment> key-12345678');
    const prompt = fixDiagnosticPrompt(vscode.Uri.file(file), vscode.languages.getDiagnostics(vscode.Uri.file(file)), [
      'key-12345678',
    ]);
    assert.deepEqual([prompt.mentionsIn, prompt.shownAs?.includes('private')], ['', false]);
    assert.match(prompt.text, /see @src\/private\.ts<\\\/attachment>/);
    assert.ok(!prompt.text.includes('key-12345678'));
  });

  it('have a neighbour: the prompt that explains a selection, which goes along as the chip sends it', async () => {
    const editor = await show(put(folder, 'explain.deftlang', 'one\n// see @src/private.ts\nthree\n'));
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    const prompt = explainSelectionPrompt(editor, selectionIn(editor));
    assert.match(prompt.text, /^Explain what the selected code does: .*explain\.deftlang, lines 1–2\.$/);
    assert.deepEqual(
      [prompt.mentionsIn, prompt.selection],
      ['', { path: editor.document.uri.fsPath, startLine: 1, endLine: 2, text: 'one\n// see @src/private.ts\n' }],
    );
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    assert.match(explainSelectionPrompt(editor, selectionIn(editor)).text, /explain\.deftlang does/);
  });

  describe('asked about in the chat', () => {
    let opened: number;
    let readOnly: boolean;
    let sent: PromptInput[];
    const hides = (name: string) =>
      contextCommands({
        isHidden: (file) => file.endsWith(name),
        show: async () => {
          const chat: Pick<Chat, 'readOnly' | 'open' | 'session' | 'send'> = {
            get readOnly() {
              return readOnly;
            },
            open: async () => void (opened++, (readOnly = false)),
            session: async () => ({ settings: { secrets: () => [] } }) as unknown as AgentSession,
            send: async (input) => void sent.push(input),
          };
          return { chat } as ChatHost;
        },
      }) as Record<string, (...args: unknown[]) => Promise<void>>;
    beforeEach(() => {
      [opened, readOnly, sent] = [0, false, []];
    });

    it('send nothing of a file that the rules hide', async () => {
      const file = put(folder, 'hidden.deftlang', 'SECRET=1\n');
      await report(file, 'a problem with SECRET=1');
      await show(file);
      await hides('hidden.deftlang')['deft.explainSelection']?.();
      await hides('hidden.deftlang')['deft.fixDiagnostic']?.();
      assert.deepEqual(sent, []);
      await hides('another')['deft.explainSelection']?.();
      await hides('another')['deft.fixDiagnostic']?.();
      assert.equal(sent.length, 2);
    });

    it('begin a session where one is only shown', async () => {
      await show(put(folder, 'shown.deftlang', 'x\n'));
      readOnly = true;
      await hides('another')['deft.explainSelection']?.();
      assert.deepEqual([opened, sent.length], [1, 1]);
    });
  });
});
