// What Debug keeps in a session: the program that it debugs, and what the user was shown before it started.
import { type Debuggee } from '../ports/debugger';

export interface SessionDebugging {
  current(): Debuggee | undefined;
  /** `keep`: it outlives the turn. */
  hold(debuggee: Debuggee, keep: boolean): void;
  /** Ends what is held. */
  end(): Promise<void>;
  /** By the id of the call: what was judged and shown is what starts. */
  shown: Map<string, string>;
}
