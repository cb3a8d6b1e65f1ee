import type { Migrations } from "@care/service-kit"

/** The migrations of the payments service, in order. */
export const migrations: Migrations = {}
