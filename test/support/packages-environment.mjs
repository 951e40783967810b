import { TestEnvironment } from 'jest-environment-node';
import { addPackages } from './bundled-packages.mjs';

/** Jest's environment for Node, with the packages of `bundled-packages.mjs`. */
export default class PackagesEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    addPackages(this.global, this.getVmContext(), config.projectConfig.sandboxInjectedGlobals);
  }
}
