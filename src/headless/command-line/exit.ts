// How a program of Deft ends: with the exit code of its work, or with a sentence about what kept it from ending well.
import { DeftError, messageOf } from '../../core/text/errors';

/** Says it under the program's name. A terminal that was closed takes no words, and the program still has to stop in order. */
export function warner(program: string): (message: string) => void {
  process.stderr.on('error', () => undefined);
  return (message) => void process.stderr.write(`${program}: ${message}\n`);
}

export function exitAfter(work: Promise<number>, warn: (message: string) => void): void {
  work
    .catch((error: unknown) => {
      const expected = error instanceof DeftError && error.audience === 'user';
      const stack = error instanceof Error ? error.stack : '';
      warn(expected ? error.message : `${messageOf(error)} This is a bug in Deft.\n${stack}`);
      return 1;
    })
    .then((code) => {
      // Open sockets and timers must not hold the process; what was written must still get out.
      process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
    })
    .catch(() => process.exit(1));
}
