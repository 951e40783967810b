// A generator as `prisma generate` runs it: requests come as JSON-RPC, a line each, and are answered on stderr. It
// writes what Prisma's own parser has read of a schema, as JSON, to the generator's `output`.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const MANIFEST = { manifest: { prettyName: 'the data model', defaultOutput: 'data-model.json' } };

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'generate')
    writeFileSync(params.generator.output.value, JSON.stringify(params.dmmf.datamodel));
  const result = method === 'getManifest' ? MANIFEST : null;
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
