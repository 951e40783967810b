import type { CodegenConfig } from '@graphql-codegen/cli';

/** What each scalar looks like in TypeScript, once it is parsed and before it is serialised. */
const scalars = {
  Long: 'number',
  DateTime: 'string',
  JSONObject: 'Record<string, unknown>',
  EventAttributes: 'Record<string, unknown>',
  ID: 'string',
};

/** Types that GraphQL Code Generator derives from the contract. `codegen/generate.ts` runs it with our own outputs. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  silent: true,
  errorsOnly: true,
  config: {
    scalars,
    strictScalars: true,
    enumsAsTypes: true,
    skipTypename: true,
    useTypeImports: true,
    importExtension: '.ts',
    namingConvention: 'keep',
    maybeValue: 'T | null',
    sort: false,
  },
  generates: {
    'src/contract/generated/types.ts': {
      plugins: ['typescript'],
      config: { inputMaybeValue: 'T | null | undefined' },
    },
    // No mappers: commands and queries give what the contract's types say, and the compiler holds them to it.
    'src/graphql/generated/resolver-types.ts': {
      plugins: [
        { add: { content: "import type * as contract from '../../contract/generated/types.ts';" } },
        'typescript-resolvers',
      ],
      config: {
        contextType: '../execution/context.ts#RequestContext',
        directiveContextTypes: [
          'customer#../execution/context.ts#ContextOfCustomer',
          'widget#../execution/context.ts#ContextOfWidget',
          'person#../execution/context.ts#ContextOfPerson',
        ],
        namespacedImportName: 'contract',
      },
    },
  },
};

export default config;
