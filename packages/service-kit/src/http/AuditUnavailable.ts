import { Data } from "effect"

/** A read could not be recorded, and is therefore refused: the outbox cannot be written, or is full. */
export class AuditUnavailable extends Data.TaggedError("AuditUnavailable")<{ readonly cause: unknown }> {}
