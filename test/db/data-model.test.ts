import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { projectFile } from '../../codegen/contract.ts';
import { type DataModel, type Index, readDataModel, type Table } from '../../codegen/data-model.ts';
import { printDataModelPage } from '../../codegen/data-model-page.ts';
import { dumpSchema } from '../../src/db/schema-dump.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { useDatabase } from '../support/use-database.ts';

/** Lines by table, one for each column or key, in the same wording for the model and for the database. */
type Lines = ReadonlyMap<string, readonly string[]>;

const schema = readFileSync(projectFile('prisma/schema.prisma'), 'utf8');
let model: DataModel;
const { database } = useDatabase();

beforeAll(() => {
  // Prisma is a process for each schema, which compiles all of Prisma.
  process.env.NODE_COMPILE_CACHE = COMPILE_CACHE;
  model = readDataModel(schema);
});

test('prisma/schema.prisma is the migrated database: tables, columns, keys and indexes', async () => {
  const migrated = linesOfDump(await dumpSchema(database.adminPool));
  expect(migrated.size).toBeGreaterThan(30);
  expect(differences(linesOfModel(model), migrated)).toEqual([]);
});

test("the client's own schema has the models that it serves, and no other", () => {
  const client = readFileSync(projectFile('generated/prisma/internal/class.ts'), 'utf8');
  const text = JSON.parse(/"inlineSchema": ("(?:[^"\\]|\\.)*")/.exec(client)?.[1] ?? '""') as string;
  const models = (of: string) => Array.from(of.matchAll(/^model (\w+) \{\n[\s\S]*?^\}/gm));
  const served = models(schema).filter(([block]) => !block.includes('@@ignore'));
  expect(served.length).toBeGreaterThan(5);
  expect(models(text).map(([, name]) => name)).toEqual(served.map(([, name]) => name));
});

test('docs/internals/data-model.md is what the model draws now', () => {
  expect(readFileSync(projectFile('docs/internals/data-model.md'), 'utf8')).toBe(printDataModelPage(model));
});

