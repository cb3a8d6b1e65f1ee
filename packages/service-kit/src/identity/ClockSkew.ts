import { Data } from "effect"

/** The header that marks the answer to an internal call as `ClockSkew`, with the seconds. */
export const clockSkewHeader = "x-care-clock-skew"

/**
 * The clocks of two processes differ. By the identity token of a call, the clock of the called process is `seconds` ahead of the caller's.
 */
export class ClockSkew extends Data.TaggedError("ClockSkew")<{ readonly seconds: number }> {
  override get message() {
    return `The clocks of two processes differ: the identity token of a call was ${this.seconds} s old when it came, and lives 30 s. Set the clocks by NTP (or the call waited for so long)`
  }
}
