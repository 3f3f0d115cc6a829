// What other extensions and VS Code's own chat may do with Deft's work: see what waits for review, and rewind it.
import * as vscode from 'vscode';
import { uriOf } from '../host/uri-path';
import { type ChangeReview } from '../review/change-review';
import { type CheckpointWindow, checkpointsOf } from './rewind-for-tool';
import { countSteps } from './rewind-words';

export interface WayBackWindow extends CheckpointWindow {
  changes: Pick<ChangeReview, 'changes' | 'parts' | 'putBack'>;
}

const maxListed = 100;
const maxPoints = 30;

/** What waits for Keep or Undo: each file with its lines and changes. */
export function reviewText({ changes }: Pick<WayBackWindow, 'changes'>): string {
  const files = changes.changes();
  if (files.length === 0) return 'No change of Deft waits for review.';
  const lines = files.slice(0, maxListed).map(({ path, added, removed }) => {
    const parts = changes.parts(path).length;
    return `${vscode.workspace.asRelativePath(uriOf(path))}: +${added} −${removed}, ${parts} ${parts === 1 ? 'change' : 'changes'}`;
  });
  const more = files.length > maxListed ? [`… and ${files.length - maxListed} more`] : [];
  const head = `${files.length} ${files.length === 1 ? 'file waits' : 'files wait'} for review in Deft:`;
  return [head, ...lines, ...more, 'The user keeps or undoes each change in the editor.'].join('\n');
}

/** The messages that the files can go back to before, newest first. */
export async function pointsText(window: WayBackWindow): Promise<string> {
  const found = await checkpointsOf(window);
  if (typeof found === 'string') return found;
  const points = (await found.checkpoints.points()).reverse();
  if (points.length === 0) return 'This session of Deft has no checkpoints yet.';
  const lines = points
    .slice(0, maxPoints)
    .map(({ id, at, text }) => `${id} ${new Date(at).toISOString()} ${text.replace(/\s+/g, ' ').slice(0, 100)}`);
  const more = points.length > maxPoints ? [`… and ${points.length - maxPoints} older`] : [];
  return [
    'Checkpoints, newest first: id, time, the message before which the files are put back.',
    ...lines,
    ...more,
  ].join('\n');
}

/** What the user is asked before a rewind. */
export async function rewindQuestion(checkpoint: string, window: WayBackWindow): Promise<string> {
  const found = await checkpointsOf(window);
  if (typeof found === 'string') return found;
  const point = (await found.checkpoints.points()).find(({ id }) => id === checkpoint);
  if (point === undefined) return 'There is no such checkpoint; nothing will be changed.';
  const steps = (await found.checkpoints.preview(checkpoint))?.plan.steps.filter(({ others }) => others === undefined);
  const what = steps === undefined || steps.length === 0 ? 'No file' : countSteps(steps);
  return `${what} will be put back as before the message "${point.text.replace(/\s+/g, ' ').slice(0, 120)}". Files that you have changed too stay as they are.`;
}
