import type { Migrations } from "@care/service-kit"

/** The migrations of the scheduling service, in order. */
export const migrations: Migrations = {}
