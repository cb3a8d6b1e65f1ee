// A full stop must be followed by a space, as in "J. R. Smith": a mail program may make a link of anything else.
const readsAsName = (name: string): boolean => /^[\p{L}\p{M} '\u2019.-]+$/u.test(name) && !/\.[^ ]/u.test(name)

/** Returns the greeting of a message. It contains the receiver's first name only if that has no other characters than names have. */
export const greeting = (firstName: string): string => (readsAsName(firstName) ? `Hello ${firstName},` : "Hello,")
