// What a project's settings would allow: each grant as one line that the person reads and agrees to.
import { formatRule } from '../permissions/rule-syntax';
import { type PermissionRuleValue } from '../../shared/permission';
import { type SettingsFile } from './settings-file';
import { type SettingsKey, settingsKeys } from './settings-keys';

export interface Grant {
  /** The folder that the project's `.claude` lies in: what was agreed to holds for it alone. */
  root: string;
  file: string;
  /** The whole grant. The same line is the same grant, whatever stands around it in the file. */
  text: string;
}

/** Whether the person has agreed to a grant. */
export type Agreed = (grant: Grant) => boolean;

export interface AgreedFile {
  file: SettingsFile;
  /** Grants of the project that count only once the person agrees. */
  pending: Grant[];
}

/** A project's file without the grants that the person has not agreed to. */
export function withAgreed(file: SettingsFile, agreed: Agreed): AgreedFile {
  const pending: Grant[] = [];
  const passes = (text: string): boolean => {
    const grant = { root: file.root, file: file.file, text };
    if (agreed(grant)) return true;
    pending.push(grant);
    return false;
  };
  const rules = file.rules.filter(({ behavior, value }) => behavior !== 'allow' || passes(allowGrant(value)));
  const additionalDirectories = file.additionalDirectories.filter((folder) => passes(folderGrant(folder)));
  const env = Object.fromEntries(Object.entries(file.env).filter(([name, value]) => passes(`set ${visible(`${name}=${value}`)}`)));
  const values = Object.fromEntries(
    Object.entries(file.values).filter(
      ([name, value]) => settingsKeys[name as SettingsKey].by !== 'agreed' || passes(`${name}: ${visible(JSON.stringify(value))}`),
    ),
  );
  return { file: { ...file, rules, additionalDirectories, env, values }, pending };
}

/** As much of the line as a list can show. */
export function shortGrant({ text }: Pick<Grant, 'text'>): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** The line of an allow rule. */
export function allowGrant(rule: PermissionRuleValue): string {
  return `allow ${visible(formatRule(rule))}`;
}

/** The line of an additional folder. */
export function folderGrant(folder: string): string {
  return `use the folder ${visible(folder)}`;
}

/** Nothing that a person cannot see, and no second line that seems to be one of its own. */
function visible(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
