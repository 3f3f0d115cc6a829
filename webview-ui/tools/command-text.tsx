// A command in full: every character, hidden ones by their names, broken between words only.
import { Visible } from '../parts/visible';

export function CommandText({ command }: { command: string }) {
  return (
    <>
      {command.split(/(\s+)/).map((part, index) =>
        index % 2 === 0 && part !== '' ? (
          <span class="command-word" key={index}>
            <Visible text={part} />
          </span>
        ) : (
          <Visible text={part} />
        ),
      )}
    </>
  );
}
