const visibleAscii = /^[\x21-\x7e]+$/;

/** A structured-field string (RFC 8941, 3.3.3): visible characters and spaces, quotes and backslashes escaped. */
const quotedString = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

const MAX_KEY_LENGTH = 255;
const MAX_REQUEST_ID_LENGTH = 128;

/**
 * The idempotency key of a header, bare or quoted as a structured-field string.
 *
 * Node joins two headers as `a, b`: the space makes the value invalid, so two headers count as a missing one. So does a
 * key that is empty, too long or has invisible characters.
 * @returns 1 to 255 characters of visible ASCII, or null where the header counts as missing
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  let key = header;
  if (header.startsWith('"')) {
    const quoted = quotedString.exec(header);
    if (!quoted) return null;
    key = (quoted[1] ?? '').replace(/\\(["\\])/g, '$1');
  }
  return key.length <= MAX_KEY_LENGTH && visibleAscii.test(key) ? key : null;
}

/**
 * The version that `If-Match` names.
 * @returns null where the header is anything else than one whole number in double quotes
 */
export function readVersion(header: string): number | null {
  const version = /^"(0|[1-9]\d{0,9})"$/.exec(header)?.[1];
  return version === undefined ? null : Number(version);
}

/** The client's own request id if it has 1 to 128 visible ASCII characters, else null. */
export function readRequestId(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header.length > MAX_REQUEST_ID_LENGTH) return null;
  return visibleAscii.test(header) ? header : null;
}
