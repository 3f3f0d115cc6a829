// What the option in focus would look like. All of them lie on one another, so that nothing moves when the focus does.
import { type Question } from '../../src/shared/question';
import { Markdown } from '../markdown/markdown';

export function Preview({ question, label }: { question: Question; label: string | undefined }) {
  const previews = question.options.filter(({ preview }) => preview !== undefined && preview.trim() !== '');
  if (previews.length === 0) return null;
  const shown = previews.find((option) => option.label === label);
  return (
    <div class="previews" role="region" aria-label={shown ? `Preview of ${shown.label}` : 'Preview'} tabIndex={0}>
      {previews.map((option) => (
        <div
          class={option === shown ? 'preview' : 'preview preview-hidden'}
          key={option.label}
          aria-hidden={option !== shown}
        >
          <PreviewText text={option.preview ?? ''} />
        </div>
      ))}
      {!shown && <div class="preview quiet">The option in focus is shown here.</div>}
    </div>
  );
}

/** What is no Markdown to the eye keeps its columns. */
function PreviewText({ text }: { text: string }) {
  return /^ {0,3}(```|~~~|#{1,6} |[-*+] |\d+\. |>|\|)|\*\*|\]\(/m.test(text) ? (
    <Markdown text={text} />
  ) : (
    <pre class="preview-plain">{text}</pre>
  );
}
