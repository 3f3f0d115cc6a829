// Whether settings let plugins come from a source: an organisation may name the marketplaces that count, and those that never do.
import { matchesName } from '../permissions/rules/rule-syntax';
import { type SettingsValues } from '../settings/settings-keys';
import { type FetchSource, writtenSource } from './marketplace-source';
import { isObject } from '../../shared/plain-object';

type Policy = Pick<SettingsValues, 'strictKnownMarketplaces' | 'blockedMarketplaces'>;

/** A sentence; undefined where nothing forbids it. */
export function sourceRefusal(
  source: FetchSource,
  { strictKnownMarketplaces, blockedMarketplaces }: Policy,
): string | undefined {
  if (blockedMarketplaces?.some((entry) => covers(entry, source)) === true)
    return 'Settings block this marketplace (`blockedMarketplaces`).';
  if (strictKnownMarketplaces === undefined || strictKnownMarketplaces.some((entry) => covers(entry, source)))
    return undefined;
  return 'Settings allow only certain marketplaces (`strictKnownMarketplaces`), and this is not one of them.';
}

function covers(entry: unknown, source: FetchSource): boolean {
  if (!isObject(entry)) return false;
  const written = writtenSource(source);
  const host =
    source.kind === 'git'
      ? /^(?:[a-z+]+:\/\/(?:[^/@]*@)?|[^@]*@)([^/:]+)/i.exec(source.url)?.[1]?.toLowerCase()
      : undefined;
  switch (entry['source']) {
    case 'github':
      // A pattern may stand for all repositories of an owner.
      return (
        written['repo'] !== undefined &&
        typeof entry['repo'] === 'string' &&
        matchesName(entry['repo'].toLowerCase(), written['repo'].toLowerCase()) &&
        sameRef(entry, written)
      );
    case 'git':
    case 'url':
      return (
        source.kind === 'git' &&
        typeof entry['url'] === 'string' &&
        plainUrl(entry['url']) === plainUrl(source.url) &&
        sameRef(entry, written)
      );
    case 'directory':
      return source.kind === 'folder' && entry['path'] === source.path;
    case 'hostPattern':
      return host !== undefined && fits(entry['hostPattern'], host);
    case 'pathPattern':
      return source.kind === 'folder' && fits(entry['pathPattern'], source.path);
    default:
      return false;
  }
}

function sameRef(entry: Record<string, unknown>, written: Record<string, string>): boolean {
  return entry['ref'] === undefined || entry['ref'] === written['ref'];
}

function plainUrl(url: string): string {
  return url.replace(/\.git\/?$|\/$/, '').toLowerCase();
}

/** An expression that is none fits nothing. */
function fits(pattern: unknown, text: string): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}
