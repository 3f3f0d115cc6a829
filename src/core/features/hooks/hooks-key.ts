// The key by which others find the hooks of a session. It imports types alone, so that naming it loads nothing.
import { type RuleSource } from '../../../shared/permission';
import { featureKey } from '../../feature/feature-key';
import { type AnnounceEvent } from '../../feature/session-parts';
import { type DisplayedText } from './session-hooks';

export interface HooksOfSession {
  /** Runs the hooks that come before a first turn, and no turn. The sentence of the one that ended all, where one did. */
  setUp(signal: AbortSignal): Promise<string | undefined>;
  readonly event: AnnounceEvent;
  /** Some hook looks at texts before the user does. */
  readonly displays: boolean;
  /** What the user sees in place of this text; undefined where it stays. */
  displayed(text: DisplayedText): Promise<string | undefined>;
  /** A settings file has changed. False where a hook keeps the change from this session. */
  configChanged(source: RuleSource, file: string): Promise<boolean>;
}

export const hooks = featureKey<HooksOfSession>('hooks');
