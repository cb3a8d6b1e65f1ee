import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Effect } from "effect"
import { SavedMethods } from "../src/customers/savedMethods/SavedMethods.ts"
import { TestStripe } from "./testStripe.ts"

/** Makes a patient with a case and, if named, a saved card of the stand-in such as `pm_card_visa`. */
export const newPatient = Effect.fnUntraced(function* (card?: string) {
  const { client } = yield* TestStripe
  const methods = yield* SavedMethods
  const patient = {
    organizationId: OrganizationId.make(randomUUID()),
    caseId: CaseId.make(randomUUID()),
    userId: UserId.make(randomUUID())
  }
  const customer = yield* Effect.promise(() => client.customers.create({}))
  if (card !== undefined) {
    const { id: paymentMethodId } = yield* Effect.promise(() =>
      client.paymentMethods.attach(card, { customer: customer.id })
    )
    yield* Effect.orDie(methods.save({ ...patient, customerId: customer.id, paymentMethodId }))
  }
  /** The patient's payment intents at the gateway. */
  const intents = Effect.promise(async () => {
    const { data } = await client.paymentIntents.list({ customer: customer.id, limit: 100 })
    return data.map(({ amount_received, id, metadata, status }) => ({ amount_received, id, metadata, status }))
  })
  return { ...patient, customerId: customer.id, intents }
})
