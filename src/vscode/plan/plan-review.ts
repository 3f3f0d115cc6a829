// A plan that waits for the user: open in an editor where they may change it and comment on its lines.
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../core/ports/approver';
import { commentsText, type PlanComment, planChanges, planFeedback } from '../../core/plan/plan-feedback';
import { type ProposalEditor } from '../chat/conversation/pending-approvals';
import { uriOf } from '../host/uri-path';
import { type LeftComment, type LeftPlan, type LeftPlans } from './left-plans';

export interface PlanReview extends vscode.Disposable {
  /** The same, for plans and for what the other editor shows. */
  over(others: ProposalEditor): ProposalEditor;
  /** A plan that waits for the user. */
  waits(uri: vscode.Uri): boolean;
  /** On plans that wait: they go along with the answers. */
  comments(): number;
  /** False where no such plan waits. */
  show(requestId: string): Promise<boolean>;
  readonly commands: Record<string, (...args: never[]) => unknown>;
}

interface WaitingPlan {
  uri: vscode.Uri;
  toolUseId: string;
  /** As the agent wrote it. */
  proposed: string;
  /** As the user has it now: VS Code's own copy of what is unsaved may be older than a reload. */
  text: string;
  threads: Set<vscode.CommentThread>;
  /** Milliseconds since the epoch. */
  askedAt: number;
}

export interface PlanReviewOptions {
  left: LeftPlans;
  /** A disk that refuses costs the survival of a reload, nothing else. */
  onLost: (error: unknown) => void;
}

export function createPlanReview({ left, onLost }: PlanReviewOptions): PlanReview {
  const waiting = new Map<string, WaitingPlan>();
  const keep = (plan: WaitingPlan): void => void left.keep(leftOf(plan)).catch(onLost);
  const comments = planComments(waiting, keep);
  const typing = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0) return;
    const plan = planOf(waiting, document.uri);
    if (plan === undefined) return;
    plan.text = document.getText();
    keep(plan);
  });
  return {
    over: (others) => new PlanEditor({ waiting, others, left, keep, onLost, comments }),
    waits: (uri) => planOf(waiting, uri) !== undefined,
    comments: () => [...waiting.values()].reduce((sum, { threads }) => sum + threads.size, 0),
    async show(requestId) {
      const plan = waiting.get(requestId);
      if (plan !== undefined) await openPlan(plan, false);
      return plan !== undefined;
    },
    commands: comments.commands,
    dispose() {
      typing.dispose();
      comments.dispose();
    },
  };
}

function planOf(waiting: ReadonlyMap<string, WaitingPlan>, uri: vscode.Uri): WaitingPlan | undefined {
  return [...waiting.values()].find((plan) => plan.uri.toString() === uri.toString());
}

interface PlanComments {
  /** With the first plan: VS Code shows a panel for comments as soon as there could be any. */
  take(): void;
  /** Puts comments back that were made before a reload. */
  restore(plan: WaitingPlan, comments: readonly LeftComment[]): void;
  commands: PlanReview['commands'];
  dispose(): void;
}

/** Comments on lines of plans that wait. */
function planComments(waiting: ReadonlyMap<string, WaitingPlan>, keep: (plan: WaitingPlan) => void): PlanComments {
  let controller: vscode.CommentController | undefined;
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
          planOf(waiting, document.uri) === undefined
            ? []
            : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
      };
    },
    restore(plan, comments) {
      for (const { start, end, words } of comments) {
        const range = new vscode.Range(start, 0, end, 0);
        const thread = controller?.createCommentThread(plan.uri, range, words.map(commentOf));
        if (thread === undefined) continue;
        thread.label = commentLabel;
        plan.threads.add(thread);
      }
    },
    commands: {
      'deft.addPlanComment': ({ thread, text }: vscode.CommentReply) => {
        const plan = planOf(waiting, thread.uri);
        // Answered meanwhile: nobody would read it.
        if (plan === undefined) return thread.dispose();
        thread.comments = [...thread.comments, commentOf(text)];
        thread.label = commentLabel;
        plan.threads.add(thread);
        keep(plan);
      },
      'deft.removePlanComment': (thread: vscode.CommentThread) => {
        const plan = planOf(waiting, thread.uri);
        plan?.threads.delete(thread);
        thread.dispose();
        if (plan !== undefined) keep(plan);
      },
    },
    dispose: () => controller?.dispose(),
  };
}

