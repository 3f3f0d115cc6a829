// Why Deft asks, for somebody who knows no rules: what rules have to do with it, the steps of the decision tell.
import { type PermissionTarget } from './rules/verdict';

/** "Deft asks before it runs `rm`." for "No rule matches `rm`. The nearest is …"; other sentences are plain as they are. */
export function plainReason(reason: string, targets: readonly PermissionTarget[]): string {
  const subject = /^No rule matches (`.+?`)\.(?: |$)/.exec(reason)?.[1];
  if (subject === undefined) return reason;
  const [target] = targets;
  if (target?.kind === 'command') return `Deft asks before it runs ${subject}.`;
  return target?.kind === 'url' ? `Deft asks before it goes to ${subject}.` : `Deft asks before it uses ${subject}.`;
}
