// Text whose hidden characters are named where they are.
import { codePointName, textParts } from '../../src/shared/visible-text';

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
