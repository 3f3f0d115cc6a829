// The settings key `language` as a sentence of the system prompt.
import { neutralText } from '../text/system-reminder';
import { type SettingsValues } from './settings-keys';

/** Longer ones are no name of a language. */
const maxLength = 60;

export function answerLanguage({ language }: Pick<SettingsValues, 'language'>): string | undefined {
  const name = language?.replace(/\s+/g, ' ').trim() ?? '';
  return name === '' || name.length > maxLength
    ? undefined
    : `Write your answers to the user in ${neutralText(name)}. Code, commands and file contents keep the language they have.`;
}
