import { Schema } from "effect"

const types = ["support", "clinical", "external"] as const

/** The team that an escalation is for. */
export const EscalationType = Schema.Literals(types).annotate({
  message: `Invalid type. Must be one of: ${types.join(", ")}`
})
export type EscalationType = typeof EscalationType.Type
