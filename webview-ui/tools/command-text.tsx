// A command in full: every character, broken between words only.

export function CommandText({ command }: { command: string }) {
  return (
    <>
      {command.split(/(\s+)/).map((part, index) =>
        index % 2 === 0 && part !== '' ? (
          <span class="command-word" key={index}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}
