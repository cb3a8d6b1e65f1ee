import { Data } from "effect"

/** Fails a job that no retry can mend: it is dead-lettered at once. `reason` quotes nothing of the payload. */
export class GivenUp extends Data.TaggedError("GivenUp")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}
