/** Whether two emails are one person's. */
export const isEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
