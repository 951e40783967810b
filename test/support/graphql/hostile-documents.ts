const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

/**
 * Documents within the limits of tokens, fields and aliases that are invalid in a way that takes much memory to say.
 * The seed, letters and digits, makes each text another one.
 */
export const hostileDocuments: Readonly<Record<string, (seed: string) => string>> = {
  'fields that conflict, each with all others': (seed) =>
    `{ s${seed}: __typename ${repeat(5, (n) => `a: member(externalCustomerId: "${n}") { ${repeat(80, (m) => `programs { b: tier c${m % 20}: status }`)} }`)} }`.slice(
      0,
      60_000,
    ),
  'fragments in circles, under long names': (seed) => {
    const name = `F${seed}${'y'.repeat(120)}`;
    const circles = repeat(100, (n) => `fragment ${name}${n} on Query { ...${name}${n + 1} ...${name}0 }`);
    return `{ s${seed}: __typename ...${name}0 } ${circles} fragment ${name}100 on Query { a }`;
  },
  'unknown fields with long names': (seed) =>
    `{ s${seed}: __typename ${repeat(4, (n) => `u${n}${'x'.repeat(12_000)}`)} }`,
  'many unknown fields': (seed) =>
    `{ member(externalCustomerId: "${seed}") { member { ${repeat(400, (n) => `unknown${n}`)} } } }`,
  'a long list where there is none': (seed) =>
    `{ transaction(id: [${repeat(450, (n) => `"${n}",`)} "${seed}"]) { requestId } }`,
};
