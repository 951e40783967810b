import { BlockList, isIP, isIPv6 } from 'node:net';

/** Of IPv4: what no public host has (RFC 6890 and its successors). */
const PRIVATE_V4: readonly (readonly [network: string, prefix: number])[] = [
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
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Of IPv6 only 2000::/3 is given to public hosts. In it, these are not: protocols and tunnels (2001::/23, which
 * contains Teredo), examples, and 6to4, which contains an IPv4 address.
 */
const PUBLIC_V6 = ['2000::', 3] as const;
const PRIVATE_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privateV4 = new BlockList();
for (const [network, prefix] of PRIVATE_V4) privateV4.addSubnet(network, prefix, 'ipv4');
const publicV6 = new BlockList();
publicV6.addSubnet(...PUBLIC_V6, 'ipv6');
const privateV6 = new BlockList();
for (const [network, prefix] of PRIVATE_V6) privateV6.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an IP address is one of the public internet. Everything that is not known to be public is not: loopback,
 * private, link-local, shared, multicast and reserved addresses, and every IPv6 address that contains an IPv4 one.
 * @param address as `net` prints it, without brackets; a zone (`%eth0`) makes it not public
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) {
    return !address.includes('%') && publicV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
  }
  return isIP(address) === 4 && !privateV4.check(address, 'ipv4');
}

/** Names that always mean this machine (RFC 6761), whatever a resolver says. */
const LOCAL_NAME = /(?:^|\.)localhost\.?$/i;

/** Why a URL can never be one for webhooks, or null. What its name resolves to is checked when it is connected to. */
export type UrlFault = 'malformed' | 'not_https' | 'has_credentials' | 'not_public';

/**
 * Looks at a URL as it is written. The parser of URLs has normalised the spellings of an IPv4 address: octal,
 * hexadecimal, one number, missing parts.
 * @param text at most 2,048 characters
 * @param allowPrivate also takes http and private addresses, for local development
 */
export function urlFault(text: string, allowPrivate: boolean): UrlFault | null {
  if (!URL.canParse(text) || text.length > 2_048) return 'malformed';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'not_https';
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  // A fragment is never sent, and nothing listens on port 0.
  if (url.hostname === '' || text.includes('#') || url.port === '0') return 'malformed';
  if (allowPrivate) return null;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'not_public';
  return LOCAL_NAME.test(host) ? 'not_public' : null;
}

/** The host of a URL, an IPv6 address without its brackets. */
function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}
