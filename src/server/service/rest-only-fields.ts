import { getDirective } from '@graphql-tools/utils';
import type { GraphQLSchema } from 'graphql';
import { routes } from '../../../rest-adapter/routes.ts';
import type { RestOnlyFields } from '../../graphql/execution/format-errors.ts';

/**
 * Finds the operations of REST for the root fields that are `@restOnly`.
 * @param schema the executable schema, which has these fields
 */
export function restOnlyFields(schema: GraphQLSchema): RestOnlyFields {
  const operations = new Map<string, string>();
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (!getDirective(schema, field, 'restOnly')) continue;
      const route = routes.find(({ operation }) => operation === field.name);
      if (route) operations.set(`${root?.name}.${field.name}`, `${route.method} /api/v1${route.path}`);
    }
  }
  return operations;
}
