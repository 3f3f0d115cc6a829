// The text that "@changes" stands for: what is in no commit yet, as git tells it.
import { counted } from '../../shared/counted';
import { headOf } from '../../shared/cut-text';
import { type Git } from '../ports/git-state';
import { redactText, type Secrets } from '../text/redact';

/** For all differences together; one file that is larger alone is cut. */
const maxDiffChars = 40_000;
const maxListed = 100;

export async function mentionedChanges(
  git: Pick<Git, 'changes'>,
  folder: string,
  isHidden: (path: string) => boolean,
  secrets: Secrets,
): Promise<string> {
  const changes = await git.changes(folder, isHidden);
  if (changes === undefined)
    return `${folder} is in no git repository, or git does not answer: its changes are not known.`;
  const { files, hidden } = changes;
  const left = hidden === 0 ? [] : [`Left out because the user's rules hide them: ${counted(hidden, 'file')}.`];
  if (files.length === 0) return [`Nothing in ${folder} is uncommitted.`, ...left].join('\n');
  const listed = files.slice(0, maxListed).map(({ state, path }) => `${state} ${path}`);
  const more = files.length > maxListed ? [`[${files.length - maxListed} more]`] : [];
  // Before anything is cut: half a secret would not be recognised.
  const diff = cutDiff(redactText(changes.diff, secrets));
  return [`Uncommitted in ${folder}:`, ...listed, ...more, ...left, ...(diff === '' ? [] : ['', diff])].join('\n');
}

/** Whole files as long as they fit; the others are named. */
function cutDiff(diff: string): string {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part.trim() !== '');
  const shown: string[] = [];
  const left: string[] = [];
  let room = maxDiffChars;
  for (const part of parts) {
    if (part.length <= room) {
      shown.push(part.trimEnd());
      room -= part.length;
    } else if (shown.length === 0 && left.length === 0) {
      shown.push(`${headOf(part, room)}\n[cut here: read the file for the rest]`);
      room = 0;
    } else left.push(`${nameIn(part)} (${counted(part.split('\n').length, 'line')})`);
  }
  const note =
    left.length === 0
      ? []
      : [
          `[Differences that are not shown: ${left.slice(0, maxListed).join(', ')}${left.length > maxListed ? ` and ${left.length - maxListed} more` : ''}]`,
        ];
  return [...shown, ...note].join('\n');
}

function nameIn(part: string): string {
  return (
    /^\+\+\+ b\/(.*)$/m.exec(part)?.[1] ??
    /^--- a\/(.*)$/m.exec(part)?.[1] ??
    /^diff --git a\/(.*) b\//.exec(part)?.[1] ??
    'a file'
  );
}
