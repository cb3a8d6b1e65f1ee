import { Schema } from "effect"

/** How the last attempt at an endpoint went: it succeeded, there was none yet, or it failed. */
export const Health = Schema.Literals(["PROVEN", "FRESH", "FAILING"])
export type Health = typeof Health.Type

/** The kind of slot of an endpoint: its health, or `LATEST` for a proven one that has just become due while the proven slots are taken. */
export type Share = Health | "LATEST"
