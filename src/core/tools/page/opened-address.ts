// The address of a page as a model writes it, and as a browser opens it.
import { shortened } from '../../../shared/cut-text';
import { isLocalAddress } from '../../permissions/rules/local-addresses';

/** Without a scheme, a local name means http and any other https; a sentence where it is not an address that is opened. */
export function openedAddress(text: string): { ok: true; url: URL } | { ok: false; message: string } {
  const bare = text.trim().replace(/^<(.*)>$/, '$1');
  const url = parsed(bare);
  if (url === undefined)
    return {
      ok: false,
      message: `${shortened(bare, maxShown)} is not an address. Give a complete one, such as http://localhost:3000/.`,
    };
  if (url.protocol === 'file:')
    return {
      ok: false,
      message: 'Files are not opened. Serve their folder with a local web server, and open its address.',
    };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, message: `Only http and https addresses are opened, not ${url.protocol}` };
  if (url.username !== '' || url.password !== '')
    return { ok: false, message: 'An address with a user name or password is not opened. Leave them out.' };
  return bare.length > maxLength
    ? { ok: false, message: `The address is longer than ${maxLength} characters.` }
    : { ok: true, url };
}

function parsed(text: string): URL | undefined {
  // "localhost:3000" reads as a scheme.
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text)) return URL.canParse(text) ? new URL(text) : undefined;
  if (text === '' || /^[/.?#]/.test(text)) return undefined;
  const local = `http://${text}`;
  if (isLocalAddress(local)) return new URL(local);
  return text.includes('.') && URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined;
}

const maxShown = 80;
const maxLength = 2_000;
