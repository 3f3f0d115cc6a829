// Which addresses lead to this machine whatever a name server says: the pages of the user's own programs.

/** localhost and the names below it, 127.0.0.0/8 and ::1, over http and https; and the empty page. */
export function isLocalAddress(url: string): boolean {
  if (url === emptyPage) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return false;
  const host = hostname.toLowerCase().replace(/\.$/, '');
  // URL has written every form of an address, such as 127.1 or 0x7f000001, as four numbers.
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** What a browser shows before it has opened anything. */
export const emptyPage = 'about:blank';
