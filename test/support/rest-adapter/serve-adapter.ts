import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import express from 'express';
import { execute, GraphQLError, validate } from 'graphql';
import { createRestAdapter } from '../../../rest-adapter/adapter.ts';
import type { Admission, Host } from '../../../rest-adapter/host.ts';
import type { Route } from '../../../rest-adapter/route.ts';
import { routes } from '../../../rest-adapter/routes.ts';
import { httpStatusOf } from '../../../src/contract/generated/error-codes.ts';
import { DateTime, EventAttributes, JSONObject, Long } from '../../../src/graphql/schema/scalars.ts';
import { compileSchema } from '../../../src/graphql/schema/validate-input.ts';
import { discardBody, readJsonBody } from '../../../src/http/read-json-body.ts';
import { parseStrictJson } from '../../../src/http/strict-json.ts';
import { fixture } from '../fixture.ts';

/** What a root field of the test's schema does with its arguments. */
export type Resolve = (args: Record<string, unknown>) => unknown;

/** An adapter on a real port, over the real schema.graphql with the resolvers of the test. */
export interface ServedAdapter {
  /** Replaced by a test to give an answer, or throw. */
  resolvers: Record<string, Resolve>;
  /** The next admission; reset to one that lets everybody in by `reset`. */
  admission: Admission;
  admitted: { scopes: readonly string[]; requestId: string }[];
  reported: unknown[];
  /** Codes of errors, in the order of their answers. */
  refused: string[];
  /** What the resolvers were called with. */
  calls: Record<string, unknown>[];
  reset(): void;
  send(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
}

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
  code: string | undefined;
  paths: string[] | undefined;
}

const letIn: Admission = {
  ok: true,
  context: { known: 'context' },
  headers: { RateLimit: '"default";r=599;t=60' },
};

/** Makes the error that a resolver throws for a refusal. */
export function refusal(code: keyof typeof httpStatusOf, details?: object[]): GraphQLError {
  return new GraphQLError(`Refused: ${code}`, {
    extensions: { code, httpStatus: httpStatusOf[code], ...(details && { details }) },
  });
}

export async function serveAdapter(): Promise<ServedAdapter> {
  const served: ServedAdapter = {
    resolvers: {},
    admission: letIn,
    admitted: [],
    reported: [],
    refused: [],
    calls: [],
    reset() {
      Object.assign(served, {
        resolvers: {},
        admission: letIn,
        admitted: [],
        reported: [],
        refused: [],
        calls: [],
      });
    },
    send: (sent) => send(port, sent),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const app = express()
    .disable('x-powered-by')
    .use('/api/v1', createRestAdapter(createHost(served)));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = (server.address() as AddressInfo).port;
  return served;
}

function mutates({ missingKeyStatus, keyInBody }: Route): boolean {
  return missingKeyStatus !== undefined || keyInBody === true;
}

function createHost(served: ServedAdapter): Host {
  const call = (name: string) => (_parent: unknown, args: Record<string, unknown>) => {
    served.calls.push(args);
    return served.resolvers[name]?.(args);
  };
  const rootFields = (isIncluded: (route: Route) => boolean) =>
    Object.fromEntries(routes.filter(isIncluded).map(({ operation }) => [operation, call(operation)]));
  const schema = makeExecutableSchema({
    typeDefs: readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'),
    resolvers: {
      Long,
      DateTime,
      JSONObject,
      EventAttributes,
      Query: rootFields((route) => !mutates(route)),
      Mutation: rootFields(mutates),
    },
  });
  let requests = 0;
  return {
    newRequestId: () => `made-${++requests}`,
    limitWork: () => ({ wait: (work) => work }),
    async admit(_request, { scopes }, requestId) {
      served.admitted.push({ scopes, requestId });
      return served.admission;
    },
    readBody: readJsonBody,
    discardBody,
    parseJson: parseStrictJson,
    compileSchema,
    prepare(document) {
      const [problem] = validate(schema, document);
      if (problem) throw problem;
      return (variableValues, contextValue) => execute({ schema, document, variableValues, contextValue });
    },
    reportRefusal: (_response, code) => void served.refused.push(code),
    reportError(error) {
      served.reported.push(error);
      return { code: 'internal_error', message: 'Internal error' };
    },
  };
}

function send(port: number, { method, path, headers = {}, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const framed =
      body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const request = httpRequest({ host: '127.0.0.1', port, method, path: `/api/v1${path}`, headers: framed });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const parsed = text === '' ? {} : JSON.parse(text);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: parsed,
          code: parsed.error?.code,
          paths: parsed.error?.details?.map((detail: { path: string }) => detail.path),
        });
      });
    });
    request.end(body);
  });
}

/** An adapter for all tests of a file. */
export function useAdapter(): ServedAdapter {
  return fixture('the adapter', serveAdapter, (served) => served.close());
}
