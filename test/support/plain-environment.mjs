import { parsers } from 'node:_http_common';
import performanceHooks from 'node:perf_hooks';
import vm from 'node:vm';
import NodeEnvironment from 'jest-environment-node';
import { coverageFolder, leaveCounters, shareCounters } from './coverage/counters.ts';
import { OwnProperties } from './own-properties.mjs';

// What Node keeps for as long as the process lives would keep the test file too that was running when it was made:
// parsers of HTTP for later connections, and what a server's metrics measure.
parsers.max = 0;
const eventLoopDelay = performanceHooks.monitorEventLoopDelay();
performanceHooks.monitorEventLoopDelay = () => eventLoopDelay;
const observers = new Set();
performanceHooks.PerformanceObserver = class extends performanceHooks.PerformanceObserver {
  observe(options) {
    observers.add(this);
    super.observe(options);
  }
};

const { compileFunction, createContext, Script, SourceTextModule } = vm;

/**
 * Jest's environment for Node, with a plain global object. By itself Jest gives a test file a global object that asks a
 * proxy for every name, `Map` or `Promise`, each time that code says it: that takes longer than most of what the code
 * does.
 *
 * A process has one such object for all its test files, because they share packages (`shared-packages.mjs`): after each
 * file it is made again what it was. Modules of the project are each file's own, but a process does not parse one again
 * for each, and compiles the functions of what belongs to Jest once.
 */
class PlainEnvironment extends NodeEnvironment {
  #properties;

  constructor(config, context) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    vm.compileFunction = compileOnce;
    vm.SourceTextModule = ModuleParsedOnce;
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    if (coverageFolder()) shareCounters(this.global);
    const { process } = this.global;
    this.#properties = new OwnProperties(this.global, process, process.env);
  }

  /** Runs what may make global properties that outlive the test file. */
  keepingGlobals(load) {
    return this.#properties.keeping(load);
  }

  async teardown() {
    for (const observer of observers) observer.disconnect();
    observers.clear();
    if (coverageFolder()) leaveCounters(coverageFolder());
    this.fakeTimersModern.dispose();
    this.#properties.restore();
    this.global.process.removeAllListeners();
  }
}

let kept = null;

/** What Jest makes an environment with, for each test file: all of a process get the first one's. */
export default function environmentOfFile(config, context) {
  kept ??= new PlainEnvironment(config, context);
  return kept;
}

/** The functions of CommonJS modules as scripts, by the names of their files. */
const scripts = new Map();

/** Does what `vm.compileFunction` does. The contexts that a script runs in share what V8 has compiled of it. */
function compileOnce(source, parameters, options) {
  const { filename, parsingContext } = options;
  // An import has to be that of the test file, and a script has only one importer.
  if (!parsingContext || /\bimport\s*\(/.test(source)) return compileFunction(source, parameters, options);
  // On the source's first line, so that the lines of stack traces stay right.
  const text = `(function (${parameters.join(', ')}) {${source}\n})`;
  let known = scripts.get(filename);
  if (known?.text !== text) {
    const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    known = { text, script: new Script(text, { filename, importModuleDynamically }) };
    scripts.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
}

/**
 * ES modules by the names of their files, with what V8 has parsed of those that were loaded twice: one file alone needs
 * none.
 */
const parsed = new Map();

/** In the place of `vm.SourceTextModule`: called with `new`, it returns an instance of that. */
function ModuleParsedOnce(source, options) {
  const known = parsed.get(options.identifier);
  if (known?.source !== source) {
    parsed.set(options.identifier, { source, cachedData: null });
    return new SourceTextModule(source, options);
  }
  const module = parse(source, options, known.cachedData);
  known.cachedData ??= module.createCachedData();
  return module;
}
ModuleParsedOnce.prototype = SourceTextModule.prototype;

function parse(source, options, cachedData) {
  if (cachedData === null) return new SourceTextModule(source, options);
  try {
    return new SourceTextModule(source, { ...options, cachedData });
  } catch (error) {
    // V8 takes its data back only under the flags that it had then: a test may have set others.
    if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    return new SourceTextModule(source, options);
  }
}
