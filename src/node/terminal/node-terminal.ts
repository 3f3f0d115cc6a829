// Commands as plain processes without a terminal: what the headless runner uses.
import { defined } from '../../shared/defined';
import { type Log } from '../../core/ports/log';
import { createCapturedTerminal, type CapturedTerminal, type CapturedTerminalOptions } from './captured-terminal';
import { cleanEnvironment } from './command-environment';
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
}

/** Credentials never reach a command; it reads nothing, and everything it prints goes into its output file. */
export function createNodeTerminal({ environment, onOrphans, ...options }: NodeTerminalOptions): CapturedTerminal {
  const clean = cleanEnvironment(environment);
  return createCapturedTerminal({
    ...options,
    ...defined({ onOrphans }),
    launch: launchPlainProcess,
    environment: async () => clean,
  });
}
