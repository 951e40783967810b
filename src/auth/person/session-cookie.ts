/** What a request says of a session. */
export type SaidSession =
  | { kind: 'none' }
  /** The cookie came twice: a page of a neighbouring host may have set the other one. */
  | { kind: 'repeated' }
  | { kind: 'one'; secret: string };

/** How long a cookie's value is: 256 random bits in base64url. */
const SECRET = /^[\w-]{43}$/;

/**
 * The name of the cookie with a session. Over https no other host and no page without TLS can set one of this name; on
 * this machine each port has its own, as browsers share cookies among the ports of a host.
 * @param origin of the service
 */
export function cookieNameOf(origin: string): string {
  const { protocol, port } = new URL(origin);
  return protocol === 'https:' ? '__Host-rewards' : `rewards-${port || '80'}`;
}

/** Finds the session in the header `Cookie`. A value that none has counts as none. */
export function readSessionCookie(header: string | undefined, name: string): SaidSession {
  if (header === undefined) return { kind: 'none' };
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [secret] = values;
  if (secret === undefined) return { kind: 'none' };
  if (values.length > 1) return { kind: 'repeated' };
  return SECRET.test(secret) ? { kind: 'one', secret } : { kind: 'none' };
}

/** The header `Set-Cookie` that gives a browser a session. @param origin of the service */
export function sessionCookie(origin: string, secret: string, maxAgeSeconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  return `${cookieNameOf(origin)}=${secret}; ${attributes}`;
}
