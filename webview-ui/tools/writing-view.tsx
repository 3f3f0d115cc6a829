// What a call is going to write, as it is written: the last lines, kept at their end.
import { type Writing } from '../../src/shared/chat';
import { Hidden } from '../parts/disclosure';
import { Visible } from '../parts/visible';
import { useStaysAtEnd } from '../parts/stays-at-end';

export function WritingBody({ writing, label }: { writing: Writing; label: string }) {
  const list = useStaysAtEnd(0);
  return (
    <div class="diff writing" tabIndex={0} role="region" aria-label={label} ref={list}>
      <table class="diff-table" role="presentation">
        <tbody>
          <Lines text={writing.removed} kind="line-removed" word="Removed: " sign="−" />
          <Lines text={writing.added} kind="line-added" word="Added: " sign="+" />
        </tbody>
      </table>
    </div>
  );
}

function Lines({ text, kind, word, sign }: { text: string; kind: string; word: string; sign: string }) {
  if (text === '') return null;
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return (
    <>
      {lines.map((line, index) => (
        <tr key={index} class={kind}>
          <td class="line-sign" aria-hidden="true">
            {sign}
          </td>
          <td class="line-code">
            <Hidden>{word}</Hidden>
            <Visible text={line} />
          </td>
        </tr>
      ))}
    </>
  );
}
