const EVERY_MS = 1_000;

/**
 * Passes on at most one line a second, with the number of lines left out before it, so that logging does not make an
 * overload or an outage worse.
 * @param write called with a line, and how many were left out since the one before it
 */
export function sparingly<Line>(write: (line: Line, unmentioned: number) => void): (line: Line) => void {
  let next = 0;
  let unmentioned = 0;
  return (line) => {
    const now = performance.now();
    if (now < next) {
      unmentioned += 1;
      return;
    }
    write(line, unmentioned);
    next = now + EVERY_MS;
    unmentioned = 0;
  };
}
