// A session as the lists of a window have it.
import { type ExternalSource } from '../../core/external-sessions/external-session';
import { type SessionSummary } from '../../core/ports/session-store';
import { type SessionGlance, type SessionState } from '../../shared/session-glance';

export interface BoardRow extends Omit<SessionSummary, 'cwd'> {
  /** Undefined where nothing is known but its log. */
  glance: SessionGlance | undefined;
  state: SessionState;
  /** Of another folder of the repository: its log and that folder. */
  elsewhere?: { file: string; folder: string };
  /** The other program that wrote it: it is looked at only. */
  source?: ExternalSource;
}
