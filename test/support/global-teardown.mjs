// In JavaScript, as global-setup.mjs.
export { default } from './global-teardown.ts';
