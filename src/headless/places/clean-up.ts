// Removes old sessions at the end of a run, as the window does: by the same decision, and without a word only where the user has set how long they are kept or a window has told them.
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { type SessionStore } from '../../core/ports/session-store';
import { lookAfterSessions } from '../../node/sessions/kept-sessions';

/** What this needs of a run. */
export interface EndedRun {
  session: { id: string };
  log: { store: SessionStore; opened: { log: { path: string } } };
  basis: {
    home: string;
    environment: NodeJS.ProcessEnv;
    host: { interruption: { signal: AbortSignal }; warn(sentence: string): void };
    options: { unsaved: boolean; settingSources: readonly string[] | undefined };
    settings: {
      values: { cleanupPeriodDays?: number | undefined };
      broken: readonly string[];
      problems: readonly unknown[];
    };
  };
}

export async function cleanUpAfter({ session, log, basis }: EndedRun): Promise<void> {
  const { options, settings, host } = basis;
  // What the user has set may be in a file that was not read, or that cannot be read: then nothing goes.
  const unknown =
    settings.broken.length + settings.problems.length > 0 || options.settingSources?.includes('user') === false;
  if (options.unsaved || unknown || host.interruption.signal.aborted) return;
  try {
    await lookAfterSessions({
      root: path.dirname(log.opened.log.path),
      store: log.store,
      home: basis.home,
      environment: basis.environment,
      now: Date.now(),
      days: settings.values.cleanupPeriodDays,
      isOpen: (id) => id === session.id,
      announce: undefined,
    });
  } catch (error) {
    host.warn(`Old sessions could not be removed: ${messageOf(error)}`);
  }
}
