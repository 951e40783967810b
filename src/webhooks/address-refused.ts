/** A connection was refused because its address is not one of the public internet. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly code = 'ERR_ADDRESS_REFUSED';
}
