// `WebFetch(domain:host)` and `Page(domain:host)` rules: which of them cover an address.
import { type PermissionRule } from '../../../shared/permission';
import { canonicalToolName, isBare } from './rule-syntax';
import { selectRules } from './select-rules';
import { firstRule } from './first-rule';
import { type TraceRecorder } from './verdict';

/** The first deny or ask rule that covers the address; one that cannot be read counts as covered. */
export function restrictingDomainRule(
  behavior: 'deny' | 'ask',
  tool: string,
  url: string,
  rules: readonly PermissionRule[],
  recorder?: TraceRecorder,
): PermissionRule | undefined {
  const host = hostOf(url);
  return firstRule(
    domainRules(tool, rules, behavior),
    behavior,
    url,
    recorder,
    (rule) => host === undefined || matchesHost(domainOf(rule), host),
  );
}

export function allowingDomainRule(
  tool: string,
  url: string,
  rules: readonly PermissionRule[],
  recorder?: TraceRecorder,
): PermissionRule | undefined {
  const host = hostOf(url);
  return host === undefined
    ? undefined
    : firstRule(domainRules(tool, rules, 'allow'), 'allow', url, recorder, (rule) => matchesHost(domainOf(rule), host));
}

/** As a browser reads it: lower case, in ASCII, without a trailing dot or port; undefined where the address has no host. */
export function hostOf(url: string): string | undefined {
  if (!/^\s*[a-z][a-z\d+.-]*:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname === '' ? undefined : hostname.toLowerCase().replace(/\.$/, '');
}

/** A deny or ask rule stands in the way of this address. */
export function isRestrictedAddress(tool: string, url: string, rules: readonly PermissionRule[]): boolean {
  return (['deny', 'ask'] as const).some((behavior) => restrictingDomainRule(behavior, tool, url, rules) !== undefined);
}

/** The hosts that deny rules name, in ASCII: `*.h` stands for any depth below h, `*` elsewhere for one label. */
export function deniedHosts(tool: string, rules: readonly PermissionRule[]): string[] {
  return [...new Set(domainRules(tool, rules, 'deny').map((rule) => asHost(domainOf(rule))))].sort();
}

/** `*.h` means any depth below h, not h itself; elsewhere `*` is one label. */
function matchesHost(domain: string, host: string): boolean {
  const pattern = asHost(domain);
  if (pattern.startsWith('*.')) return host.length > pattern.length - 1 && matchesEnd(pattern.slice(2), host);
  const [labels, own] = [pattern.split('.'), host.split('.')];
  return labels.length === own.length && labels.every((label, index) => label === '*' || label === own[index]);
}

function asHost(domain: string): string {
  return inAscii(domain).toLowerCase().replace(/\.$/, '');
}

/** Hosts of addresses are in ASCII: a rule may name `bücher.example`. */
function inAscii(domain: string): string {
  if (/^[\x00-\x7f]*$/.test(domain) || /[/:@?#\\]/.test(domain) || !URL.canParse(`https://${domain}`)) return domain;
  return new URL(`https://${domain}`).hostname;
}

function matchesEnd(suffix: string, host: string): boolean {
  const labels = suffix.split('.');
  const own = host.split('.');
  return (
    own.length > labels.length &&
    labels.every((label, index) => label === '*' || label === own[own.length - labels.length + index])
  );
}

function domainRules(
  tool: string,
  rules: readonly PermissionRule[],
  behavior: PermissionRule['behavior'],
): readonly PermissionRule[] {
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
