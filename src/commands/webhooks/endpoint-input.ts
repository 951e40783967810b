import { EVERY_TYPE } from '../../contract/every-type.ts';
import { type UrlFault, urlFault } from '../../http/public-address.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** Whether endpoints of Sandbox may have http and private addresses, for local development. */
export interface UrlPolicy {
  allowPrivate: boolean;
}

const FAULTS: Readonly<Record<Exclude<UrlFault, 'malformed'>, string>> = {
  not_https: 'The URL has to begin with https://.',
  has_credentials: 'The URL may not contain a user name or a password.',
  not_public: 'The host of the URL is not one of the public internet.',
};

/**
 * Why an endpoint may not have this URL, or null. What its name resolves to is checked at each connection.
 * @param kind of the environment: only Sandbox may have private addresses
 */
export function refuseUrl(
  url: string,
  { allowPrivate }: UrlPolicy,
  kind: 'sandbox' | 'production',
): Refusal<'url_not_public' | 'validation_failed'> | null {
  const fault = /\s|\p{Cc}/u.test(url) ? 'malformed' : urlFault(url, allowPrivate && kind === 'sandbox');
  if (fault === null) return null;
  if (fault === 'malformed') {
    return refuse('validation_failed', 'The URL is malformed.', [
      { path: 'url', message: 'must be a URL of at most 2,048 characters, without spaces and without #' },
    ]);
  }
  return refuse('url_not_public', FAULTS[fault], [{ path: 'url', message: 'must be a public https URL' }]);
}

/** `validation_failed` where a type is named twice, or others beside `*`, or null. */
export function refuseTypes(eventTypes: readonly string[]): Refusal<'validation_failed'> | null {
  const every = eventTypes.indexOf(EVERY_TYPE);
  if (every !== -1 && eventTypes.length > 1) {
    const details = [{ path: `eventTypes[${every}]`, message: 'must stand alone: it means all types' }];
    return refuse('validation_failed', 'Where an endpoint gets all types, none is named beside it.', details);
  }
  const position = eventTypes.findIndex((type, index) => eventTypes.indexOf(type) !== index);
  if (position === -1) return null;
  const details = [{ path: `eventTypes[${position}]`, message: 'is named twice' }];
  return refuse('validation_failed', 'An event type is named twice.', details);
}
