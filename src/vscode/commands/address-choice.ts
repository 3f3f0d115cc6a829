// What choosing an address does to keys: asks before a stored key goes to another host, and says what still rules out the vendor's own.
import { isVendorAddress } from '../../core/model/provider-choice';

/** `places`: where the key may go so far. */
export function keyQuestion(address: string, places: readonly string[]): { message: string; detail: string } {
  const { host, hostname, protocol } = new URL(address);
  const open =
    protocol === 'http:' && !isOwnMachine(hostname)
      ? ' The connection is not encrypted (http): anyone on the network path can read the key.'
      : '';
  return {
    message: `Send the stored API key to ${host}?`,
    detail: `It was entered for ${places.map(hostOf).join(', ')}. Whoever runs ${host} can use it.${open} Without it, "Deft: Set API Key" takes a key for ${host}.`,
  };
}

/** `cleared`: the value of `deft.baseUrl` until now; `remaining`: that of ANTHROPIC_BASE_URL. */
export function vendorMessage(cleared: string, remaining: string | undefined): string {
  const gone = cleared.trim() === '' ? '' : ` The base URL ${cleared.trim()} is cleared.`;
  if (isVendorAddress(remaining)) return `Deft: Anthropic answers now.${gone}`;
  return `Deft: Anthropic is chosen.${gone} But ANTHROPIC_BASE_URL is set: requests still go to ${remaining?.trim() ?? ''}. Remove it from the environment or from "env" in settings.json.`;
}

function hostOf(place: string): string {
  return URL.canParse(place) ? new URL(place).host : place;
}

function isOwnMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/i.test(hostname);
}
