import { permissionOf } from "@care/domain/admin"

/** Tells whether a role may call an operation of the admin API: `may("PROVIDER", "backOffice", "decide")`. */
export const may = (role: string, group: string, operation: string): boolean =>
  permissionOf({ identifier: group }, { identifier: operation })?.roles.some((allowed) => allowed === role) ?? false
