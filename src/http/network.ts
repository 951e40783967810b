const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Of the eight groups of an IPv6 address, those that name the network of one customer of a provider: 64 bits. */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;

/**
 * What an address is counted as, where clients are limited by their address: an IPv4 address as itself, an IPv6 address
 * as its network of 64 bits, since one client has all of its addresses.
 * @param address as a socket tells it
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}
