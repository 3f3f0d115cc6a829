// Tells the program whether the session works, waits for it, or has nothing to do: only where the program asked for it by the variable of the public tool.
import { isOn } from '../../core/text/switch-words';
import { type ControlChannel } from './control-channel';

export type SessionState = 'running' | 'requires_action' | 'idle';

export interface SessionStates {
  /** A turn begins, or all is said: no message of it follows. */
  set(state: 'running' | 'idle'): void;
  /** A channel whose open questions are told as `requires_action`. */
  around(channel: Pick<ControlChannel, 'ask'>): Pick<ControlChannel, 'ask'>;
}

export function createSessionStates(
  environment: NodeJS.ProcessEnv,
  tell: (state: SessionState) => void,
): SessionStates {
  const asked = isOn(environment['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS']);
  let told: SessionState | undefined;
  /** Without questions: an agent in the background may ask while nothing else is to do. */
  let without: 'running' | 'idle' = 'running';
  let questions = 0;
  const say = (state: SessionState): void => {
    if (asked && state !== told) tell(state);
    told = state;
  };
  return {
    set(state) {
      without = state;
      say(state);
    },
    around: ({ ask }) => ({
      async ask(request, signal) {
        questions++;
        say('requires_action');
        try {
          return await ask(request, signal);
        } finally {
          questions--;
          if (questions === 0 && told === 'requires_action') say(without);
        }
      },
    }),
  };
}
