import { GraphQLError, parse, type Source, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { withPaths } from '../errors/document-places.ts';
import { RefusalError } from '../errors/errors.ts';
import { keptErrors } from '../errors/kept-errors.ts';
import type { DocumentCache } from '../execution/document-cache.ts';
import { errorLimit } from '../execution/format-errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { measureDocument, type OperationCost } from '../limits/document-cost.ts';
import { mergeRepeatedFields } from '../limits/merge-fields.ts';
import { selectionLimit } from './use-selection-budget.ts';

/** A document of a thousand tokens needs no more lines; a longer one is mostly empty lines. */
const lineLimit = 2_000;

/**
 * Parses, measures and validates each text once. The two plugins belong together, one before and after the rules: the
 * first finds or parses the document before any rule sees it, the second validates a document that all rules allow.
 */
export function useDocumentCache(
  documents: DocumentCache,
): [parsing: Plugin<GraphqlRequest, GraphqlRequest>, validation: Plugin<GraphqlRequest, GraphqlRequest>] {
  const parsing: Plugin<GraphqlRequest, GraphqlRequest> = {
    onParse({ context, params, setParsedDocument, setParseFn }) {
      const request = context as GraphqlRequest;
      const text = params.source as string;
      const cached = documents.get(text);
      if (cached) {
        request.document = cached;
        setParsedDocument(cached.ast);
        return;
      }
      setParseFn((source: string | Source) => {
        const ast = parseOrRefuse(source, request.requestId);
        request.document = { ast, operations: measureDocument(ast), validationErrors: null };
        documents.set(text, request.document);
        return ast;
      });
    },
  };

  const validation: Plugin<GraphqlRequest, GraphqlRequest> = {
    onValidate({ context, setResult, setValidationFn }) {
      const document = context.document;
      if (document?.validationErrors) {
        setResult(document.validationErrors as GraphQLError[]);
        return;
      }
      const merges = document !== null && withinSelectionLimit(document.operations);
      setValidationFn((schema, ast, rules) => {
        // Merged for validation only: the client's own document is executed.
        const merged = mergeRepeatedFields(ast, schema, merges);
        // At the limit graphql-js adds one error that says that there are more.
        const errors = validate(schema, merged, rules, { maxErrors: errorLimit - 1 });
        return errors.length === 0 ? errors : withPaths(errors, merged);
      });
      return ({ result }) => {
        if (document) document.validationErrors = keptErrors(result as readonly GraphQLError[]);
      };
    },
  };

  return [parsing, validation];
}

/** Whether all operations together, with fragments expanded, select no more than one operation may. */
function withinSelectionLimit(operations: readonly OperationCost[]): boolean {
  let selections = 0;
  for (const operation of operations) selections += operation.selections;
  return selections <= selectionLimit;
}

/** Whether the text has so many lines that errors should name none: each error counts lines from the start. */
function hasManyLines(text: string): boolean {
  let lines = 0;
  for (const _end of text.matchAll(/\r\n?|\n/g)) {
    lines += 1;
    if (lines > lineLimit) return true;
  }
  return false;
}

function parseOrRefuse(source: string | Source, requestId: string) {
  try {
    return parse(source, { noLocation: hasManyLines(typeof source === 'string' ? source : source.body) });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new RefusalError(refuse('graphql_parse_failed', error.message), requestId, error);
  }
}
