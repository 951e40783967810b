import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

const LINE_FEED = 0x0a;

/**
 * Passes bytes through and fails at the first that are not UTF-8. A decoder that replaces invalid bytes would turn
 * different names into the same one.
 * @param refuse makes the error that the stream ends with; `line` counts from 1
 */
export function checkUtf8(refuse: (line: number) => Error): Transform {
  // The first bytes, at most three, of a character that continues in the next chunk.
  let partial: Buffer = Buffer.alloc(0);
  let line = 1;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = partial.length > 0 ? Buffer.concat([partial, chunk]) : chunk;
      const completeBytes = bytes.subarray(0, completeLength(bytes));
      if (!isUtf8(completeBytes)) {
        done(refuse(line + linesBeforeFault(completeBytes)));
        return;
      }
      line += countLineFeeds(completeBytes);
      partial = bytes.subarray(completeBytes.length);
      done(null, completeBytes);
    },
    flush(done) {
      done(partial.length > 0 ? refuse(line) : null);
    },
  });
}

/** The length of the bytes without a last character that is not complete. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/**
 * The number of complete lines before the first one that is not UTF-8, or of all complete lines where there is none. No
 * multi-byte character contains the byte of a line feed, so each line can be checked alone.
 */
export function linesBeforeFault(bytes: Buffer): number {
  let lines = 0;
  let from = 0;
  for (let to = bytes.indexOf(LINE_FEED); to !== -1; to = bytes.indexOf(LINE_FEED, from)) {
    if (!isUtf8(bytes.subarray(from, to))) return lines;
    lines += 1;
    from = to + 1;
  }
  return lines;
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
