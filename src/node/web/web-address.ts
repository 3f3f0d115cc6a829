// Which addresses and names belong to this machine or to a local network: nothing on the public web is there.
import { isIPv4, isIPv6 } from 'node:net';

/** True for all that is not plainly a public address; also for what is not an address. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  if (isIPv4(plain)) return isPrivateV4(wordOf(plain.split('.').map(Number)));
  return isIPv6(plain) ? isPrivateV6(groupsOf(plain)) : true;
}

/** Names that only this machine or the local network knows. A name without a dot is one of them. */
export function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || localEnds.test(name);
}

const localEnds = /\.(?:localhost|localdomain|local|internal|intranet|private|lan|home|corp|home\.arpa)$/;

/** What the registry of special addresses holds, and everything from 224.0.0.0 on. */
const specialV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

function isPrivateV4(word: number): boolean {
  return specialV4.some(
    ([start, bits]) => word >>> (32 - bits) === wordOf(start.split('.').map(Number)) >>> (32 - bits),
  );
}

function wordOf([a = 0, b = 0, c = 0, d = 0]: number[]): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** Public is 2000::/3 but for its special parts; where an IPv4 address is inside, that one is judged. */
function isPrivateV6(groups: number[]): boolean {
  const [first = 0, second = 0] = groups;
  const embedded = (at: number): boolean => isPrivateV4((((groups[at] ?? 0) << 16) | (groups[at + 1] ?? 0)) >>> 0);
  const zero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (zero(0, 5) && groups[5] === 0xffff) return embedded(6);
  // NAT64; its local form 64:ff9b:1::/48 is not public.
  if (first === 0x64 && second === 0xff9b && zero(2, 6)) return embedded(6);
  if (first >>> 13 !== 1) return true;
  // 6to4
  if (first === 0x2002) return embedded(1);
  // Teredo and other protocol assignments, then documentation.
  return (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || (first === 0x3fff && second < 0x1000);
}

/** The eight groups; a tail in IPv4 form counts as two. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = partsOf(head);
  if (tail === undefined) return before;
  const after = partsOf(tail);
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const word = wordOf(part.split('.').map(Number));
    return [word >>> 16, word & 0xffff];
  });
}
