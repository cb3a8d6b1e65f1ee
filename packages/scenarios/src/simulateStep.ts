import type { Care } from "@care/client"
import type { StepName } from "@care/domain/cases"
import { Effect } from "effect"
import { makeAppointment } from "./makeAppointment.ts"
import { send } from "./ScenarioFailed.ts"

// Texts of steps that need one.
const texts = {
  COMMENT: { text: "Which medication do you take at the moment?" },
  ORDER_REPLACED: { replacementReason: "The pen of 0.25 mg is out of stock, two of 0.125 mg are sent" },
  WEBHOOKS_FAIL: { for: "PT1H" }
} as const

const perform = (care: Care, caseId: string, step: StepName) => {
  if (step === "APPOINTMENT_BOOKED") return makeAppointment(care, caseId, "BOOKED", 3)
  if (step === "APPOINTMENT_MOVED") return makeAppointment(care, caseId, "MOVED", 5)
  const body =
    step === "COMMENT"
      ? { step, ...texts.COMMENT }
      : step === "ORDER_REPLACED"
        ? { step, ...texts.ORDER_REPLACED }
        : step === "WEBHOOKS_FAIL"
          ? { step, ...texts.WEBHOOKS_FAIL }
          : { step }
  return send((signal) => care.testCases.simulate(caseId, body, { signal }))
}

/** Simulates a step that is chosen by its name alone: texts and times are plausible ones. Returns the case, and what is possible then. */
export const simulateStep = (care: Care, caseId: string, step: StepName) =>
  Effect.map(perform(care, caseId, step), ({ data }) => data)

/** Returns a case, and the steps that are possible now. */
export const readPossible = (care: Care, caseId: string) =>
  Effect.map(
    send((signal) => care.testCases.possible(caseId, { signal })),
    ({ data }) => data
  )
