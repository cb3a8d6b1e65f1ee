/**
 * How a provider did not do what it was asked for. `REFUSED`: not at any try. `UNTAKEN`: not at this try. `BUSY`: not at this try, and it
 * may at the next one. `FAILED`: by an error of its own, which it repeats under the key of this attempt. `UNKNOWN`: no answer says.
 */
export type CallOutcome = "REFUSED" | "UNTAKEN" | "BUSY" | "FAILED" | "UNKNOWN"

/**
 * What follows from each outcome of a call, and from each look that does not find what the call was to do. What is answered or found is
 * done. A call is the first one, or a later one, while an earlier try may still come through. The ends and effects:
 *
 * - `NEXT_ATTEMPT`: this attempt did nothing, so the next one is made, under another key.
 * - `NOTHING`: no try did anything. What was written down is taken back, and the caller gets the provider's error.
 * - `DECLINED`: the caller gets the provider's error. What was written down stays.
 * - `UNKNOWN`: what was written down stays, and the same request or a job asks again.
 */
export const transitions = {
  FIRST_CALL: {
    REFUSED: "NOTHING",
    UNTAKEN: "NOTHING",
    BUSY: "NOTHING",
    FAILED: "LOOK_AFTER_FAILURE",
    UNKNOWN: "LOOK_AFTER_SILENCE"
  },
  LATER_CALL: {
    REFUSED: "NOTHING",
    UNTAKEN: "LOOK_AFTER_REFUSAL",
    BUSY: "UNKNOWN",
    FAILED: "LOOK_AFTER_FAILURE",
    UNKNOWN: "LOOK_AFTER_SILENCE"
  },
  LOOK_BEFORE_CALL: { MISSING: "LATER_CALL" },
  LOOK_AFTER_FAILURE: { MISSING: "NEXT_ATTEMPT" },
  LOOK_AFTER_REFUSAL: { MISSING: "DECLINED" },
  LOOK_AFTER_SILENCE: { MISSING: "UNKNOWN" }
} as const satisfies Record<string, Record<CallOutcome, string> | Record<"MISSING", string>>

type AfterCall = (typeof transitions)["FIRST_CALL" | "LATER_CALL"][CallOutcome]

/** What follows once a call was not answered as done. */
export type AfterFailure = AfterCall | (typeof transitions)[Extract<AfterCall, `LOOK_${string}`>]["MISSING"]
