// Text whose hidden characters are named where they are.
import { codeParts } from './with-code';
import { codePointName, textParts } from '../../src/shared/visible-text';

/** The same of a sentence of the host, with its `code` as code. */
export function VisibleWords({ text }: { text: string }) {
  return (
    <>
      {codeParts(text).map((part, index) =>
        index % 2 === 1 ? (
          <code class="plain-code" key={index}>
            <Visible text={part} />
          </code>
        ) : (
          <Visible key={index} text={part} />
        ),
      )}
    </>
  );
}

export function Visible({ text }: { text: string }) {
  const parts = textParts(text);
  if (parts.every(({ hidden }) => !hidden)) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        part.hidden ? (
          <span
            class="hidden-character"
            key={index}
            title="An invisible character, or one that changes how the following text looks"
          >
            {codePointName(part.text)}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}
