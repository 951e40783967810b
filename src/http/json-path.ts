const plainName = /^[A-Za-z_$][\w$-]*$/;

/** Longer names are cut off: a path has to be recognizable, and need not repeat all that a client sent. */
const MAX_NAME_LENGTH = 100;

/**
 * The path of a member or an item below `parent`, as `details` show it: `items[2].quantity`,
 * `attributes["two words"]`. The root is the empty string.
 */
export function childPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (key.length > MAX_NAME_LENGTH) return childPath(parent, `${key.slice(0, MAX_NAME_LENGTH - 1)}…`);
  if (!plainName.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
