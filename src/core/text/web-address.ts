// The address of a page as a user or a model writes it, and as it is asked for.
import { escapedMarkdown } from './escaped-markdown';
import { shortened } from '../../shared/cut-text';

/** https, without a fragment; a sentence where it is not an address that can be fetched. */
export function pageAddress(text: string): { ok: true; url: URL } | { ok: false; message: string } {
  const bare = text.trim().replace(/^<(.*)>$/, '$1');
  const trimmed = hostFirst.test(bare) ? `https://${bare}` : bare;
  if (!URL.canParse(trimmed))
    return {
      ok: false,
      message: `${shortened(trimmed, maxShown)} is not a URL. Give a complete one, such as https://docs.python.org/3/.`,
    };
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, message: `Only https and http URLs can be fetched, not ${url.protocol}` };
  if (url.username !== '' || url.password !== '')
    return { ok: false, message: 'A URL with a user name or password is not fetched. Leave them out.' };
  if (trimmed.length > maxLength) return { ok: false, message: `The URL is longer than ${maxLength} characters.` };
  url.protocol = 'https:';
  url.hash = '';
  return { ok: true, url };
}

/** A name with a dot before everything: only the scheme is missing. */
const hostFirst = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?:[/?#]|$)/i;

const maxLength = 2_000;

/** For sentences: host and path, short. */
export function shownAddress(text: string): string {
  const address = pageAddress(text);
  if (!address.ok) return shortened(text.trim(), maxShown);
  const { host, pathname, search } = address.url;
  return shortened(`${host}${pathname === '/' && search === '' ? '' : `${pathname}${search}`}`, maxShown);
}

const maxShown = 80;

/** Markdown that shows a link with this text, whatever stands in either. */
export function markdownLink(text: string, url: string): string {
  const label = escapedMarkdown(text).trim();
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return label;
  return `[${label === '' ? 'link' : label}](${new URL(url).href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
