// The effort that the user chose in a session and whether it thinks, as its log says; a resumed session continues with both.
import { defined } from '../../shared/defined';
import { type Effort, efforts } from '../wire/wire';
import { type SettingsValues } from '../settings/settings-keys';
import { type SessionRecord } from '../ports/record';
import { lastSetting } from '../calls/permission-state';

/** In the log: left to the model. */
export const noEffort = 'default';

/** What the settings say, where nothing was chosen. */
export function chosenEffort(records: readonly SessionRecord[], settings: Effort | undefined): Effort | undefined {
  const value = lastSetting(records, 'effort');
  return value === noEffort ? undefined : (efforts.find((effort) => effort === value) ?? settings);
}

/** Deft's own default is to think. */
export function chosenThinking(records: readonly SessionRecord[], settings: boolean | undefined): boolean {
  const value = lastSetting(records, 'thinking');
  return value === undefined ? settings !== false : value !== 'off';
}

/** What settings files say about thinking in new sessions. */
export function thinkingChoices({
  alwaysThinkingEnabled,
  showThinkingSummaries,
}: Pick<SettingsValues, 'alwaysThinkingEnabled' | 'showThinkingSummaries'>): {
  thinking?: boolean;
  thinkingSummaries?: boolean;
} {
  return {
    ...defined({ thinking: alwaysThinkingEnabled, thinkingSummaries: showThinkingSummaries }),
  };
}
