/** What whoever adds an issuer calls its parts, so that a refusal names what they have typed. */
export interface IssuerNames {
  issuer: string;
  audience: string;
  origins: string;
  jwksUrl: string;
  keys: string;
  secret: string;
  /** How to give a key set that has no public address. */
  withoutUrl: string;
}

export const COMMAND_LINE_NAMES: IssuerNames = {
  issuer: '--issuer',
  audience: '--audience',
  origins: '--origin',
  jwksUrl: '--jwks',
  keys: '--keys',
  secret: '--hs256',
  withoutUrl: 'save the set to a file and give it with --keys FILE',
};

export const API_NAMES: IssuerNames = {
  issuer: 'issuer',
  audience: 'audience',
  origins: 'origins',
  jwksUrl: 'jwksUrl',
  keys: 'jwks',
  secret: 'secret',
  withoutUrl: 'send the set itself as jwks',
};
