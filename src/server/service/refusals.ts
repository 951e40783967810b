import type { ServerResponse } from 'node:http';
import { type OperationName, refusals, refusalsOfForm } from '../../contract/generated/refusals.ts';
import type { Metrics } from './metrics.ts';

/** The codes of forms that operations have: where a GraphQL document is at fault, no operation is reached. */
const { DOCUMENT: _ofDocuments, ...formsOfOperations } = refusalsOfForm;
const ofForms: ReadonlySet<string> = new Set(Object.values(formsOfOperations).flat());

/** The part of a log that this writes to. */
interface RefusalLog {
  error(fields: object, message: string): void;
}

/** The error codes of responses: each is counted, and the first of a response is kept for its line in the log. */
export class Refusals {
  readonly #metrics: Pick<Metrics, 'countRefusal'>;
  readonly #log: RefusalLog;
  readonly #codes = new WeakMap<ServerResponse, string>();

  constructor(metrics: Pick<Metrics, 'countRefusal'>, log: RefusalLog) {
    this.#metrics = metrics;
    this.#log = log;
  }

  /**
   * To be called with each code of a response; a GraphQL response can have several.
   * @param operation the field of `Query` or `Mutation` that was refused; absent where none was reached
   */
  note(response: ServerResponse, code: string, operation?: string): void {
    this.#metrics.countRefusal(code, operation);
    if (!this.#codes.has(response)) this.#codes.set(response, code);
    if (operation !== undefined && !isListed(operation, code)) {
      this.#log.error(
        { operation, code },
        'An operation was refused with a code that the contract does not list for it',
      );
    }
  }

  /** The first code of a response, if it has any. */
  codeOf(response: ServerResponse): string | undefined {
    return this.#codes.get(response);
  }
}

/**
 * Whether the contract says that an operation may be refused with a code (`@refuses` and `@always` in schema.graphql).
 */
export function isListed(operation: string, code: string): boolean {
  if (ofForms.has(code)) return true;
  const codes: readonly string[] = refusals[operation as OperationName] ?? [];
  return codes.includes(code);
}
