// The key by which others find the background commands of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';

export interface BackgroundCommands {
  /** The end of what the command has printed, without credentials. */
  tail(id: string, maxBytes: number): Promise<string>;
}

export const background = featureKey<BackgroundCommands>('background');
