import { Schema } from "effect"

/** How the last attempt at an endpoint went: it succeeded, there was none yet, or it failed. */
export const Health = Schema.Literals(["PROVEN", "FRESH", "FAILING"])
export type Health = typeof Health.Type

/** What an endpoint has a slot of: its health, or `LATEST` when it was proven, has just become due, and those are too many. */
export type Share = Health | "LATEST"
