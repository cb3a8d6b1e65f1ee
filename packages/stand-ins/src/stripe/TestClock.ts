import type { Call } from "./Call.ts"
import { unknownObject } from "./Refusal.ts"

export interface TestClock {
  readonly id: string
  readonly object: "test_helpers.test_clock"
  readonly created: number
  readonly deletes_after: number
  readonly frozen_time: number
  readonly livemode: false
  readonly name: string | null
  readonly status: "advancing" | "ready"
  readonly status_details: object
}

/** The test clock of a path. */
export const clockAt = ({ books }: Call, id: string): TestClock => {
  const clock = books.get("test_clock", id)
  if (clock === undefined) throw unknownObject("test_helpers.test_clock", id)
  return clock
}
