// Programs that end together with Deft, also when it is killed and can end nothing itself.
import { execFile } from 'node:child_process';

/** Of util-linux. By its whole path: what a workspace puts on PATH is not asked. */
const command = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--'] as const;
let prefix: Promise<readonly string[]> | undefined;

/**
 * What to put before a command: the kernel of Linux ends it once its parent is gone. Empty where the system cannot do
 * that; there a program ends at the latest when it next writes to us.
 */
export function endingWithUs(): Promise<readonly string[]> {
  return (prefix ??= process.platform === 'linux' ? works() : Promise.resolve([]));
}

function works(): Promise<readonly string[]> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    execFile(program, [...args, 'true'], (error) => resolve(error === null ? command : []));
  });
}
