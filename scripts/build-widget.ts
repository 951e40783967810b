// Runs before `npm pack`: writes the web component for those who bundle it themselves.
import { mkdir, writeFile } from 'node:fs/promises';
import { bundle } from '../src/server/widgets/bundle.ts';

const folder = new URL('../web/widget/dist/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('svc-rewards.js', folder), await bundle('web/widget/svc-rewards.ts'));
