import { GraphQLError } from 'graphql';

const messageLimit = 300;
/** The most positions in the document that an error is shown with. */
export const locationLimit = 20;

/** Cuts a message, or a path, which can repeat the request. */
export function cutMessage(text: string): string {
  if (text.length <= messageLimit) return text;
  // The cut may leave half of a surrogate pair, which UTF-8 cannot encode.
  return `${text.slice(0, messageLimit - 1).toWellFormed()}…`;
}

/**
 * The errors of an invalid document as they are kept with it: message and places, as far as they are ever shown. The
 * errors of graphql-js refer to nodes of the document that was validated, and their messages can repeat long parts of
 * it: with them, a document of 3 KB takes a megabyte.
 */
export function keptErrors(errors: readonly GraphQLError[]): GraphQLError[] {
  return errors.map(({ message, source, positions }) => {
    const shownPositions = positions?.slice(0, locationLimit);
    const copy = new GraphQLError(copied(cutMessage(message)), { source, positions: shownPositions });
    // The frames of a stack keep what their functions were called with: here the errors themselves.
    copy.stack = copy.message;
    return copy;
  });
}

/** The same text in memory of its own: a slice of a string keeps the whole string alive. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}
