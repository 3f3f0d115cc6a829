// The files that Deft changed and nobody settled yet: review, keep or undo all of them, or one.
import { defined } from '../../src/shared/defined';
import { useState } from 'preact/hooks';
import { type ChangedFile } from '../../src/shared/chat';
import { counted } from '../../src/shared/counted';
import type { MessageInput } from '../../src/shared/protocol';
import { post } from '../host/vscode-api';
import { Button, IconButton } from '../parts/button';
import { Hidden, Twistie } from '../parts/disclosure';
import { TextLink } from '../parts/file-link';
import { Icon } from '../parts/icon';
import { splitName } from '../tools/path-name';
import { DiffCount } from '../tools/diff-view';

type ReviewAction = MessageInput<'review'>['action'];

const review = (action: ReviewAction, path?: string) => post({ type: 'review', action, ...defined({ path }) });

export function ChangesStrip({ changes }: { changes: readonly ChangedFile[] }) {
  const [open, setOpen] = useState(false);
  const summary = changes.length === 1 ? '1 file' : `${changes.length} files`;
  const sum = (count: (file: ChangedFile) => number) => changes.reduce((total, file) => total + count(file), 0);
  return (
    <section class={open ? 'strip-part open' : 'strip-part'} aria-label="Changed files">
      <div class="strip-line">
        <span class="strip-summary">
          <Twistie open={open} onToggle={() => setOpen(!open)} label={`${summary} changed`} controls="changed-files" />
          <span>{summary}</span>
          <DiffCount added={sum((file) => file.added)} removed={sum((file) => file.removed)} />
        </span>
        <span class="strip-actions">
          <Button
            kind="quiet"
            label="Review"
            title="Go through the changes in the editor"
            onClick={() => review('open')}
          />
          <Button kind="quiet" label="Keep" title="Keep all changes" onClick={() => review('keep')} />
          <Button kind="quiet" label="Undo" tail=" all" title="Undo all changes" onClick={() => review('undo')} />
        </span>
      </div>
      {open && (
        <ul class="changed" id="changed-files" aria-label="Changed files">
          {changes.map((file) => (
            <ChangedRow key={file.path} file={file} />
          ))}
          <li class="changed-file">
            <TextLink
              title="Compare all changes since a point that you choose, side by side"
              onOpen={() => review('compare')}
            >
              Compare all changes…
            </TextLink>
          </li>
        </ul>
      )}
    </section>
  );
}

/** What the session has edited, where nothing of it waits: in manual mode all of it was accepted. */
export function EditedStrip({ edited }: { edited: readonly ChangedFile[] }) {
  const sum = (count: (file: ChangedFile) => number) => edited.reduce((total, file) => total + count(file), 0);
  return (
    <section class="strip-part" aria-label="Edited files">
      <div class="strip-line">
        <span class="strip-summary" title={edited.map(({ path }) => path).join('\n')}>
          <Icon name="edit" />
          <span>{edited.length === 1 ? '1 file edited' : `${edited.length} files edited`}</span>
          <DiffCount added={sum((file) => file.added)} removed={sum((file) => file.removed)} />
        </span>
        <span class="strip-actions">
          <Button
            kind="quiet"
            label="Review"
            tail=" all"
            title="Compare all changes since this session began, side by side. Deft: Review Changes… asks since when"
            onClick={() => review('compareSession')}
          />
        </span>
      </div>
    </section>
  );
}

/** What reviews have found, at its lines in the editor. */
export function FindingsStrip({ findings: { comments, files } }: { findings: { comments: number; files: number } }) {
  const summary = `${counted(comments, 'finding')} in ${counted(files, 'file')}`;
  return (
    <section class="strip-part" aria-label="Findings">
      <div class="strip-line">
        <span class="strip-summary">
          <Icon name="search" />
          <span>{summary}</span>
        </span>
        <span class="strip-actions">
          <Button
            kind="quiet"
            label="Next"
            tail=" finding"
            title="Go to the next finding in the editor"
            onClick={() => review('nextFinding')}
          />
          <Button
            kind="quiet"
            label="Fix all"
            title={`Make ${comments === 1 ? 'a comment' : 'comments'} of ${summary}, to be sent as one message`}
            onClick={() => review('fixFindings')}
          />
        </span>
      </div>
    </section>
  );
}

/** Comments on lines that wait to be sent, all in one message. */
export function DraftsStrip({ drafts: { comments, files } }: { drafts: { comments: number; files: number } }) {
  const summary = `${counted(comments, 'comment')} in ${counted(files, 'file')}`;
  return (
    <section class="strip-part" aria-label="Comments">
      <div class="strip-line">
        <span class="strip-summary">
          <Icon name="comment" />
          <span>{summary}</span>
        </span>
        <span class="strip-actions">
          <Button
            kind="quiet"
            label="Send"
            title={`Send ${summary} as one message`}
            onClick={() => review('sendComments')}
          />
          <Button
            kind="quiet"
            label="Discard"
            title="Discard the comments that were not sent"
            onClick={() => review('discardComments')}
          />
        </span>
      </div>
    </section>
  );
}

function ChangedRow({ file }: { file: ChangedFile }) {
  const { name, folder } = splitName(file.path);
  return (
    <li class="changed-file">
      <TextLink title={`Review ${file.path}`} onOpen={() => review('open', file.path)}>
        {name}
      </TextLink>
      <span class="changed-folder quiet">{folder}</span>
      <DiffCount added={file.added} removed={file.removed} />
      {file.others && (
        <span class="changed-others" title={`Only this chat's changes are counted. ${otherChats(file.others)}`}>
          <Icon name="comment-discussion" />
          <Hidden>{otherChats(file.others)}</Hidden>
        </span>
      )}
      <IconButton icon="check" label={`Keep ${file.path}`} onClick={() => review('keep', file.path)} />
      <IconButton icon="discard" label={`Undo ${file.path}`} onClick={() => review('undo', file.path)} />
    </li>
  );
}

function otherChats(titles: readonly string[]): string {
  return `Also changed by ${titles.map((title) => `“${title}”`).join(' and ')}.`;
}
