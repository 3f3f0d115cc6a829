// Goes back to a prompt: forks the conversation there, puts files back as they were, or both; each rewind can be undone.
import * as vscode from 'vscode';
import { type RewindPreview, type RewindStep, type SessionCheckpoints } from '../../core/ports/checkpoints';
import { type Path } from '../../core/ports/path';
import { previewOf, sameState } from '../../core/rewind/plan-rewind';
import { type HostMessage } from '../../shared/host-messages';
import { type RewindWhat } from '../../shared/protocol';
import { type Chat } from '../chat/conversation/chat';
import { becomesOf, isAtWork } from '../chat/conversation/left-work';
import { namedPrompt } from '../chat/commands/named-prompt';
import { uriOf } from '../host/uri-path';
import { type ChangeReview } from '../review/change-review';
import { putFilesBack, unsaved } from './put-files-back';
import { rewoundSession, type RewoundSession } from './rewound-session';
import { countSteps, nothingToPutBack, previewWords, reminderText } from './rewind-words';
import { showRewind } from './show-rewind';

export interface RewindServices {
  chat: Chat;
  post: (message: HostMessage) => void;
  changes: ChangeReview;
}

const noCheckpoints =
  'the code cannot be rewound here: the workspace is not on a disk of this machine, or fileCheckpointingEnabled is off.';
const noCheckpoint = 'there is no checkpoint of this message; the last 100 are kept.';
export const readOnlyText = 'this session is shown read-only. Continue it in a copy first.';

export async function rewindChat(id: string, what: RewindWhat, services: RewindServices): Promise<void> {
  const { chat } = services;
  if (chat.readOnly) return void say(readOnlyText);
  if (!(await stopped(chat, what !== 'code'))) return;
  const { id: sessionId, settings } = await chat.session();
  const session = rewoundSession(chat, sessionId);
  if (what !== 'fork' && !(await rewindCode(id, settings.checkpoints, { ...services, session }, what === 'code')))
    return;
  if (what !== 'code') await fork(id, services);
  if (what !== 'code') await session.forked();
}

/** These files alone, whatever else has changed since. */
export async function rewindSome(id: string, paths: ReadonlySet<Path>, services: RewindServices): Promise<void> {
  const { chat } = services;
  if (!(await stopped(chat, false))) return;
  const { id: sessionId, settings } = await chat.session();
  const { checkpoints } = settings;
  if (checkpoints === undefined) return void say(noCheckpoints);
  const steps = await confirm(previewOfFiles(id, paths, checkpoints), checkpoints);
  if (steps === 'gone') return void say(noCheckpoint);
  const session = rewoundSession(chat, sessionId);
  if (steps !== undefined && steps.length > 0) await carryOut(id, steps, checkpoints, { ...services, session }, true);
}

function previewOfFiles(
  id: string,
  paths: ReadonlySet<Path>,
  checkpoints: SessionCheckpoints,
): () => Promise<RewindPreview | undefined> {
  return async () => {
    const preview = await checkpoints.preview(id);
    return preview && previewOf(preview, paths);
  };
}

interface RewindOf extends RewindServices {
  session: RewoundSession;
}

/** Asked before anything is put back. `leaves`: the conversation goes on in a copy, and what its agents do ends. */
async function stopped(chat: Chat, leaves: boolean): Promise<boolean> {
  const { running, work } = chat;
  if (!running && !(leaves && isAtWork(work))) return true;
  const [question, stop] = running
    ? ['Deft is still working. Stop it and rewind?', 'Stop']
    : ['This session has work in the background. Stop it and rewind?', 'Stop and Rewind'];
  const detail = leaves ? becomesOf({ ...work, turn: 'none' }).join('\n') : '';
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, stop);
  if (answer === undefined) return false;
  if (running) await chat.stop();
  return true;
}

async function fork(id: string, { chat, post }: RewindServices): Promise<void> {
  const prompt = await chat.fork(id, true);
  post(prompt === undefined ? { type: 'focus' } : { type: 'writeAnew', ...namedPrompt(prompt) });
}

