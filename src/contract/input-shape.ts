/**
 * The fields of an input object type that need work when an input is read: those that contain input objects or have a
 * default. The value of every other field is used unchanged: a scalar, an enum value, a list of these, or a client's
 * own JSON.
 */
export interface InputShape {
  readonly [field: string]: {
    /** The shape of the field's input object, or of each object in its list. */
    readonly fields?: InputShape;
    /** The value that the contract gives an absent field. */
    readonly default?: unknown;
  };
}
