import { expect, test } from '@jest/globals';
import { isInputObjectType } from 'graphql';
import { directiveArguments, readContract } from '../../codegen/contract.ts';

/** The values that the constraint of an input's field lists. */
function valuesOf(input: string, field: string): unknown {
  const type = readContract().getType(input);
  if (!isInputObjectType(type)) throw new Error(`no input ${input}`);
  const found = type.getFields()[field];
  if (!found) throw new Error(`no field ${input}.${field}`);
  return directiveArguments(found, 'constraint')?.values;
}

test('the same event types can be subscribed to, changed to and filtered by; a test can only be filtered by', () => {
  const types = valuesOf('CreateWebhookEndpointInput', 'eventTypes');
  expect(types).toContain('points.earned');
  expect(valuesOf('UpdateWebhookEndpointInput', 'eventTypes')).toEqual(types);
  expect(valuesOf('WebhookDeliveryFilter', 'eventType')).toEqual([...(types as string[]), 'webhook.test']);
});
