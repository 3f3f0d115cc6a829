// Ctrl+C and its like: the first one stops the turn and lets its log reach the disk, the second one and Ctrl+\ end the process.
// Whatever ends it, commands and locks are not left behind: see atExit().

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const quitCode = 131;

export interface Interruption {
  readonly signal: AbortSignal;
  /** 130 and its like; undefined where nothing interrupted. */
  exitCode(): number | undefined;
  /** Stops the run as carefully as a first signal does. */
  stop(exitCode: number): void;
}

export function watchInterruption(onFirst: () => void): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const stop = (code: number): void => {
    exitCode ??= code;
    controller.abort(new DOMException('The run was interrupted.', 'AbortError'));
  };
  for (const [name, code] of Object.entries(exitCodes)) {
    process.on(name, () => {
      if (exitCode !== undefined) process.exit(exitCode);
      onFirst();
      stop(code);
    });
  }
  process.on('SIGQUIT', () => process.exit(quitCode));
  return { signal: controller.signal, exitCode: () => exitCode, stop };
}
