// One change of several files: each with its name, which opens its diff, and its lines.
import { type ChangesView, type DiffView } from '../../src/shared/tool-view';
import { post } from '../host/vscode-api';
import { TextLink } from '../parts/file-link';
import { DiffBody, DiffCount } from './diff-view';
import { ReviewButtons } from './review-buttons';

export function ChangesBody({ view, toolUseId }: { view: ChangesView; toolUseId: string }) {
  const left = view.total - view.files.length;
  return (
    <div class="changes">
      {view.files.map((file) => (
        <FileChange key={file.path} file={file} toolUseId={toolUseId} />
      ))}
      {left > 0 && <div class="diff-more">{left === 1 ? '1 more file' : `${left} more files`}, not shown here.</div>}
    </div>
  );
}

function FileChange({ file, toolUseId }: { file: DiffView; toolUseId: string }) {
  const hasLines = file.movedFrom === undefined || file.hunks.length > 0 || file.truncated;
  return (
    <div class="changes-file">
      <div class="changes-head">
        <TextLink
          title={`Open the diff of ${file.path}`}
          onOpen={() => post({ type: 'openDiff', path: file.path, toolUseId })}
        >
          {file.path}
        </TextLink>
        {hasLines && <DiffCount added={file.added} removed={file.removed} />}
        {file.movedFrom !== undefined && <span class="quiet">moved from {file.movedFrom}</span>}
        {file.created && <span class="quiet">new file</span>}
        <ReviewButtons path={file.path} />
      </div>
      {hasLines && <DiffBody view={file} />}
    </div>
  );
}
