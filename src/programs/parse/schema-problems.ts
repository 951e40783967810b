import type { ErrorObject } from 'ajv';
import { fieldInContext } from '../checks/check-condition.ts';
import { contextOf } from '../document/condition-fields.ts';
import type { DocumentPath, DocumentProblem } from '../document/document-problem.ts';
import { suggestion } from '../document/nearest-name.ts';
import { exampleShape, type ShapeSchema } from './example-shape.ts';

/**
 * Turns Ajv's errors about a program document into problems with plain messages.
 * @param errors the errors of a validator with the option `verbose`
 * @param limit the highest number of problems: searching for the intended name takes longer than finding the error
 */
export function schemaProblems(errors: readonly ErrorObject[], limit: number): DocumentProblem[] {
  return (
    errors
      // The errors of an anyOf's branches add nothing to the error of the anyOf itself.
      .filter((error) => !error.schemaPath.includes('/anyOf/'))
      // The same is true of a oneOf that only says which properties exclude each other.
      .filter((error) => !(error.keyword === 'required' && isChoice(error)))
      // Where the discriminator property is absent, the error of `required` says so already.
      .filter((error) => error.keyword !== 'discriminator' || error.params.tagValue !== undefined)
      // A value that is not an object has none of the properties to choose from; the error of `type` says so already.
      .filter((error) => error.keyword !== 'oneOf' || typeof error.data === 'object')
      .slice(0, limit)
      .map(schemaProblem)
  );
}

function schemaProblem(error: ErrorObject): DocumentProblem {
  const path = parsePointer(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return {
        path: [...path, params.missingProperty],
        message: `is required${suchAs(error.parentSchema?.properties?.[params.missingProperty])}`,
      };
    case 'additionalProperties':
      return {
        path: [...path, params.additionalProperty],
        atKey: true,
        message: `is no known property${suggestion(params.additionalProperty, absentProperties(error))}`,
      };
    case 'enum':
      return { path, message: `must be ${oneOf(error.data, params.allowedValues)}` };
    case 'discriminator':
      return { path: [...path, params.tag], message: `must be ${oneOf(params.tagValue, choicesOf(error))}` };
    case 'type':
      return { path, message: `${error.message}${path.length > 0 ? shapeOf(error) : ''}` };
    case 'dependentRequired':
      return { path: [...path, params.missingProperty], message: `goes with ${params.property}` };
    case 'oneOf':
      return { path, message: `must have exactly one of ${listedChoices(error)}` };
    case 'minProperties':
      return { path, message: 'must not be empty' };
    case 'uniqueItems':
      return { path: [...path, params.i], message: 'stands in the list twice' };
    case 'anyOf':
      return { path, message: `must be ${fieldInContext(error.data, contextOf(path))}` };
    case 'format':
      return {
        path,
        message: 'must be a time with a time zone, from the year 1900 on, such as 2026-12-01T00:00:00Z',
      };
    case 'pattern':
      return { path, message: `does not fit: ${descriptionOf(error)}` };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}

/** The parts of a JSON Pointer. A part of digits is read as an index, because no object of the schema has such keys. */
function parsePointer(pointer: string): DocumentPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function listed(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function oneOf(value: unknown, allowed: readonly unknown[]): string {
  return `${listed(allowed)}${suggestion(value, allowed.map(String))}`;
}

/** The properties that the object does not have yet: a misspelt name cannot mean one that is already there. */
function absentProperties({ parentSchema, data }: ErrorObject): string[] {
  return Object.keys(parentSchema?.properties ?? {}).filter((name) => !Object.hasOwn(Object(data), name));
}

/** The end of a message about a value of the wrong type: what the value should look like. */
function shapeOf({ parentSchema, data, params }: ErrorObject): string {
  if (typeof data === 'string' && /^(?:integer|number|boolean)$/.test(params.type)) return ', without quotes';
  if (params.type === 'string' && /^(?:number|boolean)$/.test(typeof data)) return '; put it in quotes';
  return suchAs(parentSchema);
}

function suchAs(schema: object | undefined): string {
  const example = schema ? exampleShape(schema as ShapeSchema) : null;
  return example === null ? '' : `, such as ${example}`;
}

function choicesOf(error: ErrorObject): string[] {
  const branches: { properties: Record<string, { const: string }> }[] = error.parentSchema?.oneOf ?? [];
  return branches.map((branch) => branch.properties[error.params.tag]?.const ?? '');
}

/** Whether an error comes from a branch that is only a list of required properties. */
function isChoice({ parentSchema }: ErrorObject): boolean {
  return Object.keys(parentSchema ?? {}).join() === 'required';
}

function listedChoices({ parentSchema }: ErrorObject): string {
  const branches: { required: string[] }[] = parentSchema?.oneOf ?? [];
  return branches.map(({ required }) => required[0]).join(', ');
}

function descriptionOf(error: ErrorObject): string {
  return error.parentSchema?.description ?? `pattern ${error.params.pattern}`;
}
