// Puts files back to a checkpoint for another extension's tool call: only what Deft alone has changed, and says all that it left.
import * as vscode from 'vscode';
import { type SessionCheckpoints } from '../../core/ports/checkpoints';
import { type Chat } from '../chat/conversation/chat';
import { uriOf } from '../host/uri-path';
import { type ChangeReview } from '../review/change-review';
import { putFilesBack, unsaved } from './put-files-back';
import { rewoundSession } from './rewound-session';
import { countSteps, previewWords, reminderText } from './rewind-words';

export interface CheckpointWindow {
  /** The chat that was used last. */
  chat(): Chat | undefined;
  changes: Pick<ChangeReview, 'putBack'>;
}

/** A sentence where there is nothing to go back to. */
export async function checkpointsOf({
  chat: current,
}: CheckpointWindow): Promise<{ chat: Chat; session: string; checkpoints: SessionCheckpoints } | string> {
  const chat = current();
  if (chat === undefined || chat.readOnly) return 'No session of Deft is open in this window.';
  const { id, settings } = await chat.session();
  return settings.checkpoints === undefined
    ? 'The code cannot be rewound here: the workspace is not on a disk of this machine, or fileCheckpointingEnabled is off.'
    : { chat, session: id, checkpoints: settings.checkpoints };
}

export async function rewindFor(checkpoint: string, window: CheckpointWindow): Promise<string> {
  const found = await checkpointsOf(window);
  if (typeof found === 'string') return found;
  const { chat, session, checkpoints } = found;
  if (chat.running) return 'Deft is still working in this session: nothing was rewound. Wait until it has finished.';
  const preview = await checkpoints.preview(checkpoint);
  if (preview === undefined) return 'There is no such checkpoint: nothing was rewound. The last 100 are kept.';
  const name = (path: string): string => vscode.workspace.asRelativePath(uriOf(path));
  const { own, theirs, inEditors } = previewWords(preview, name, (path) => unsaved(path) !== undefined);
  const left = [...theirs.map(({ path }) => path), ...inEditors, ...preview.plan.lost.map(({ path }) => path)];
  const leftText = left.length === 0 ? '' : ` Left as they are: ${[...new Set(left)].map(name).join(', ')}.`;
  if (own.length === 0) return `No file had to be put back.${leftText}`;
  const { done, failed } = await putFilesBack(checkpoint, own, { checkpoints, changes: window.changes });
  if (done.length > 0) {
    const rewound = rewoundSession(chat, session);
    rewound.remind(reminderText(done));
    rewound.rewound(done);
  }
  const failures = failed.map(({ message }) => ` ${message}`).join('');
  return `Put back ${countSteps(own.filter(({ path }) => done.includes(path)))}: ${done.map(name).join(', ')}.${leftText}${failures}`;
}
