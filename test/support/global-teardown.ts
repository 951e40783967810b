import { stopEverything } from './global-state.ts';

export default async function tearDown(): Promise<void> {
  await stopEverything();
}