/** False where nothing may follow: the user said no, or there is no such checkpoint. */
async function rewindCode(
  id: string,
  checkpoints: SessionCheckpoints | undefined,
  services: RewindOf,
  remindModel: boolean,
): Promise<boolean> {
  if (checkpoints === undefined) return say(noCheckpoints);
  const steps = await confirm(() => checkpoints.preview(id), checkpoints);
  if (steps === 'gone') return say(noCheckpoint);
  if (steps === undefined) return false;
  if (steps.length > 0) await carryOut(id, steps, checkpoints, services, remindModel);
  return true;
}

function say(message: string): false {
  void vscode.window.showInformationMessage(`Deft: ${message}`);
  return false;
}

/** The steps that the user wants; undefined for no, 'gone' where there is no such checkpoint. */
async function confirm(
  read: () => Promise<RewindPreview | undefined>,
  checkpoints: SessionCheckpoints,
): Promise<RewindStep[] | 'gone' | undefined> {
  const preview = await read();
  if (preview === undefined) return 'gone';
  const { own, theirs, inEditors, detail } = previewWords(preview, nameOf, (path) => unsaved(path) !== undefined);
  if (own.length + theirs.length === 0) {
    say(nothingToPutBack(inEditors, nameOf));
    return [];
  }
  const [plain, all, show] = [
    'Rewind',
    theirs.length === preview.plan.steps.length ? 'Rewind These' : 'Rewind All',
    'Show Changes',
  ];
  const choices = [...(own.length > 0 ? [plain] : []), ...(theirs.length > 0 ? [all] : [])];
  const question = `Rewind ${countSteps(own.length > 0 ? own : theirs)}?`;
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices, show);
  if (answer === show) {
    await showRewind(preview.plan.steps, checkpoints);
    // While somebody looks, files change: the question is asked anew.
    return (await vscode.window.showInformationMessage(`Deft: ${question}`, 'Rewind…')) === undefined
      ? undefined
      : confirm(read, checkpoints);
  }
  return answer === plain ? own : answer === all ? [...own, ...theirs] : undefined;
}

async function carryOut(
  id: string,
  steps: readonly RewindStep[],
  checkpoints: SessionCheckpoints,
  services: RewindOf,
  remindModel: boolean,
): Promise<void> {
  const { undo, done, failed } = await putFilesBack(id, steps, { checkpoints, changes: services.changes });
  if (remindModel && done.length > 0) {
    services.session.remind(reminderText(done));
    services.session.rewound(done);
  }
  if (failed.length > 0)
    void vscode.window.showWarningMessage(`Deft: ${failed.map(({ message }) => message).join(' ')}`);
  if (done.length === 0) return;
  void Promise.resolve(
    vscode.window.showInformationMessage(
      `Put back ${countSteps(steps.filter(({ path }) => done.includes(path)))}.`,
      'Undo',
    ),
  ).then((answer) =>
    answer === undefined
      ? undefined
      : undoRewind(
          undo,
          steps.filter(({ path }) => done.includes(path)),
          checkpoints,
          services,
        ),
  );
}

/** Takes back what that rewind did and no more. Asks again where a file is not as it left it. */
async function undoRewind(
  undo: string,
  rewound: readonly RewindStep[],
  checkpoints: SessionCheckpoints,
  services: RewindOf,
): Promise<void> {
  // A turn of another session that is shown now continues.
  if (services.session.runs() && !(await stopped(services.chat, false))) return;
  const left = new Map(rewound.map(({ path, to }) => [path, to]));
  const read = previewOfFiles(undo, new Set(left.keys()), checkpoints);
  const steps = (await read())?.plan.steps ?? [];
  const untouched = steps.every(
    ({ path, from, others }) =>
      others === undefined && unsaved(path) === undefined && sameState(from, left.get(path) ?? from),
  );
  const wanted = untouched ? steps : await confirm(read, checkpoints);
  if (wanted !== undefined && wanted !== 'gone' && wanted.length > 0)
    await carryOut(undo, wanted, checkpoints, services, true);
}

function nameOf(path: string): string {
  return vscode.workspace.asRelativePath(uriOf(path));
}
