// Commands as plain processes without a terminal: what the headless runner uses.
import { type Log } from '../../core/ports/log';
import { createCapturedTerminal, type CapturedTerminal } from './captured-terminal';
import { cleanEnvironment } from './command-environment';
import { launchPlainProcess } from './process-launcher';

export interface NodeTerminalOptions {
  log: Log;
  /** The headless runner's own environment: whoever started it has set up the PATH already. */
  environment: NodeJS.ProcessEnv;
  /** Holds the private folder with the output files. */
  root?: string;
  outputLimitBytes?: number;
}

/** Credentials never reach a command; it reads nothing, and everything it prints goes into its output file. */
export function createNodeTerminal({ environment, ...options }: NodeTerminalOptions): CapturedTerminal {
  const clean = cleanEnvironment(environment);
  return createCapturedTerminal({ ...options, launch: launchPlainProcess, environment: async () => clean });
}
