// A plan that waits for the user: open in an editor where they may change it and comment on its lines.
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../core/ports/approver';
import { commentsText, type PlanComment, planChanges, planFeedback } from '../../core/plan/plan-feedback';
import { type ProposalEditor } from '../chat/conversation/pending-approvals';
import { uriOf } from '../host/uri-path';

export interface PlanReview extends vscode.Disposable {
  /** The same, for plans and for what the other editor shows. */
  over(others: ProposalEditor): ProposalEditor;
  /** False where no such plan waits. */
  show(requestId: string): Promise<boolean>;
  readonly commands: Record<string, (...args: never[]) => unknown>;
}

interface WaitingPlan {
  uri: vscode.Uri;
  /** As the agent wrote it. */
  proposed: string;
  threads: Set<vscode.CommentThread>;
}

export function createPlanReview({ reveal }: { reveal: () => 'automatic' | 'onRequest' }): PlanReview {
  const waiting = new Map<string, WaitingPlan>();
  const comments = planComments(waiting);
  return {
    over: (others) => new PlanEditor({ waiting, others, reveal, takeComments: comments.take }),
    async show(requestId) {
      const plan = waiting.get(requestId);
      if (plan !== undefined) await openPlan(plan, false);
      return plan !== undefined;
    },
    commands: comments.commands,
    dispose: comments.dispose,
  };
}

interface PlanComments {
  /** With the first plan: VS Code shows a panel for comments as soon as there could be any. */
  take(): void;
  commands: PlanReview['commands'];
  dispose(): void;
}

/** Comments on lines of plans that wait. */
function planComments(waiting: ReadonlyMap<string, WaitingPlan>): PlanComments {
  let controller: vscode.CommentController | undefined;
  const planOf = (uri: vscode.Uri): WaitingPlan | undefined =>
    [...waiting.values()].find((plan) => plan.uri.toString() === uri.toString());
  return {
    take() {
      if (controller !== undefined) return;
      controller = vscode.comments.createCommentController('deft-plan', 'Deft: plan');
      controller.options = {
        prompt: 'Comment on this line of the plan',
        placeHolder: 'What should be different here?',
      };
      controller.commentingRangeProvider = {
        provideCommentingRanges: (document) =>
          planOf(document.uri) === undefined ? [] : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
      };
    },
    commands: {
      'deft.addPlanComment': ({ thread, text }: vscode.CommentReply) => {
        const plan = planOf(thread.uri);
        // Answered meanwhile: nobody would read it.
        if (plan === undefined) return thread.dispose();
        thread.comments = [
          ...thread.comments,
          { body: text, mode: vscode.CommentMode.Preview, author: { name: 'You' } },
        ];
        thread.label = 'Goes to the agent with your answer';
        plan.threads.add(thread);
      },
      'deft.removePlanComment': (thread: vscode.CommentThread) => {
        planOf(thread.uri)?.threads.delete(thread);
        thread.dispose();
      },
    },
    dispose: () => controller?.dispose(),
  };
}

interface PlanEditorOptions {
  waiting: Map<string, WaitingPlan>;
  /** For what is not a plan. */
  others: ProposalEditor;
  reveal: () => 'automatic' | 'onRequest';
  takeComments: () => void;
}

class PlanEditor implements ProposalEditor {
  readonly #waiting: Map<string, WaitingPlan>;
  readonly #others: ProposalEditor;
  readonly #options: PlanEditorOptions;

  constructor(options: PlanEditorOptions) {
    this.#options = options;
    this.#waiting = options.waiting;
    this.#others = options.others;
  }

  async open(request: ApprovalRequest): Promise<void> {
    if (request.plan === undefined) return this.#others.open(request);
    const plan = {
      uri: uriOf(request.plan.file),
      proposed: request.proposal?.text ?? '',
      threads: new Set<vscode.CommentThread>(),
    };
    this.#waiting.set(request.id, plan);
    this.#options.takeComments();
    if (this.#options.reveal() === 'automatic') await openPlan(plan, true);
  }

  async textOf(requestId: string): Promise<string | undefined> {
    const plan = this.#waiting.get(requestId);
    if (plan === undefined) return this.#others.textOf(requestId);
    const document = await documentOf(plan);
    const text = document?.getText() ?? plan.proposed;
    // The file holds what was accepted.
    if (document?.isDirty) await document.save();
    return text;
  }

  async remarks(requestId: string): Promise<string> {
    const plan = this.#waiting.get(requestId);
    return plan === undefined ? '' : commentsText(await commentsOf(plan));
  }

  async feedback(requestId: string, words: string): Promise<string> {
    const plan = this.#waiting.get(requestId);
    return plan === undefined
      ? words
      : planFeedback(
          words,
          await commentsOf(plan),
          planChanges(plan.proposed, (await documentOf(plan))?.getText() ?? plan.proposed),
        );
  }

  async close(requestId: string, kept?: boolean): Promise<void> {
    const plan = this.#waiting.get(requestId);
    if (plan === undefined) return this.#others.close(requestId, kept);
    this.#waiting.delete(requestId);
    plan.threads.forEach((thread) => thread.dispose());
    // What was typed stays in its file, and no tab stays behind.
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === plan.uri.toString());
    if (document?.isDirty) await document.save();
    const tabs = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === plan.uri.toString());
    await vscode.window.tabGroups.close(tabs, true);
  }
}

/** Undefined where somebody has deleted the file. */
async function documentOf({ uri }: WaitingPlan): Promise<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

async function commentsOf(plan: WaitingPlan): Promise<PlanComment[]> {
  const document = await documentOf(plan);
  const lineCount = document?.lineCount ?? 0;
  return [...plan.threads].flatMap(({ range, comments }) => {
    const words = comments.map(({ body }) => (typeof body === 'string' ? body : body.value)).join('\n');
    // A thread on the whole file has no range.
    const { start, end } = range ?? new vscode.Range(0, 0, 0, 0);
    const lines = Array.from({ length: end.line - start.line + 1 }, (_, index) => start.line + index).filter(
      (line) => line < lineCount,
    );
    return words.trim() === ''
      ? []
      : [{ line: start.line + 1, quoted: lines.map((line) => document?.lineAt(line).text ?? '').join('\n'), words }];
  });
}

async function openPlan({ uri }: WaitingPlan, preserveFocus: boolean): Promise<void> {
  const document = await vscode.languages.setTextDocumentLanguage(
    await vscode.workspace.openTextDocument(uri),
    'markdown',
  );
  // Not over the chat, where that is an editor itself.
  const overChat = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  await vscode.window.showTextDocument(document, {
    preview: false,
    preserveFocus,
    viewColumn: overChat ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
  });
}
