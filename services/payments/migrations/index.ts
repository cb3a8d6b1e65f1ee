import type { Migrations } from "@care/service-kit"
import createPayments from "./0001_create_payments.ts"

/** The migrations of the payments service, in order. */
export const migrations: Migrations = { "0001_create_payments": createPayments }
