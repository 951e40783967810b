// A generator for `prisma generate`. Prisma sends JSON-RPC requests, one per line, to stdin and reads the responses
// from stderr. The generator writes the parsed schema as JSON to its `output`.
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
