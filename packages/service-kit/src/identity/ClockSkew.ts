import { Data } from "effect"

/** Names a refusal as `ClockSkew`, with its seconds, in the answer to an internal call. */
export const clockSkewHeader = "x-care-clock-skew"

/**
 * Two processes do not agree on what time it is: by so many seconds, as the identity token of a call says, the clock of who was
 * called is ahead of the caller's.
 */
export class ClockSkew extends Data.TaggedError("ClockSkew")<{ readonly seconds: number }> {
  override get message() {
    return `The clocks of two processes differ: the identity token of a call was ${this.seconds} s old when it came, and lives 30 s. Set the clocks by NTP (or the call waited for so long)`
  }
}
