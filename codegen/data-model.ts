import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from './contract.ts';

/** The data model of prisma/schema.prisma, with the names of tables and columns instead of models and fields. */
export interface DataModel {
  tables: readonly Table[];
  /** The sections of the file, each with its tables, in the order of the file. */
  subjects: readonly Subject[];
}

export interface Subject {
  title: string;
  text: string;
  tables: readonly Table[];
}

export interface Table {
  name: string;
  /** What one row is: the first line of the comment. */
  description: string;
  columns: readonly Column[];
  primaryKey: readonly string[];
  indexes: readonly Index[];
  foreignKeys: readonly ForeignKey[];
  /** Names of indexes that Prisma cannot express: lines of the comment that begin with `Index <name>`. */
  indexesInWords: readonly string[];
}

export interface Column {
  name: string;
  /** As Postgres prints it, such as `timestamp with time zone` or `text[]`. */
  type: string;
  nullable: boolean;
  /** The expression, as Postgres prints it. */
  default: string | null;
}

export interface Index {
  name: string;
  columns: readonly string[];
  /** Such as `btree`. */
  method: string;
  unique: boolean;
}

export interface ForeignKey {
  /** The relation's name in the model, such as `reserveTransaction`. */
  name: string;
  columns: readonly string[];
  table: string;
  tableColumns: readonly string[];
  /** Such as `no action`. */
  onDelete: string;
  onUpdate: string;
}

/**
 * Reads the data model from the text of a Prisma schema with Prisma's own parser, including ignored models and fields.
 * Takes a second or two, because Prisma runs in a separate process.
 * @throws if Prisma refuses the schema, if a type or default is unknown, if a model has no comment or is in no section,
 *   or if a relation does not state its actions
 */
export function readDataModel(
  schema: string = readFileSync(projectFile('prisma/schema.prisma'), 'utf8'),
): DataModel {
  const { models, indexes } = parseWithPrisma(schema);
  const byModel = new Map(models.map((model) => [model.name, tableOf(model, models, indexes)]));
  const subjects = subjectsOf(schema, byModel);
  return { tables: subjects.flatMap(({ tables }) => tables), subjects };
}

/**
 * Prisma does not pass ignored models and fields to generators. These attributes are therefore removed from the copy
 * that it reads.
 */
const IGNORE = /\s@@?ignore\b/g;

