// A decision in words.
import { type CallDecision } from '../../src/shared/decision-trace';
import { type RuleSource } from '../../src/shared/permission';

export function whyQuestion({ behavior }: CallDecision): string {
  return behavior === 'allow' ? 'Why was this allowed?' : 'Why was this denied?';
}

export function decisionSentence({ by, behavior, reason }: CallDecision): string {
  const allowed = behavior === 'allow';
  switch (by) {
    case 'user':
      return `You ${allowed ? 'accepted' : 'rejected'} it. Deft asked because: ${reason}`;
    case 'hook':
      return `A hook ${allowed ? 'allowed' : 'denied'} it: ${reason}`;
    case 'classifier':
      return `Auto mode ${allowed ? 'allowed' : 'blocked'} it: ${reason}`;
    default:
      return `${allowed ? 'Allowed' : 'Denied'}: ${reason}`;
  }
}

export const sourceWords: Readonly<Record<RuleSource, string>> = {
  session: 'this session',
  localSettings: 'local settings',
  projectSettings: 'project settings',
  userSettings: 'your settings',
  managedSettings: 'managed settings',
  commandLine: 'command line',
};
