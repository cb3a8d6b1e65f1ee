import { Effect } from "effect"
import { type Clinic, caseBody, createCase } from "../fixtures.ts"

/** Makes a case that waits for a provider. It is a test case, because these get none by themselves. */
export const waitingCase = Effect.fnUntraced(function* (clinic: Clinic, lastName = "Lopez") {
  const { user, ...body } = caseBody(clinic, { isTest: true })
  const { json } = yield* createCase(clinic, { ...body, user: { ...user, firstName: "Maria", lastName } })
  return String(json.data.caseId)
})
