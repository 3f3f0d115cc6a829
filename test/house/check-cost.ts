// What `npm run check` costs where nothing has changed: processor seconds of the whole tree of processes.
import { spawnSync } from 'node:child_process';

/** Of a second run; undefined where there is no bash to ask. The check need not be green: all its stages run. */
export function secondsOfSecondCheck(): number | undefined {
  const check = `"${process.execPath}" test/check.mjs`;
  spawnSync('bash', ['-c', check], { stdio: 'ignore' });
  const { stdout } = spawnSync(
    'bash',
    ['-c', `TIMEFORMAT='processor %U %S'; { time ${check} > /dev/null 2>&1; } 2>&1`],
    {
      encoding: 'utf8',
    },
  );
  return processorSeconds(stdout ?? '');
}

export function processorSeconds(output: string): number | undefined {
  const found = /^processor ([\d.]+) ([\d.]+)$/m.exec(output);
  return found === null ? undefined : Number(found[1]) + Number(found[2]);
}
