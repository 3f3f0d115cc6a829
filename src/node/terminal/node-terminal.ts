// Commands as plain processes, or in the terminals of a host: what the headless runner uses.
import { defined } from '../../shared/defined';
import { type Log } from '../../core/ports/log';
import { createCapturedTerminal, type CapturedTerminal, type CapturedTerminalOptions } from './captured-terminal';
import { cleanEnvironment } from './command-environment';
import { type Launcher } from './launcher';
import { launchPlainProcess } from './process-launcher';

export interface NodeTerminalOptions {
  log: Log;
  /** The headless runner's own environment: whoever started it has set up the PATH already. */
  environment: NodeJS.ProcessEnv;
  /** Holds the private folder with the output files. */
  root?: string;
  fallbackRoot?: string;
  outputLimitBytes?: number;
  onOrphans?: CapturedTerminalOptions['onOrphans'];
  /** How commands are started where the host has terminals; plain processes where it has none. */
  launch?: Launcher;
}

/** Credentials never reach a command; it reads nothing, and everything it prints goes into its output file. */
export function createNodeTerminal({
  environment,
  onOrphans,
  launch = launchPlainProcess,
  ...options
}: NodeTerminalOptions): CapturedTerminal {
  const clean = cleanEnvironment(environment);
  return createCapturedTerminal({
    ...options,
    ...defined({ onOrphans }),
    launch,
    environment: async () => clean,
  });
}
