// The command "Review Changes…": picks a point and opens all that has changed since, in one multi-file diff.
import { counted } from '../../shared/counted';
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type ChangeReview } from '../review/change-review';
import { type Chat } from '../chat/conversation/chat';
import { type PointFiles, type ReviewPoint, reviewPoints } from './review-points';

export interface ReviewChangesServices {
  /** Whose messages are offered; undefined where no chat is open. */
  chat: Chat | undefined;
  changes: ChangeReview;
  isHidden: (path: string) => boolean;
  /** The user asked for all of the session; where its beginning is not known, they pick a point. */
  wholeSession: boolean;
}

/** Where the user can see it once: the setting is VS Code's, and off by default. */
const rowsAsked = 'deft.askedForRows';

export async function reviewChanges(
  { chat, changes, isHidden, wholeSession }: ReviewChangesServices,
  state: vscode.Memento,
): Promise<void> {
  const session = chat === undefined || chat.readOnly ? undefined : await chat.session().catch(() => undefined);
  const points = await reviewPoints(session);
  if (points.length === 0)
    return inform('there is nothing to compare with yet: no message was sent here, and there is no commit.');
  const point = points.find((each) => wholeSession && each.isSession === true) ?? (await pick(points));
  if (point === undefined) return;
  const found = await vscode.window
    .withProgress({ location: vscode.ProgressLocation.Window, title: 'Deft: comparing…' }, () => point.load())
    .then(
      (files) => files,
      (error: unknown) =>
        void vscode.window.showErrorMessage(`Deft: the changes could not be compared: ${messageOf(error)}`),
    );
  if (found === undefined) return;
  const hidden = found.files.filter(({ path }) => isHidden(path));
  const files = found.files.filter((file) => !hidden.includes(file));
  if (files.length > 0) await changes.compared.open({ key: point.key, since: point.since, files });
  sayWhatIsMissing(point, files.length, hidden.length, found);
  if (files.length > 0) await offerRows(state);
}

async function pick(points: readonly ReviewPoint[]): Promise<ReviewPoint | undefined> {
  const picked = await vscode.window.showQuickPick(
    points.map((point) => ({
      label: `${point.since.charAt(0).toUpperCase()}${point.since.slice(1)}`,
      description: point.detail ?? '',
      point,
    })),
    { title: 'Review Changes', placeHolder: 'All changes since when?', matchOnDescription: true },
  );
  return picked?.point;
}

function sayWhatIsMissing({ since }: ReviewPoint, shown: number, hidden: number, { left }: PointFiles): void {
  const missing = [
    hidden === 0 ? '' : `${counted(hidden, 'file')} that a deny rule hides`,
    left.length === 0
      ? ''
      : `${counted(left.length, 'file')} without a text to compare (${left.slice(0, 5).join(', ')})`,
  ].filter((part) => part !== '');
  if (missing.length > 0) inform(`not shown: ${missing.join(', and ')}.`);
  else if (shown === 0) inform(`nothing has changed ${since}.`);
}

/** VS Code shows rows with buttons in diffs only where a setting of its own says so. */
async function offerRows(state: vscode.Memento): Promise<void> {
  const settings = vscode.workspace.getConfiguration('diffEditor');
  if (settings.get('codeLens') === true || state.get(rowsAsked) === true) return;
  await state.update(rowsAsked, true);
  const show = 'Show Rows';
  // Nobody waits for the answer.
  void vscode.window
    .showInformationMessage(
      'Deft: Keep and Undo can stand above each change. VS Code shows such rows in diffs only with its setting “diffEditor.codeLens”. Alt+Enter keeps and Alt+Backspace undoes the change at the cursor with or without them.',
      show,
    )
    .then(async (answer) => {
      if (answer === show) await settings.update('codeLens', true, vscode.ConfigurationTarget.Global);
    });
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
