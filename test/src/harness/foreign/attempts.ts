import type { Attempt } from "./Attempt.ts"
import { caseAttempts } from "./caseAttempts.ts"
import { paymentAttempts } from "./paymentAttempts.ts"
import { peopleAttempts } from "./peopleAttempts.ts"
import { webhookAttempts } from "./webhookAttempts.ts"

/** Each partner operation as another organization would try it. */
export const attempts: Readonly<Record<string, Attempt>> = {
  ...peopleAttempts,
  ...caseAttempts,
  ...paymentAttempts,
  ...webhookAttempts
}
