// A diff, hunk by hunk, coloured as the file's language.
import { useMemo } from 'preact/hooks';
import { visibleText } from '../../src/shared/visible-text';
import { type DiffHunk, type DiffView } from '../../src/shared/tool-view';
import { useColouredLines } from '../markdown/code-block';
import { type CodeLine, languageOfPath } from '../markdown/code-lines';
import { Button } from '../parts/button';
import { Hidden } from '../parts/disclosure';
import { Visible } from '../parts/visible';

/** `onTakeBack`: where it waits for an answer, each of several changes can be left out of it. */
export function DiffBody({ view, onTakeBack }: { view: DiffView; onTakeBack?: (hunk: DiffHunk) => void }) {
  const each = view.hunks.length > 1 ? onTakeBack : undefined;
  const language = languageOfPath(view.path);
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={`Changes in ${visibleText(view.path)}`}>
      <table class="diff-table" role="presentation">
        {view.hunks.map((hunk, index) => (
          <Hunk
            key={`${hunk.oldStart}.${hunk.newStart}`}
            {...{ hunk, language }}
            first={index === 0}
            onTakeBack={each && (() => each(hunk))}
          />
        ))}
      </table>
      {view.hunks.length === 0 && <div class="diff-more">{view.created ? 'An empty file.' : 'No lines changed.'}</div>}
      {view.truncated && <div class="diff-more">There is more; open the diff to see all of it.</div>}
    </div>
  );
}

/** "+3 −1", with words for screen readers. */
export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-count">
      <span class="added">
        +{added}
        <Hidden> added</Hidden>
      </span>{' '}
      <span class="removed">
        −{removed}
        <Hidden> removed</Hidden>
      </span>
    </span>
  );
}

interface HunkProps {
  hunk: DiffHunk;
  first: boolean;
  language: string | undefined;
  onTakeBack: (() => void) | undefined;
}

function Hunk({ hunk, first, language, onTakeBack }: HunkProps) {
  const code = useMemo(() => hunk.lines.map((line) => line.slice(1)).join('\n'), [hunk]);
  const coloured = useColouredLines(code, language);
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return (
    <tbody class={first ? 'hunk' : 'hunk hunk-next'}>
      {onTakeBack && (
        <tr>
          <td class="hunk-head" colSpan={3}>
            <Button
              kind="quiet"
              icon="discard"
              label="Take back"
              tail={` the change at line ${hunk.newStart}`}
              title="Leave this change out: Accept then makes only the others"
              onClick={onTakeBack}
            />
          </td>
        </tr>
      )}
      {hunk.lines.map((line, index) => {
        const sign = line[0] ?? ' ';
        if (sign === '\\') return <NoteLine key={index} text={line.slice(2)} />;
        const number = sign === '-' ? oldLine : newLine;
        if (sign !== '+') oldLine++;
        if (sign !== '-') newLine++;
        return <Line key={index} sign={sign} number={number} pieces={coloured[index] ?? []} />;
      })}
    </tbody>
  );
}

const lineKinds: Readonly<Record<string, { class: string; word: string; sign: string }>> = {
  '+': { class: 'line-added', word: 'Added: ', sign: '+' },
  '-': { class: 'line-removed', word: 'Removed: ', sign: '−' },
};

function Line({ sign, number, pieces }: { sign: string; number: number; pieces: CodeLine }) {
  const kind = lineKinds[sign];
  return (
    <tr class={kind?.class}>
      <td class="line-number" aria-hidden="true">
        {number}
      </td>
      <td class="line-sign" aria-hidden="true">
        {kind?.sign}
      </td>
      <td class="line-code">
        {kind && <Hidden>{kind.word}</Hidden>}
        <Pieces pieces={pieces} />
      </td>
    </tr>
  );
}

export function Pieces({ pieces }: { pieces: CodeLine }) {
  return (
    <>
      {pieces.map(({ text, className }, index) => {
        const visible = <Visible key={index} text={text} />;
        return className === '' ? (
          visible
        ) : (
          <span key={index} class={className}>
            {visible}
          </span>
        );
      })}
    </>
  );
}

function NoteLine({ text }: { text: string }) {
  return (
    <tr>
      <td class="line-number" />
      <td class="line-sign" />
      <td class="line-note">{text}</td>
    </tr>
  );
}
