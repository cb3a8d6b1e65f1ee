import type { OrganizationId } from "@care/domain/ids"
import type { PaymentOperation } from "@care/domain/payments"
import { emptyIntentState, type IntentState, type IntentUpdate } from "../../stripe/index.ts"

type Change = Extract<PaymentOperation, "CAPTURE" | "RELEASE" | "REFUND">

interface Operation {
  readonly organizationId: OrganizationId
  readonly intentId: string
  readonly operationId: string
}

const changeOf = (name: Change, operationId: string, units: number): Partial<IntentState> => {
  switch (name) {
    case "CAPTURE":
      return { isPaid: true, received: units }
    case "RELEASE":
      return { isCanceled: true }
    case "REFUND":
      return { refunds: { [`re_simulated_${operationId}`]: { units, isFailed: false } } }
  }
}

/** Returns what the gateway would answer to an operation on a simulated payment, of which it has no money. */
export const simulatedUpdate = (
  name: Change,
  { intentId, operationId, organizationId }: Operation,
  units: number
): IntentUpdate => ({
  intentId,
  organizationId,
  state: { ...emptyIntentState, ...changeOf(name, operationId, units) }
})
