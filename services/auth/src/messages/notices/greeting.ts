// A full stop must be followed by a space, as in "J. R. Smith": a mail program may make a link of anything else.
const readsAsName = (name: string): boolean => /^[\p{L}\p{M} '\u2019.-]+$/u.test(name) && !/\.[^ ]/u.test(name)

/** Returns the beginning of a message. It has the receiver's first name only if that has nothing but what names are written with. */
export const greeting = (firstName: string): string => (readsAsName(firstName) ? `Hello ${firstName},` : "Hello,")
