import { writeFileSync } from 'node:fs';
import { migrate } from '../src/db/migrate.ts';
import { startTemporaryCluster } from '../test/support/temporary-cluster.ts';
const cluster = await startTemporaryCluster();
await migrate(cluster.adminUrl);
writeFileSync('/tmp/h/url', cluster.adminUrl);
process.on('SIGTERM', async () => { await cluster.stop(); process.exit(0); });
setInterval(() => {}, 1000);
