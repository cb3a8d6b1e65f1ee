import { Schema } from "effect"

/** The organization has another request for its audit records in progress. */
export class AuditBusy extends Schema.TaggedError<AuditBusy>()("AuditBusy", { retryAfter: Schema.Natural }) {}
