// What the sandbox's process is asked and what it answers, one message each.
import { type SandboxPolicy } from '../../core/ports/command-sandbox';

export interface SandboxStart {
  policy: SandboxPolicy;
  /** An absolute path; undefined where there is none. */
  ripgrep: string | undefined;
}

export type SandboxQuestion =
  /** Once, before all others. */
  | ({ ask: 'start' } & SandboxStart)
  | { ask: 'wrap'; command: string }
  /** Of a command that was wrapped, by the name that it got. */
  | { ask: 'refused'; name: string }
  | { ask: 'ended'; name: string };

export interface WrappedCommand {
  name: string;
  text: string;
}

/** `value` as the question wants it, or why there is none, as a sentence. */
export type SandboxAnswer = { id: number } & ({ value: WrappedCommand | string[] | null } | { failure: string });
