import { fileURLToPath } from 'node:url';
import Runtime from 'jest-runtime';

/** What holds state that tests see: metrics, which every server of a process adds to. */
const OWN_OF_EACH_FILE = /\/node_modules\/prom-client\//;

/** Loads the packages for all test files of this process. */
let packages = null;

/**
 * Jest's runtime, which loads the modules of one test file, with packages that all test files of a process share: three
 * quarters of what a file that starts a server took to load, and their functions are compiled once. The modules of the
 * project and of Jest itself are each file's own.
 *
 * Shared modules need the global object that they were loaded with: `PlainEnvironment` keeps it.
 */
export default class RuntimeWithSharedPackages extends Runtime {
  constructor(...given) {
    super(...given);
    packages ??= new PackageRuntime(...given);
    this.registries.esModuleRegistry = new SharingMap((url) => packages.esModule(url));
    this.registries.moduleRegistry = new SharingMap((path) => packages.commonJsModule(path));
  }
}

/** Modules by their URLs or paths: those of packages are loaded where they are asked for. */
class SharingMap extends Map {
  #load;

  constructor(load) {
    super();
    this.#load = load;
  }

  get(key) {
    const own = super.get(key);
    if (own !== undefined || !key.includes('/node_modules/') || OWN_OF_EACH_FILE.test(key)) return own;
    return this.#load(key);
  }
}

/** Is never torn down, so that packages can load more of themselves at any time. */
class PackageRuntime extends Runtime {
  #environment;

  constructor(config, environment, ...others) {
    super(config, environment, ...others);
    this.#environment = environment;
  }

  /** @returns undefined where it cannot be loaded at once: the test file loads it then, or says why not */
  esModule(url) {
    const known = this.registries.esModuleRegistry.get(url);
    if (known?.status === 'evaluated') return known;
    const path = fileURLToPath(url);
    const module = this.#environment.keepingGlobals(() => this.#importNow(path));
    return module.status === 'evaluated' ? module : undefined;
  }

  #importNow(path) {
    const { esmLoader } = this;
    if (path.endsWith('.json') || this.unstable_shouldLoadAsEsm(path)) {
      return esmLoader.tryLoadGraphSync(path, '', 'sync-preferred');
    }
    return esmLoader.loadCjsAsEsm(path, path, '', esmLoader.getContext());
  }

  commonJsModule(path) {
    const { moduleRegistry } = this.registries;
    if (!moduleRegistry.has(path)) this.#environment.keepingGlobals(() => this.requireModule(path));
    return moduleRegistry.get(path);
  }
}
