/**
 * What has to be known about the type of an input object to read it: the fields that contain input objects or have a
 * default. Every other field contains a scalar, an enum value, a list of these, or a client's own JSON, which is left as
 * it is.
 */
export interface InputShape {
  readonly [field: string]: {
    /** The shape of the field's input object, or of each object in its list. */
    readonly fields?: InputShape;
    /** The value that the contract gives an absent field. */
    readonly default?: unknown;
  };
}
