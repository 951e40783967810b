/**
 * An IPv6 address, or a name or an IPv4 address of which no part is empty. URL takes more characters in a name, such as
 * `*`, which no browser knows as a wildcard: such an origin would never match.
 */
const hostPattern = /^(?:\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)*\.?)$/;

/** Whether a text is the origin of a web page as browsers send it. They send one spelling only, and never port 0. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname, port } = new URL(text);
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    origin === text &&
    port !== '0' &&
    hostPattern.test(hostname)
  );
}
