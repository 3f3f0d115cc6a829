// The ends that a command can have: part of ports and of the log.

/** How a command ended, never guessed: `lost` means that the exit code is unknown. */
export type CommandEnd =
  | { state: 'exited'; code: number }
  | { state: 'signalled'; signal: string; code: number }
  | { state: 'background'; taskId: string; reason: 'asked' | 'timeout' | 'user' }
  | { state: 'killed'; by: 'timeout' | 'limit' | 'user' | 'agent' | 'abort' }
  | { state: 'interrupted'; code?: number }
  | { state: 'suspended' }
  | { state: 'closed'; code?: number }
  | { state: 'not-started'; message: string }
  | { state: 'lost'; message: string };
