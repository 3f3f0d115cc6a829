// A run of tests: how it stands, and what failed with its line.
import { type TestsView } from '../../src/shared/tool-view';
import { lastLines } from '../../src/shared/terminal-text';
import { FileLink } from '../parts/file-link';
import { Icon } from '../parts/icon';
import { splitName } from './path-name';

const shownLines = 12;

export function TestsBody({ view }: { view: TestsView }) {
  const { items, failed, passed, skipped, state, tail } = view;
  return (
    <div class="found">
      <div class="tests-counts">
        {state === 'running' && <span class="quiet">Running…</span>}
        {state === 'nothing' && <span>No tests ran.</span>}
        {state === 'unread' && <span>The runner gave no report.</span>}
        {state === 'stopped' && <span>Stopped before the end.</span>}
        <Count icon="error" count={failed} word="failed" />
        <Count icon="pass" count={passed} word="passed" />
        <Count icon="circle-slash" count={skipped} word="skipped" />
      </div>
      <ul class="found-list tests-list">
        {items.map(({ name, path, line, text }, index) => (
          <li key={index}>
            <Icon name="error" />{' '}
            {path === undefined ? (
              <span>{name}</span>
            ) : (
              <>
                <FileLink path={path} line={line}>
                  <bdi>{name}</bdi>
                </FileLink>{' '}
                <span class="quiet">
                  {line === undefined ? splitName(path).name : `${splitName(path).name}:${line}`}
                </span>
              </>
            )}
            {text !== undefined && text !== '' && <code class="found-text">{text.trim()}</code>}
          </li>
        ))}
      </ul>
      {items.length < failed && (
        <div class="quiet">{failed.toLocaleString()} failures in total; only the first are shown.</div>
      )}
      {tail !== undefined && tail !== '' && <pre class="tests-tail">{lastLines(tail, shownLines)}</pre>}
    </div>
  );
}

function Count({ icon, count, word }: { icon: string; count: number; word: string }) {
  if (count === 0) return null;
  return (
    <span class={`tests-${word}`}>
      <Icon name={icon} /> {count.toLocaleString()} {word}
    </span>
  );
}
