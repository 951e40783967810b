import type { Detail } from '../../refusal.ts';
import { countValues, MAX_ATTRIBUTE_VALUES } from './attribute-values.ts';
import { compileAttributesSchema } from './attributes-schema.ts';
import type { EventDefinition } from './engagement-document.ts';

/**
 * Lists what is wrong with the attributes of an event; empty where nothing is. The event belongs to the environment, so
 * the attributes have to satisfy the schemas of all programs. Their number is checked before any schema.
 * @param definitions of the event's type, in all programs
 */
export function attributeDetails(definitions: readonly EventDefinition[], attributes: object): Detail[] {
  if (countValues(attributes, MAX_ATTRIBUTE_VALUES) > MAX_ATTRIBUTE_VALUES) {
    return [{ path: 'attributes', message: `must have at most ${MAX_ATTRIBUTE_VALUES} values in all` }];
  }
  for (const { attributesSchema } of definitions) {
    const details = attributesSchema ? compileAttributesSchema(attributesSchema)(attributes) : [];
    if (details.length > 0) return details;
  }
  return [];
}
