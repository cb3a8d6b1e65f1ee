import { Data } from "effect"

/** A read was refused because it cannot be recorded: the outbox cannot be written, or is full. */
export class AuditUnavailable extends Data.TaggedError("AuditUnavailable")<{ readonly cause: unknown }> {}
