/** The `limit` of a list if it is null: the same as the default in the SDL for an absent one. */
export const DEFAULT_LIMIT = 50;