describe('what the database has and the model does not, or has otherwise, is named', () => {
  test.each([
    ['create table extra (id uuid primary key)', ['extra: the model has no such table']],
    ['alter table lots add x int', ['lots: only in the database: column x integer']],
    [
      'alter table audit_events drop action',
      ['audit_events: only in the model: column action text not null'],
    ],
    [
      'alter table orders alter points type numeric',
      [
        'orders: only in the model: column points bigint not null',
        'orders: only in the database: column points numeric not null',
      ],
    ],
    [
      'alter table lots alter expires_at set not null',
      [
        'lots: only in the model: column expires_at timestamp with time zone',
        'lots: only in the database: column expires_at timestamp with time zone not null',
      ],
    ],
    [
      'alter table environments alter revision set default 2',
      [
        'environments: only in the model: column revision bigint not null default 1',
        'environments: only in the database: column revision bigint not null default 2',
      ],
    ],
    [
      'alter table consent_records drop constraint consent_records_pkey',
      ['consent_records: only in the model: primary key (environment_id, id)'],
    ],
    [
      'drop index webhook_deliveries_of_endpoint',
      [
        'webhook_deliveries: only in the model: unique ' +
          'webhook_deliveries_of_endpoint (environment_id, endpoint_id, sequence)',
      ],
    ],
    [
      `alter table returns drop constraint returns_environment_id_transaction_id_fkey,
       add foreign key (environment_id, transaction_id) references transactions on delete cascade`,
      [
        'returns: only in the model: foreign key (environment_id, ' +
          'transaction_id) references transactions(environment_id, id)',
        'returns: only in the database: foreign key (environment_id, transaction_id) ' +
          'references transactions(environment_id, id) on delete cascade',
      ],
    ],
    [
      'create index x on lots (environment_id, id)',
      ['lots: only in the database: index x using btree (environment_id, id)'],
    ],
    [
      'drop index lots_open; create index lots_open on lots (environment_id, id)',
      [
        'lots: only in the model: index lots_open, said in words',
        'lots: only in the database: index lots_open using btree (environment_id, id)',
      ],
    ],
    [
      'create index x on lots (environment_id, id) where claimed > 0',
      ['lots: only in the database: index x, said in words'],
    ],
  ])('%s', async (change, expected) => {
    const client = await database.adminPool.connect();
    try {
      await client.query(`begin; ${change}`);
      expect(differences(linesOfModel(model), linesOfDump(await dumpSchema(client)))).toEqual(expected);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('a trigger, which the model has no words for', async () => {
    const dump = 'lots\n  table\n  CREATE TRIGGER t BEFORE UPDATE ON public.lots EXECUTE FUNCTION f()\n';
    expect(() => linesOfDump(dump)).toThrow('lots: CREATE TRIGGER');
  });
});

test('what the model has and the database does not, or has otherwise, is named', async () => {
  const changed = readDataModel(
    schema
      .replace(/^model MemberDay \{.*?^\}/ms, '')
      .replace('"display_name"', '"full_name"')
      .replace('"custom_events_by_reference"', '"custom_events_reference"')
      .replace('Index adjustments_open ', 'Index adjustments_due ')
      .replace(/(endpoint +WebhookEndpoint .*onDelete: )NoAction/g, '$1SetNull'),
  );
  const migrated = linesOfDump(await dumpSchema(database.adminPool));
  expect(differences(linesOfModel(changed), migrated)).toEqual([
    'member_days: the model has no such table',
    'members: only in the model: column full_name text',
    'members: only in the database: column display_name text',
    'adjustments: only in the model: index adjustments_due, said in words',
    'adjustments: only in the database: index adjustments_open, said in words',
    'custom_events: only in the model: unique custom_events_reference (environment_id, source_reference)',
    'custom_events: only in the database: unique custom_events_by_reference (environment_id, source_reference)',
    'webhook_leases: only in the model: foreign key (environment_id, endpoint_id) ' +
      'references webhook_endpoints(environment_id, id) on delete set null',
    'webhook_leases: only in the database: foreign key (environment_id, ' +
      'endpoint_id) references webhook_endpoints(environment_id, id)',
    'webhook_deliveries: only in the model: foreign key (environment_id, endpoint_id) ' +
      'references webhook_endpoints(environment_id, id) on delete set null',
    'webhook_deliveries: only in the database: foreign key (environment_id, ' +
      'endpoint_id) references webhook_endpoints(environment_id, id)',
  ]);
});

describe('a schema is refused', () => {
  test.each<[string, string, string, string]>([
    ['that Prisma refuses', 'model Tenant ', 'model ', 'Prisma refuses the schema'],
    [
      'with a type that the comparison does not know',
      'Decimal  @db.Decimal()',
      'Decimal  @db.Decimal(9, 2)',
      'LedgerDay.amount is of an unknown type',
    ],
    [
      'with a relation that leaves its actions to Prisma',
      ', onUpdate: NoAction',
      '',
      'Person.tenant does not say relationOnUpdate',
    ],
    [
      'with a table that has no comment',
      '/// A merchant, whose programs and members these are.\n',
      '',
      'The model Tenant has no comment',
    ],
    [
      'with a table outside the sections',
      '// # Tenants',
      '// Tenants',
      'Before the first section (// # Title): Tenant, Person, PersonRole, SignInLink, PersonSession, ' +
        'TenantAuditEvent, Environment, ApiKey, TokenIssuer.',
    ],
  ])('%s', (_, part, instead, message) => {
    expect(schema).toContain(part);
    expect(() => readDataModel(schema.replace(part, instead))).toThrow(message);
  });
});

/** The differences: tables that only one side has, then lines that only one side has in a table of both. */
function differences(inModel: Lines, inDatabase: Lines): string[] {
  const missing = (from: Lines, names: Lines, where: string): string[] =>
    [...names.keys()].filter((name) => !from.has(name)).map((name) => `${name}: ${where} has no such table`);
  return [
    ...missing(inModel, inDatabase, 'the model'),
    ...missing(inDatabase, inModel, 'the database'),
    ...[...inModel].flatMap(([table, lines]) => {
      const migrated = inDatabase.get(table) ?? lines;
      return [
        ...lines
          .filter((line) => !migrated.includes(line))
          .map((line) => `${table}: only in the model: ${line}`),
        ...migrated
          .filter((line) => !lines.includes(line))
          .map((line) => `${table}: only in the database: ${line}`),
      ];
    }),
  ];
}

function linesOfModel({ tables }: DataModel): Lines {
  return new Map(tables.map((table) => [table.name, linesOfTable(table)]));
}

function linesOfTable({ columns, primaryKey, foreignKeys, indexes, indexesInWords }: Table): string[] {
  return [
    ...columns.map(({ name, type, nullable, default: expression }) =>
      [
        `column ${name} ${type}`,
        ...(nullable ? [] : ['not null']),
        ...(expression ? [`default ${expression}`] : []),
      ].join(' '),
    ),
    ...(primaryKey.length > 0 ? [`primary key (${primaryKey.join(', ')})`] : []),
    ...foreignKeys.map(({ columns: from, table, tableColumns, onDelete, onUpdate }) =>
      [
        `foreign key (${from.join(', ')}) references ${table}(${tableColumns.join(', ')})`,
        ...(onUpdate === 'no action' ? [] : [`on update ${onUpdate}`]),
        ...(onDelete === 'no action' ? [] : [`on delete ${onDelete}`]),
      ].join(' '),
    ),
    ...indexes.map(indexLine),
    ...indexesInWords.map((name) => `index ${name}, said in words`),
  ];
}

function indexLine({ name, unique, method, columns }: Index): string {
  return `${unique ? `unique ${name}` : `index ${name} using ${method}`} (${columns.join(', ')})`;
}

/** The lines of a schema dump that a model can express: no CHECKs, storage parameters and privileges. */
function linesOfDump(dump: string): Lines {
  const tables = new Map<string, string[]>();
  for (const section of dump.trimEnd().split('\n\n')) {
    const [table = '', ...lines] = section.split('\n');
    const told = lines.map((line) => line.trim());
    tables.set(
      table,
      told.flatMap((line) => lineOfDump(table, line, told)),
    );
  }
  return tables;
}

function lineOfDump(table: string, line: string, neighbors: readonly string[]): string[] {
  if (/^(?:table|grant) |^table$|^constraint \w+ CHECK /.test(line)) return [];
  // The model says a collation in words.
  if (line.startsWith('column ')) return [line.replace(/ collate \S+/, '')];
  const primary = /^constraint \w+ PRIMARY KEY (\(.*\))$/.exec(line);
  if (primary) return [`primary key ${primary[1]}`];
  const unique = /^constraint (\w+) UNIQUE (\(.*\))$/.exec(line);
  if (unique) return [`unique ${unique[1]} ${unique[2]}`];
  const foreign = /^constraint \w+ FOREIGN KEY (\(.*?\)) REFERENCES (\w+\(.*?\))(.*)$/.exec(line);
  if (foreign) return [`foreign key ${foreign[1]} references ${foreign[2]}${foreign[3]?.toLowerCase()}`];
  const index =
    /^CREATE (UNIQUE )?INDEX (\w+) ON public\.\w+ USING (\w+) \(([\w, ]+)\)(?: WITH \([^)]*\))?(?: WHERE (.*))?$/.exec(
      line,
    );
  if (index) {
    const [, isUnique, name = '', method = '', columns = '', predicate] = index;
    if (ofEveryRow(predicate, neighbors)) {
      return [indexLine({ name, method, columns: columns.split(', '), unique: isUnique !== undefined })];
    }
    return [`index ${name}, said in words`];
  }
  const expressions = /^CREATE (?:UNIQUE )?INDEX (\w+) /.exec(line);
  if (expressions) return [`index ${expressions[1]}, said in words`];
  throw new Error(`${table}: ${line}: the data model has no words for it.`);
}

/** Whether an index has every row: it has no predicate, or one that is true because a column is NOT NULL. */
function ofEveryRow(predicate: string | undefined, neighbors: readonly string[]): boolean {
  if (predicate === undefined) return true;
  const column = /^\((\w+) IS NOT NULL\)$/.exec(predicate)?.[1];
  return neighbors.some((line) => line.startsWith(`column ${column} `) && line.includes(' not null'));
}
