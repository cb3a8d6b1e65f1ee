const iso = (millis: number): string => new Date(millis).toISOString()

/** Returns a time as resources show it: with six digits of a second. */
export const micros = (millis: number): string => iso(millis).replace("Z", "000Z")

/** Returns a time as open slots show it: without fractions. */
export const seconds = (millis: number): string => iso(millis).replace(/\.\d+Z$/, "Z")
