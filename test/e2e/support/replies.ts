// Replies that many tests script alike.
import { reply, text, toolUse, type Reply } from '../../support/messages-api/script';

/** Reads a file and proposes to replace `before` by `after` in it. */
export function readAndEdit(path: string, before: string, after: string): Reply {
  return reply(
    toolUse('Read', { file_path: path }),
    toolUse('Edit', { file_path: path, old_string: before, new_string: after }),
  );
}

/** Runs a command. */
export function runs(command: string): Reply {
  return reply(toolUse('Bash', { command, description: 'Run a command' }));
}

/** The end of a turn. */
export function answers(answer: string): Reply {
  return reply(text(answer));
}

/** A promise that a test settles when it has seen what it waits for. */
export function opened(): { readonly promise: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}
