import vm from 'node:vm';
import NodeEnvironment from 'jest-environment-node';

/**
 * Jest's environment for Node, with a plain global object. By itself Jest gives a test file a global object that asks a proxy
 * for every name, `Map` or `Promise`, each time that code says it: that takes longer than most of what the code does.
 */
export default class PlainEnvironment extends NodeEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}
