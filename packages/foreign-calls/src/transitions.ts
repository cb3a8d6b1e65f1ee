/**
 * The outcomes of a call that did not succeed. `REFUSED`: no try has changed anything. `UNTAKEN`: this try has changed nothing. `BUSY`:
 * this try has changed nothing, and the next one may succeed. `FAILED`: the provider failed, and repeats its failure under the key of this
 * attempt. `UNKNOWN`: no answer shows what happened.
 */
export type CallOutcome = "REFUSED" | "UNTAKEN" | "BUSY" | "FAILED" | "UNKNOWN"

/**
 * The next step after each outcome of a call, and after each look-up that does not find what the call was to make. A call that succeeds
 * and a look-up that finds something end the run. A call is a `LATER_CALL` while an earlier try may still arrive. A first call may be
 * refused because of a try that a restored backup has lost. The ends and effects:
 *
 * - `NEXT_ATTEMPT`: this attempt changed nothing, so the next one is made, under another key.
 * - `NOTHING`: no try changed anything. The stored intent is removed, and the caller gets the provider's error.
 * - `DECLINED`: the caller gets the provider's error. The stored intent stays.
 * - `UNKNOWN`: the stored intent stays, and the same request or a job tries again.
 */
export const transitions = {
  FIRST_CALL: {
    REFUSED: "NOTHING",
    UNTAKEN: "LOOK_AFTER_FIRST_REFUSAL",
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
  LOOK_AFTER_FIRST_REFUSAL: { MISSING: "NOTHING" },
  LOOK_AFTER_REFUSAL: { MISSING: "DECLINED" },
  LOOK_AFTER_SILENCE: { MISSING: "UNKNOWN" }
} as const satisfies Record<string, Record<CallOutcome, string> | Record<"MISSING", string>>

type AfterCall = (typeof transitions)["FIRST_CALL" | "LATER_CALL"][CallOutcome]

/** The next step after a call that did not succeed. */
export type AfterFailure = AfterCall | (typeof transitions)[Extract<AfterCall, `LOOK_${string}`>]["MISSING"]
