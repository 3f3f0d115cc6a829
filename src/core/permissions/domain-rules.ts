// `WebFetch(domain:host)` rules: which of them cover an address.
import { type PermissionRule } from '../../shared/permission';
import { canonicalToolName, isBare } from './rule-syntax';
import { selectRules } from './select-rules';

/** The first deny or ask rule that covers the address; one that cannot be read counts as covered. */
export function restrictingDomainRule(
  behavior: 'deny' | 'ask',
  tool: string,
  url: string,
  rules: readonly PermissionRule[],
): PermissionRule | undefined {
  const host = hostOf(url);
  return domainRules(tool, rules, behavior).find((rule) => host === undefined || matchesHost(domainOf(rule), host));
}

export function allowingDomainRule(tool: string, url: string, rules: readonly PermissionRule[]): PermissionRule | undefined {
  const host = hostOf(url);
  return host === undefined ? undefined : domainRules(tool, rules, 'allow').find((rule) => matchesHost(domainOf(rule), host));
}

/** Lower case, without a trailing dot or port; undefined where the address has no host. */
export function hostOf(url: string): string | undefined {
  const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#\\]*@)?([^/?#:\\@[\]]+)(?::\d+)?(?:[/?#]|$)/i.exec(url.trim())?.[1];
  return host?.toLowerCase().replace(/\.$/, '');
}

/** `*.h` means any depth below h, not h itself; elsewhere `*` is one label. */
function matchesHost(domain: string, host: string): boolean {
  const pattern = domain.toLowerCase().replace(/\.$/, '');
  if (pattern.startsWith('*.')) return host.length > pattern.length - 1 && matchesEnd(pattern.slice(2), host);
  const [labels, own] = [pattern.split('.'), host.split('.')];
  return labels.length === own.length && labels.every((label, index) => label === '*' || label === own[index]);
}

function matchesEnd(suffix: string, host: string): boolean {
  const labels = suffix.split('.');
  const own = host.split('.');
  return own.length > labels.length && labels.every((label, index) => label === '*' || label === own[own.length - labels.length + index]);
}

function domainRules(tool: string, rules: readonly PermissionRule[], behavior: PermissionRule['behavior']): readonly PermissionRule[] {
  return selectRules(
    rules,
    `${behavior} domains for ${tool}`,
    (rule) =>
      rule.behavior === behavior &&
      !isBare(rule.value) &&
      canonicalToolName(rule.value.toolName) === tool &&
      (rule.value.ruleContent ?? '').startsWith('domain:'),
  );
}

function domainOf(rule: PermissionRule): string {
  return (rule.value.ruleContent ?? '').slice('domain:'.length).trim();
}
