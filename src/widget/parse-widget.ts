import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isOrigin } from '../http/origin.ts';
import { checkLocale } from '../programs/checks/check-locale.ts';
import { checkUnique } from '../programs/checks/check-names.ts';
import type { DocumentProblem } from '../programs/document/document-problem.ts';
import {
  type DocumentKind,
  type ParsedDocument,
  parseDocumentText,
} from '../programs/parse/parse-document.ts';
import schema from './widget.schema.json' with { type: 'json' };
import type { WidgetDocument } from './widget-document.ts';

let compiled: ValidateFunction<WidgetDocument> | null = null;

const widget: DocumentKind<WidgetDocument> = {
  limitBytes: 256 * 1024,
  validator() {
    // verbose: messages quote the schema. discriminator: a component is validated only by the branch of its kind.
    compiled ??= new Ajv2020({
      allErrors: true,
      verbose: true,
      discriminator: true,
      strictTypes: false,
      strictRequired: false,
    }).compile<WidgetDocument>(schema);
    return compiled;
  },
  check: checkWidget,
  checkAnyway: (value) => checkWidget(whatFits(value)),
};

/**
 * Parses and checks a widget document, as `parseDocumentText` says. Whether its program is published, the database
 * knows.
 */
export function parseWidget(text: string): ParsedDocument<WidgetDocument> {
  return parseDocumentText(text, widget);
}

type Checked = Pick<WidgetDocument, 'origins' | 'locale'> & { components: readonly { id: string }[] };

/** What of a value can be checked as a widget document: parts of other types become empty, in their places. */
function whatFits(value: unknown): Checked {
  const { origins, locale, components } = Object(value) as Record<string, unknown>;
  const list = (of: unknown): unknown[] => (Array.isArray(of) ? of : []);
  return {
    origins: list(origins).map(String),
    ...(typeof locale === 'string' && { locale }),
    components: list(components).map((component, index) => {
      const { id } = Object(component) as { id?: unknown };
      return { id: typeof id === 'string' ? id : ` ${index}` };
    }),
  };
}

function checkWidget({ origins, locale, components }: Checked): DocumentProblem[] {
  return [
    ...origins.flatMap((origin, index) => (isOrigin(origin) ? [] : [noOrigin(index)])),
    ...(locale === undefined ? [] : checkLocale(locale, ['locale'])),
    ...checkUnique(components, 'id', ['components']),
  ];
}

function noOrigin(index: number): DocumentProblem {
  return {
    path: ['origins', index],
    message: 'must be an origin as browsers send it, such as https://shop.example: no path, no *',
  };
}
