import { Data } from "effect"

/** The embedded PostgreSQL does not start; `message` is a sentence. */
export class EmbeddedPostgresFailed extends Data.TaggedError("EmbeddedPostgresFailed")<{ readonly message: string }> {}
