import { Data } from "effect"

/** The body is larger than its endpoint allows. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly maxBytes: number }> {}

/** The body was not complete in time, or came below the minimum rate. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow") {}

/** No memory is free for another body, or the caller has used its share. */
export class BodyMemoryFull extends Data.TaggedError("BodyMemoryFull") {}

export type BodyRefused = BodyTooLarge | BodyTooSlow | BodyMemoryFull
