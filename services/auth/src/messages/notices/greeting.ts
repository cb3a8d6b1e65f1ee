// What a name is written with. A full stop is followed by a space, as in "J. R. Smith": without, a mail program may make it a link.
const readsAsName = (name: string): boolean => /^[\p{L}\p{M} '\u2019.-]+$/u.test(name) && !/\.[^ ]/u.test(name)

/** How a message begins: with the first name of who gets it, unless that reads as anything but a name. */
export const greeting = (firstName: string): string => (readsAsName(firstName) ? `Hello ${firstName},` : "Hello,")