function parseWithPrisma(schema: string): PrismaDatamodel {
  const directory = mkdtempSync(join(tmpdir(), 'rewards-data-model-'));
  try {
    const [input, output] = [join(directory, 'schema.prisma'), join(directory, 'model.json')];
    const script = fileURLToPath(projectFile('codegen/prisma-model-generator.mjs'));
    const provider = JSON.stringify(`'${process.execPath}' '${script}'`);
    writeFileSync(
      input,
      `${schema.replaceAll(IGNORE, '')}
generator data_model {
  provider = ${provider}
  output   = ${JSON.stringify(output)}
}
`,
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'node_modules/prisma/build/index.js',
        'generate',
        '--no-hints',
        '--generator',
        'data_model',
        '--schema',
        input,
      ],
      {
        cwd: fileURLToPath(projectFile('.')),
        encoding: 'utf8',
        // Prisma would download an engine that only migrations need. It does not if this variable names any file.
        env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
      },
    );
    if (status !== 0) throw new Error(`Prisma refuses the schema.\n${stdout}${stderr}`);
    return JSON.parse(readFileSync(output, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The parts used here of the DMMF, the data model that Prisma passes to generators. */
interface PrismaDatamodel {
  models: readonly PrismaModel[];
  indexes: readonly PrismaIndex[];
}

interface PrismaModel {
  name: string;
  dbName: string | null;
  documentation?: string;
  fields: readonly PrismaField[];
}

interface PrismaField {
  name: string;
  dbName?: string;
  kind: 'scalar' | 'object' | 'enum' | 'unsupported';
  type: string;
  /** The attribute `@db.`, with its arguments. */
  nativeType: readonly [string, readonly string[]] | null;
  isList: boolean;
  isRequired: boolean;
  default?: unknown;
  relationFromFields?: readonly string[];
  relationToFields?: readonly string[];
  relationOnDelete?: string;
  relationOnUpdate?: string;
}

interface PrismaIndex {
  model: string;
  type: 'id' | 'unique' | 'normal' | 'fulltext';
  dbName?: string;
  algorithm?: string;
  fields: readonly { name: string }[];
}

function tableOf(model: PrismaModel, models: readonly PrismaModel[], indexes: readonly PrismaIndex[]): Table {
  const [description, ...notes] = model.documentation?.split('\n') ?? [];
  if (!description) throw new Error(`The model ${model.name} has no comment (///).`);
  const name = tableName(model);
  const own = indexes.filter((index) => index.model === model.name);
  const columnsOf = (index: PrismaIndex): string[] =>
    columnNames(
      model,
      index.fields.map((field) => field.name),
    );
  const primary = own.find(({ type }) => type === 'id');
  return {
    name,
    description,
    columns: model.fields.filter(({ kind }) => kind !== 'object').map((field) => columnOf(model, field)),
    primaryKey: primary ? columnsOf(primary) : [],
    indexes: own
      .filter((index) => index !== primary)
      .map((index) => {
        const columns = columnsOf(index);
        const unique = index.type === 'unique';
        return {
          name: index.dbName ?? [name, ...columns, unique ? 'key' : 'idx'].join('_'),
          columns,
          method: index.algorithm?.toLowerCase() ?? 'btree',
          unique,
        };
      }),
    foreignKeys: model.fields
      .filter(({ relationFromFields }) => relationFromFields && relationFromFields.length > 0)
      .map((field) => foreignKeyOf(model, field, models)),
    indexesInWords: notes.flatMap((note) => /^Index (\w+)/.exec(note)?.[1] ?? []),
  };
}

function tableName(model: PrismaModel): string {
  return model.dbName ?? model.name;
}

function columnNames(model: PrismaModel, fields: readonly string[]): string[] {
  return fields.map((name) => model.fields.find((field) => field.name === name)?.dbName ?? name);
}

function foreignKeyOf(model: PrismaModel, field: PrismaField, models: readonly PrismaModel[]): ForeignKey {
  const target = models.find(({ name }) => name === field.type);
  if (!target) throw new Error(`${model.name}.${field.name} refers to ${field.type}, which is no model.`);
  return {
    name: field.name,
    columns: columnNames(model, field.relationFromFields ?? []),
    table: tableName(target),
    tableColumns: columnNames(target, field.relationToFields ?? []),
    onDelete: actionOf(model, field, 'relationOnDelete'),
    onUpdate: actionOf(model, field, 'relationOnUpdate'),
  };
}

/**
 * The action of a relation on delete or update. The schema has to state it, because Prisma's default differs from that
 * of Postgres: with Prisma, updates cascade.
 */
function actionOf(
  model: PrismaModel,
  field: PrismaField,
  event: 'relationOnDelete' | 'relationOnUpdate',
): string {
  const action = field[event];
  if (action === undefined) throw new Error(`${model.name}.${field.name} does not say ${event}.`);
  return action.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** For each Prisma type, with its `@db.` attribute if it has one, the name that Postgres prints for it. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['String', 'text'],
  ['String @db.Uuid', 'uuid'],
  ['Int', 'integer'],
  ['BigInt', 'bigint'],
  ['Decimal @db.Decimal', 'numeric'],
  ['Boolean', 'boolean'],
  ['Bytes', 'bytea'],
  ['Json @db.Json', 'json'],
  ['DateTime @db.Timestamptz', 'timestamp with time zone'],
  ['DateTime @db.Date', 'date'],
]);

function columnOf(model: PrismaModel, field: PrismaField): Column {
  const [native, parameters = []] = field.nativeType ?? [];
  const prismaType = native === undefined ? field.type : `${field.type} @db.${native}`;
  const type = parameters.length === 0 ? TYPES.get(prismaType) : undefined;
  if (type === undefined)
    throw new Error(`${model.name}.${field.name} is of an unknown type: ${prismaType}.`);
  return {
    name: field.dbName ?? field.name,
    type: field.isList ? `${type}[]` : type,
    nullable: !field.isRequired,
    default: defaultOf(model, field, type),
  };
}

function defaultOf(model: PrismaModel, field: PrismaField, type: string): string | null {
  const value = field.default;
  if (value === undefined) return null;
  if (Array.isArray(value) && value.length === 0) return `'{}'::${type}[]`;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string' && type === 'bigint') return value;
  if (typeof value === 'object' && value !== null && 'name' in value && 'args' in value) {
    if (value.name === 'now') return 'now()';
    if (value.name === 'dbgenerated' && Array.isArray(value.args)) return String(value.args[0]);
  }
  throw new Error(`${model.name}.${field.name} has a default of an unknown kind: ${JSON.stringify(value)}.`);
}

/**
 * The sections of the schema. Each begins with a line `// # Title` and a comment, and contains the models down to the
 * next section.
 */
function subjectsOf(schema: string, byModel: ReadonlyMap<string, Table>): Subject[] {
  const [before = '', ...sections] = schema.split(/^\/\/ # /m);
  const outside = modelsIn(before);
  if (outside.length > 0) throw new Error(`Before the first section (// # Title): ${outside.join(', ')}.`);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    const comment = lines.slice(
      0,
      lines.findIndex((line) => !line.startsWith('//')),
    );
    return {
      title,
      text: comment
        .map((line) => line.slice('// '.length))
        .join('\n')
        .trim(),
      tables: modelsIn(section).map((name) => {
        const table = byModel.get(name);
        if (!table) throw new Error(`Prisma does not see the model ${name}.`);
        return table;
      }),
    };
  });
}

function modelsIn(text: string): string[] {
  return Array.from(text.matchAll(/^model (\w+)/gm), ([, name = '']) => name);
}
