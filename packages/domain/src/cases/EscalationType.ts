import { Schema } from "effect"

/** Who an escalation is for. */
export const EscalationType = Schema.Literals(["support", "clinical", "external"])
export type EscalationType = typeof EscalationType.Type
