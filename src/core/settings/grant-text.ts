// What a project's settings would allow: each grant as one line that the user reads and agrees to.
import { formatRule } from '../permissions/rules/rule-syntax';
import { type PermissionRuleValue } from '../../shared/permission';

export interface Grant {
  /** The folder that the project's `.claude` is in: what was agreed to holds for it alone. */
  root: string;
  file: string;
  /** The whole grant. The same line is the same grant, whatever stands around it in the file. */
  text: string;
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

/** Nothing that a user cannot see, and no second line that seems to be one of its own. */
export function visible(text: string): string {
  return text.replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
