import { Data } from "effect"

/** The body is larger than its endpoint takes. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly maxBytes: number }> {}

/** The body was not there in time, or came at less than the slowest rate. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow") {}

/** There is no memory left for another body at the moment, or not for one more of this caller. */
export class BodyMemoryFull extends Data.TaggedError("BodyMemoryFull") {}

/** Why a body is not received to its end. */
export type BodyRefused = BodyTooLarge | BodyTooSlow | BodyMemoryFull
