// The effort that the person chose in a session, as its log says; a resumed session goes on with it.
import { efforts } from '../model/capabilities';
import { type Effort } from '../model/wire';
import { type SessionRecord } from '../sessions/record';
import { lastSetting } from './permission-state';

/** In the log: left to the model. */
export const noEffort = 'default';

/** What the settings say, where nothing was chosen. */
export function chosenEffort(records: readonly SessionRecord[], settings: Effort | undefined): Effort | undefined {
  const value = lastSetting(records, 'effort');
  return value === noEffort ? undefined : (efforts.find((effort) => effort === value) ?? settings);
}
