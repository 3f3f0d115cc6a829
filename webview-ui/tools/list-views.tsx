// What searches and reads found: matches, files, an image.
import { type FilesView, type ImageView, type MatchesView } from '../../src/shared/tool-view';
import { FileLink } from '../parts/file-link';
import { Icon } from '../parts/icon';
import { sizeText } from './tool-words';

export function MatchesBody({ view }: { view: MatchesView }) {
  return (
    <div class="found">
      <ul class="found-list">
        {view.items.map((item, index) => (
          <li key={index}>
            <FileLink path={item.path} line={item.line}>
              <bdi>{item.line === undefined ? item.path : `${item.path}:${item.line}`}</bdi>
            </FileLink>
            {item.count !== undefined && <span class="quiet"> {item.count}</span>}
            {item.text !== undefined && <code class="found-text">{item.text.trim()}</code>}
          </li>
        ))}
      </ul>
      {view.items.length === 0 && <div class="quiet">No matches.</div>}
      {view.truncated && (
        <div class="quiet">{view.matches.toLocaleString()} matches in total; only the first are shown.</div>
      )}
    </div>
  );
}

export function FilesBody({ view }: { view: FilesView }) {
  return (
    <div class="found">
      <ul class="found-list">
        {view.items.map((item, index) => (
          <li key={index}>
            <FileLink path={item.path} line={item.startLine}>
              <bdi>{item.path}</bdi>
            </FileLink>
            {item.startLine !== undefined && <span class="quiet"> {lineRange(item.startLine, item.endLine)}</span>}
          </li>
        ))}
      </ul>
      {view.items.length === 0 && <div class="quiet">No files.</div>}
      {view.truncated && (
        <div class="quiet">{view.total.toLocaleString()} files in total; only the first are shown.</div>
      )}
    </div>
  );
}

function lineRange(start: number, end: number | undefined): string {
  return end === undefined || end === start ? `line ${start}` : `lines ${start}–${end}`;
}

/** The picture itself stays in the workspace: its facts and a link to it. */
export function ImageBody({ view }: { view: ImageView }) {
  const facts = [
    view.width !== undefined && view.height !== undefined ? `${view.width} × ${view.height}` : '',
    view.mediaType.replace(/^image\//, '').toUpperCase(),
    sizeText(view.bytes),
  ].filter((fact) => fact !== '');
  return (
    <div class="found">
      <Icon name="file-media" /> <FileLink path={view.path}>{view.path}</FileLink>{' '}
      <span class="quiet">{facts.join(' · ')}</span>
    </div>
  );
}
