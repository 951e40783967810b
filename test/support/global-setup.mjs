// In JavaScript: Jest would transform TypeScript, while Node loads this as it is, with what it imports.
import { bundlePackages } from './bundled-packages.mjs';
import prepareDatabase from './global-setup.ts';

export default async function setUp() {
  await bundlePackages();
  await prepareDatabase();
}
