import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { programSchema } from '../../../src/programs/document/program-schema.ts';
import { exampleShape, type ShapeSchema } from '../../../src/programs/parse/example-shape.ts';

/** Every object and list of the schema, by its place. */
function shapes(schema: object, place = ''): [string, ShapeSchema][] {
  const own: [string, ShapeSchema][] = exampleShape(schema as ShapeSchema) === null ? [] : [[place, schema]];
  const parts = Object.entries(schema).filter(([, part]) => typeof part === 'object' && part !== null);
  return [...own, ...parts.flatMap(([name, part]) => shapes(part as object, `${place}/${name}`))];
}

// Branches of an object are no shapes of their own, and the schema of attributes may be anything.
const all = shapes(programSchema).filter(([place]) => !/oneOf|attributesSchema/.test(place));

test('there is an example of every object and every list', () => {
  expect(all.length).toBeGreaterThan(60);
});

test.each(all)('the example of %s is what its schema takes, and YAML on one line', (_place, schema) => {
  const ajv = new Ajv2020({ strict: false, discriminator: true, formats: { 'date-time': true } });
  const validate = ajv.compile({ ...schema, $defs: programSchema.$defs });
  const example = exampleShape(schema) ?? '';
  expect(example).not.toContain('\n');
  validate(parse(example));
  expect([example, validate.errors]).toEqual([example, null]);
});
