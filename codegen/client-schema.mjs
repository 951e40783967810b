/** A block of a Prisma schema with its description; the name is its first group. */
const block = /(?:^\/\/\/.*\n)*^(?:generator|datasource|enum|model) (\w+) \{\n[\s\S]*?^\}\n/gm;

/**
 * A Prisma schema without the models that its client leaves out (`@@ignore`), and without the fields that refer to
 * them. The client contains its schema as text and parses all of it at the first query: with every table that takes 20
 * MiB.
 * @param {string} schema the text of prisma/schema.prisma
 * @returns {string}
 */
export function clientSchema(schema) {
  const blocks = Array.from(schema.matchAll(block), ([text, name]) => ({ text, name }));
  const isIgnored = ({ text }) => /^ *@@ignore\b/m.test(text);
  const ignored = blocks.filter(isIgnored).map(({ name }) => name);
  const reference = new RegExp(`^ +\\w+ +(?:${ignored.join('|')})(?:\\[\\]|\\?)?(?: .*)?\\n`, 'gm');
  const kept = blocks.filter((each) => !isIgnored(each)).map(({ text }) => text);
  return kept.join('\n').replace(reference, '');
}
