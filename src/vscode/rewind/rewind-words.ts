// What the preview of a rewind says, in words. Pure.
import { type FileState, type RewindPreview, type RewindStep, type Uncovered } from '../../core/ports/checkpoints';
import { isFullFolder } from '../../core/rewind/plan-rewind';

const listed = 12;
const actions = { restore: 'Restore', create: 'Make again', delete: 'Delete' } as const;

export interface PreviewWords {
  /** Put back without a further question. */
  own: RewindStep[];
  /** Only where the user says so. */
  theirs: RewindStep[];
  /** On the disk as they were then, but unsaved in an editor, where a call may have changed them. */
  inEditors: string[];
  detail: string;
}

/** `name` shows a path; `unsaved` says that an editor holds text of it that is not on the disk. */
export function previewWords(
  { plan, uncovered }: RewindPreview,
  name: (path: string) => string,
  unsaved: (path: string) => boolean,
): PreviewWords {
  const own = plan.steps.filter((step) => step.others === undefined && !unsaved(step.path));
  const theirs = plan.steps.filter((step) => !own.includes(step));
  const inEditors = plan.asThen.filter(unsaved);
  const paragraphs = [
    lines(own.map((step) => `${actions[step.action]} ${name(step.path)}`)),
    theirs.length === 0
      ? ''
      : `Left alone unless you say so:\n${lines(theirs.map((step) => `${name(step.path)}: ${whyTheirs(step, unsaved(step.path))}`))}`,
    inEditors.length === 0
      ? ''
      : `Left alone, since it is not on the disk:\n${lines(inEditors.map((path) => `${name(path)}: ${unsavedText}`))}`,
    plan.lost.length === 0
      ? ''
      : `Changed, but not kept:\n${lines(plan.lost.map(({ path, why }) => `${name(path)}: ${why}`))}`,
    uncoveredText(uncovered, name),
  ];
  return { own, theirs, inEditors, detail: paragraphs.filter((one) => one !== '').join('\n\n') };
}

const unsavedText = 'an editor holds unsaved text of yours, which Deft may have changed; undo that there';

/** Where nothing is to be put back on the disk. */
export function nothingToPutBack(inEditors: readonly string[], name: (path: string) => string): string {
  if (inEditors.length === 0) return 'no file needs to be restored.';
  return `no file needs to be restored on disk. Left alone: ${inEditors.slice(0, listed).map(name).join(', ')}${inEditors.length > listed ? ' …' : ''}: ${unsavedText}.`;
}

/** What commands have done, after edits were undone. */
export function leftWords(
  steps: readonly RewindStep[],
  lost: readonly { path: string; why: string }[],
  name: (path: string) => string,
  whose: string,
): string {
  const all = [
    ...steps.map(
      (step) => `${name(step.path)}${isFolder(step.from) || isFolder(step.to) ? '/' : ''} (${deeds[step.action]})`,
    ),
    ...lost.map(({ path, why }) => `${name(path)} (changed; ${why})`),
  ];
  const shown = all.slice(0, listedLeft).join(', ');
  const more = all.length > listedLeft ? ` and ${all.length - listedLeft} more` : '';
  return `Commands of ${whose} changed more, which stays as it is: ${shown}${more}.`;
}

const listedLeft = 5;
/** What was done, by what puts it back. */
const deeds = { restore: 'changed', create: 'removed', delete: 'made' } as const;

export function countText(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
}

/** Folders come and go with their files: they count only where there is nothing else. */
export function countSteps(steps: readonly RewindStep[]): string {
  const files = steps.filter(({ from, to }) => !isFolder(from) && !isFolder(to));
  return files.length > 0
    ? countText(files.length)
    : steps.length === 1
      ? '1 folder'
      : `${steps.length.toLocaleString('en')} folders`;
}

function isFolder(state: FileState): boolean {
  return state.kind === 'folder' || isFullFolder(state);
}

/** For the model. */
export function reminderText(paths: readonly string[]): string {
  const more = paths.length > 50 ? `\n… and ${paths.length - 50} more` : '';
  return `The user has rewound the code to an earlier point of this conversation. These files are not as you left them; read them again before you rely on them:\n${paths.slice(0, 50).join('\n')}${more}`;
}

function whyTheirs({ others }: RewindStep, unsaved: boolean): string {
  if (unsaved) return 'an editor holds unsaved text';
  if (others === 'between') return 'changed by you too, between changes of Deft';
  return others === 'since' ? 'changed since Deft last changed it' : 'may hold changes of yours';
}

function uncoveredText({ large, largePaths, more, unlisted }: Uncovered, name: (path: string) => string): string {
  const parts = [
    ...(large === 0
      ? []
      : [`${countText(large)} over 2 MB (${largePaths.map(name).join(', ')}${large > largePaths.length ? ' …' : ''})`]),
    ...(more === 0 ? [] : [`files beyond the first 20,000 or 200 MB`]),
    'files that are ignored, where Deft did not name them',
  ];
  const late = unlisted ? ' For some commands no snapshot of the workspace was ready in time.' : '';
  return `Of what commands changed, these are not covered: ${parts.join('; ')}.${late} What another program wrote while a command ran counts as the command's: nothing tells the two apart.`;
}

function lines(all: readonly string[]): string {
  return [
    ...all.slice(0, listed),
    ...(all.length > listed ? [`… and ${countText(all.length - listed)} more`] : []),
  ].join('\n');
}
