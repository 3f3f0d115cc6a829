// What the editor of a plan shows: a row that carries it out, what is wrong with it, each change on hover, and the way to it.
import * as vscode from 'vscode';
import { type ChangePart, type FileChange, changedLines, partsOf, utf8Of } from '../../core/commit/changes';
import { planSummary } from '../../core/commit/commit-plan';
import { contentOf } from '../../node/commits/make-commits';
import { fileOf } from './commit-changes';
import { type OpenPlan, planExtension, planOf, readOpenPlan } from './plan-store';

const selector: vscode.DocumentSelector = { scheme: 'file', pattern: `**/*${planExtension}` };
/** Contents of commits and of what was kept for a plan. */
export const contentScheme = 'deft-commit';
const mostHoverLines = 60;

export function registerPlanEditor(): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection('deft-commit');
  const look = ({ uri }: vscode.TextDocument): void =>
    void (uri.path.endsWith(planExtension) && showProblems(problems, uri));
  const subscriptions = [
    problems,
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
    vscode.languages.registerCodeLensProvider(selector, { provideCodeLenses: lensesOf }),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: (document, { line }) => {
        const found = changeAt(document, line);
        return found && new vscode.Hover(hoverOf(found));
      },
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: (document, { line }) => {
        const found = changeAt(document, line);
        if (found === undefined || found.change.after === undefined) return undefined;
        const first = changedLines(found.part.hunks)[0]?.start ?? 1;
        return new vscode.Location(
          fileOf(found.plan, found.change.path),
          new vscode.Position(Math.max(0, first - 1), 0),
        );
      },
    }),
    vscode.workspace.registerTextDocumentContentProvider(contentScheme, { provideTextDocumentContent: contentOfUri }),
  ];
  return vscode.Disposable.from(...subscriptions);
}

/** Also of a plan that was just opened. */
export function showProblems(collection: vscode.DiagnosticCollection, uri: vscode.Uri): void {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const plan = planOf(uri);
  if (document === undefined || plan === undefined) return collection.delete(uri);
  const { problems } = readOpenPlan(plan, document.getText());
  collection.set(
    uri,
    problems.map(
      ({ line, message }) =>
        new vscode.Diagnostic(document.lineAt(Math.min(line, document.lineCount - 1)).range, message),
    ),
  );
}

function lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
  const plan = planOf(document.uri);
  const top = new vscode.Range(0, 0, 0, 0);
  if (plan === undefined)
    return [
      new vscode.CodeLens(top, {
        title: 'This plan is of an earlier window: make it anew',
        command: 'deft.commitChanges',
      }),
    ];
  const read = readOpenPlan(plan, document.getText());
  const summary = read.problems.length > 0 ? `${read.problems.length} to correct` : planSummary(read);
  return [
    new vscode.CodeLens(top, {
      title: `$(check) Commit (${summary})`,
      command: 'deft.commitPlan',
      arguments: [document.uri],
    }),
    new vscode.CodeLens(top, {
      title: '$(diff-multiple) Show Changes',
      command: 'deft.showPlanChanges',
      arguments: [document.uri],
    }),
    new vscode.CodeLens(top, {
      title: '$(list-tree) Split into Commits',
      command: 'deft.splitCommits',
      arguments: [document.uri],
    }),
  ];
}

function changeAt(
  document: vscode.TextDocument,
  line: number,
): { plan: OpenPlan; change: FileChange; part: ChangePart } | undefined {
  const plan = planOf(document.uri);
  const id = /^\s*(h\d+)(?=\s|$)/.exec(document.lineAt(line).text)?.[1];
  const found = plan && partsOf(plan.uncommitted.changes).find(({ part }) => part.id === id);
  return plan && found && { plan, ...found };
}

/** A fence that no line of the change can end. */
function hoverOf({ part }: { part: ChangePart }): vscode.MarkdownString {
  const lines = part.hunks.flatMap((hunk) => hunk.lines.map(utf8Of));
  const shown = lines.slice(0, mostHoverLines);
  const hover = new vscode.MarkdownString();
  if (lines.length === 0) return hover.appendText('This change has no lines to show.');
  hover.appendCodeblock(shown.join('\n'), 'diff');
  if (shown.length < lines.length)
    hover.appendText(`… ${lines.length - shown.length} more lines: Show Changes has all of them.`);
  return hover;
}

/** `side` of the file with this path in the plan that the query names. */
function contentUri(plan: OpenPlan, change: FileChange, side: 'before' | 'after'): vscode.Uri | undefined {
  const entry = change[side];
  if (entry === undefined) return undefined;
  const query = new URLSearchParams({ plan: plan.uri.toString(), path: change.path, side, id: entry.id });
  return fileOf(plan, change.path).with({ scheme: contentScheme, query: query.toString() });
}

async function contentOfUri(uri: vscode.Uri): Promise<string> {
  const query = new URLSearchParams(uri.query);
  const plan = planOf(vscode.Uri.parse(query.get('plan') ?? ''));
  const change = plan?.uncommitted.changes.find((one) => one.path === query.get('path'));
  const entry = query.get('side') === 'before' ? change?.before : change?.after;
  if (plan === undefined || entry === undefined || entry.id !== query.get('id')) return 'This plan is no longer open.';
  if (change?.kind === 'submodule') return `Subproject commit ${entry.id}\n`;
  return utf8Of(await contentOf(plan.uncommitted.repository.git, entry));
}

/** All that the plan commits, in one multi-file diff. */
export async function showPlanChanges(plan: OpenPlan, text: string): Promise<void> {
  const { commits } = readOpenPlan(plan, text);
  const chosen = new Set(commits.flatMap(({ parts }) => parts));
  const changes = plan.uncommitted.changes.filter(
    ({ parts }) => chosen.size === 0 || parts.some(({ id }) => chosen.has(id)),
  );
  await vscode.commands.executeCommand(
    'vscode.changes',
    'Deft: files of this plan',
    changes.map((change) => [
      fileOf(plan, change.path),
      contentUri(plan, change, 'before'),
      contentUri(plan, change, 'after'),
    ]),
  );
}
