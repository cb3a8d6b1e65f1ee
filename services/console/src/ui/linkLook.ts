/** The look of a link within a text or a table. */
export const linkLook = "text-accent underline underline-offset-2 break-words"
