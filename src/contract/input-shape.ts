/**
 * What reading an input object takes to know of its type: the fields that hold input objects or have a default. Every
 * other field holds a scalar, an enum value, a list of them, or a client's own JSON: its value is to be left as it is.
 */
export interface InputShape {
  readonly [field: string]: {
    /** Of the input object that the field holds, or of each one of its list. */
    readonly fields?: InputShape;
    /** What the contract puts in the place of an absent value. */
    readonly default?: unknown;
  };
}
