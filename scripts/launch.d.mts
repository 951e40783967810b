/** Options of V8 for the service and its tools. */
export declare const V8_OPTIONS: readonly string[];