const commentLabel = 'Goes to the agent with your answer';

function commentOf(body: string): vscode.Comment {
  return { body, mode: vscode.CommentMode.Preview, author: { name: 'You' } };
}

function wordsOf({ comments }: vscode.CommentThread): string[] {
  return comments.map(({ body }) => (typeof body === 'string' ? body : body.value));
}

function leftOf({ uri, toolUseId, proposed, text, threads, askedAt }: WaitingPlan): LeftPlan {
  const comments = [...threads].map((thread) => ({
    start: thread.range?.start.line ?? 0,
    end: thread.range?.end.line ?? 0,
    words: wordsOf(thread),
  }));
  return { toolUseId, file: uri.toString(), proposed, text, askedAt, comments };
}

interface PlanEditorOptions extends PlanReviewOptions {
  waiting: Map<string, WaitingPlan>;
  /** For what is not a plan. */
  others: ProposalEditor;
  keep: (plan: WaitingPlan) => void;
  comments: PlanComments;
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
    const { left, keep, comments, onLost } = this.#options;
    const plan = {
      uri: uriOf(request.plan.file),
      toolUseId: request.toolUseId,
      proposed: request.proposal?.text ?? '',
      text: request.proposal?.text ?? '',
      threads: new Set<vscode.CommentThread>(),
      askedAt: Date.now(),
    };
    // The card shows it: a second time, as source, it opens only when the user asks.
    this.#waiting.set(request.id, plan);
    comments.take();
    const before = await left.of(plan.toolUseId, plan.proposed).catch(onLost);
    if (before) {
      await takeOver(before, plan);
      comments.restore(plan, before.comments);
    }
    keep(plan);
    // The card has what the agent wrote: what the user would accept instead is in the editor.
    if (plan.text !== plan.proposed || plan.threads.size > 0) await openPlan(plan, true);
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

  async otherTextsOf(requestId: string): Promise<Record<string, string>> {
    return this.#waiting.has(requestId) ? {} : ((await this.#others.otherTextsOf?.(requestId)) ?? {});
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
    if (!kept) await this.#options.left.forget(plan.toolUseId).catch(this.#options.onLost);
    plan.threads.forEach((thread) => thread.dispose());
    await closePlan(plan.uri);
  }
}

/** What was typed stays in its file, and no tab stays behind. */
async function closePlan(plan: vscode.Uri): Promise<void> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === plan.toString());
  if (document?.isDirty) await document.save();
  const tabs = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === plan.toString());
  await vscode.window.tabGroups.close(tabs, true);
}

/** The plan goes on as the user left it. */
async function takeOver({ file, text }: LeftPlan, plan: WaitingPlan): Promise<void> {
  const old = vscode.Uri.parse(file, true);
  if (old.toString() !== plan.uri.toString()) await closePlan(old);
  const document = text === plan.proposed ? undefined : await documentOf(plan);
  if (document === undefined) return;
  const edit = new vscode.WorkspaceEdit();
  plan.text = text;
  edit.replace(plan.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
}

/** Undefined where somebody has deleted the file. */
async function documentOf({ uri }: Pick<WaitingPlan, 'uri'>): Promise<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

async function commentsOf(plan: WaitingPlan): Promise<PlanComment[]> {
  const document = await documentOf(plan);
  const lineCount = document?.lineCount ?? 0;
  return [...plan.threads].flatMap((thread) => {
    const words = wordsOf(thread).join('\n');
    // A thread on the whole file has no range.
    const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
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
