// Brings the VS Code of the tests while something else has the processor: npm waits for the disk and the network.
import { ensureRig, rigUnavailable } from './install';

export async function main(): Promise<number> {
  const reason = rigUnavailable();
  if (reason === undefined) ensureRig();
  else console.log(`Not set up: ${reason}`);
  return 0;
}
