import { may } from "../client/may.ts"

/** Tells whether a role reads cases, whole or only their escalations and comments. */
export const readsCases = (role: string): boolean =>
  may(role, "backOffice", "case") || may(role, "caseLists", "escalations")
