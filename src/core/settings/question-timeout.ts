// How long questions to the user wait, as a settings file says it.
import { type SettingsValues } from './settings-keys';

const milliseconds: Record<NonNullable<SettingsValues['askUserQuestionTimeout']>, number | undefined> = {
  never: undefined,
  '60s': 60_000,
  '5m': 300_000,
  '10m': 600_000,
};

/** Undefined where they wait for ever. */
export function questionTimeoutMs({ askUserQuestionTimeout = 'never' }: SettingsValues): number | undefined {
  return milliseconds[askUserQuestionTimeout];
}
