import { Data } from "effect"

/** What a job fails with that would not succeed at another try either: it is dead-lettered at once. `reason` tells nothing of what it carries. */
export class GivenUp extends Data.TaggedError("GivenUp")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}
