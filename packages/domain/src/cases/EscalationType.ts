import { Schema } from "effect"

const types = ["support", "clinical", "external"] as const

/** Who an escalation is for. */
export const EscalationType = Schema.Literals(types).annotate({
  message: `Invalid type. Must be one of: ${types.join(", ")}`
})
export type EscalationType = typeof EscalationType.Type
