// Whether a link's text shows another address than the one it opens: people trust what they read.
import { shortened } from '../../src/shared/cut-text';

/** A file name is read as one, not as the address of a site. */
const fileEndings =
  /\.(?:[cm]?[jt]sx?|json|md|py|rb|rs|go|java|cc?|cpp|h|cs|php|sh|sql|ya?ml|toml|html?|css|vue|svelte|txt|xml)$/i;

/** What the link opens, in short; undefined where its text shows no address, or that one. */
export function otherAddress(text: string, target: string): string | undefined {
  const shown = addressIn(text);
  if (shown === undefined) return undefined;
  const opened = addressOf(target);
  if (opened !== undefined && opened.host === shown.host && `${opened.rest}/`.startsWith(withoutEnd(shown.rest)))
    return undefined;
  const short = opened === undefined ? target : `${opened.host}${opened.rest}`;
  return shortened(short, 61);
}

interface Address {
  host: string;
  rest: string;
}

function addressIn(text: string): Address | undefined {
  const explicit = /(?:https?:\/\/|\bwww\.)[^\s<>"']+/i.exec(text)?.[0];
  if (explicit !== undefined) return addressOf(/^http/i.test(explicit) ? explicit : `https://${explicit}`);
  const whole = text.trim();
  if (/^[^\s@/]+@[a-z0-9.-]+\.[a-z]{2,}$/i.test(whole)) return addressOf(`mailto:${whole}`);
  const [site = ''] = whole.split(/[/?#:]/);
  return /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u.test(site) && !/\s/.test(whole) && !fileEndings.test(site)
    ? addressOf(`https://${whole}`)
    : undefined;
}

function addressOf(url: string): Address | undefined {
  if (/^mailto:/i.test(url)) {
    const [, mailbox = ''] = /^mailto:([^?]*)/i.exec(url) ?? [];
    return { host: mailbox.toLowerCase(), rest: '' };
  }
  if (!/^https?:/i.test(url)) return undefined;
  try {
    const { host, pathname, search, hash } = new URL(url);
    return { host: host.replace(/^www\./, ''), rest: withoutEnd(`${pathname}${search}${hash}`) };
  } catch {
    return undefined;
  }
}

/** Without the ellipsis and the punctuation that a sentence puts behind an address. */
function withoutEnd(rest: string): string {
  return rest.replace(/(?:…|%E2%80%A6|\.{3})?[/.,;:!?)\]]*$/i, '');
}
