// A sentence of the host with its `code` as code, without the marks around it.

const CODE = /(?<=^|\s)`([^`\s]|[^`\s][^`]*[^`\s])`(?=$|[\s.,;:])/;

/** Every second part is code. One part where any mark would be left over: a command may hold marks of its own. */
export function codeParts(text: string): readonly string[] {
  const parts = text.split(CODE);
  return parts.some((part) => part.includes('`')) ? [text] : parts;
}

export function WithCode({ text }: { text: string }) {
  return (
    <>
      {codeParts(text).map((part, index) =>
        index % 2 === 1 ? (
          <code class="plain-code" key={index}>
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </>
  );
}
