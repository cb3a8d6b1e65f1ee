import { Schema } from "effect"

/** The organization already asks for its audit records. */
export class AuditBusy extends Schema.TaggedError<AuditBusy>()("AuditBusy", { retryAfter: Schema.Natural }) {}
