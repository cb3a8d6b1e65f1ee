import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer, Option } from "effect"
import type StripeClient from "stripe"
import {
  dieUnavailable,
  findMade,
  makeDigestOf,
  organizationIn,
  patientIn,
  Stripe,
  type StripeCall,
  StripeCalls,
  type StripeRefused
} from "../stripe/index.ts"
import { makeDeletedCustomersRepo } from "./DeletedCustomersRepo.ts"
import { SavedMethods } from "./savedMethods/SavedMethods.ts"

/** The owner of a customer: a patient, or somebody with an email, or nobody known. */
export interface CustomerOwner {
  readonly organizationId: OrganizationId
  readonly email: string | undefined
  /** The patient who has the email. */
  readonly userId: UserId | undefined
}

interface Patient {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

type Known = CustomerOwner & { readonly email: string }
type Found = StripeClient.Customer | StripeClient.DeletedCustomer

const listedFor = async (client: StripeClient, { email, organizationId }: Known) => {
  const own: Array<StripeClient.Customer> = []
  for await (const customer of client.customers.list({ email, limit: 100 })) {
    if (organizationIn(customer) === organizationId) own.push(customer)
  }
  return own
}

/** The customers of organizations at the gateway. Their details are stored only there. */
export class Customers extends Context.Service<
  Customers,
  {
    /**
     * Returns the customer of a patient: the one that names the patient; or one with the patient's email that names
     * nobody and that nobody else uses, which is given to the patient; or a new one. An email without a patient is
     * treated likewise. Customers of other organizations are never used. Without an email it is always a new one; `id`
     * identifies the request.
     */
    readonly of: (owner: CustomerOwner, id: string) => Effect.Effect<string, StripeRefused>
    /** Gives a customer who is known only by an email to a patient. */
    readonly give: (customerId: string, patient: Patient) => Effect.Effect<void, StripeRefused>
    /**
     * Returns whether a customer who is known only by an email may be given to a patient: not when only others use it.
     */
    readonly isFree: (customerId: string, owner: Omit<CustomerOwner, "email">) => Effect.Effect<boolean>
  }
>()("@care/payments/customers/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const calls = yield* StripeCalls
      const deleted = yield* makeDeletedCustomersRepo
      const digestOf = yield* makeDigestOf
      const methods = yield* SavedMethods
      const stripe = yield* Stripe

      const retrieve = (organizationId: OrganizationId, id: string) =>
        stripe.ask(organizationId, "customers.retrieve", (client) => client.customers.retrieve(id))

      const create = (
        { email, organizationId, userId }: CustomerOwner,
        more: Pick<StripeCall<StripeClient.Customer>, "operation" | "look" | "stands">,
        metadata: StripeClient.Metadata = {}
      ) =>
        calls
          .make({
            ...more,
            organizationId,
            name: "customers.create",
            call: (client, key) =>
              client.customers.create(
                {
                  ...(email !== undefined && { email }),
                  metadata: { organizationId, ...(userId !== undefined && { userId }), ...metadata }
                },
                key
              )
          })
          .pipe(Effect.catchTag("StripeFailed", dieUnavailable))

      const isFree = (customerId: string, { organizationId, userId }: Omit<CustomerOwner, "email">) =>
        Effect.map(methods.isOthers(organizationId, customerId, userId), (isOthers) => !isOthers)

      const isOwn = Effect.fnUntraced(function* (customer: Found, owner: CustomerOwner) {
        const { organizationId, userId } = owner
        if (customer.deleted || organizationIn(customer) !== organizationId) return false
        const patient = patientIn(customer)
        const isPatients = patient === undefined ? yield* isFree(customer.id, owner) : patient === userId
        // Checked last: an erasure that frees the customer also decides whether to delete them.
        return isPatients && !(yield* deleted.has(organizationId, customer.id))
      })

      // The customer of the patient's saved method, if it names the patient. Its email may have changed.
      const savedFor = Effect.fnUntraced(function* (owner: Known) {
        const { organizationId, userId } = owner
        const method = userId === undefined ? Option.none() : yield* methods.find(organizationId, userId)
        if (Option.isNone(method)) return undefined
        const found = Option.getOrUndefined(yield* Effect.option(retrieve(organizationId, method.value.customerId)))
        if (found === undefined || found.deleted || patientIn(found) !== userId) return undefined
        return (yield* isOwn(found, owner)) ? found : undefined
      })

      const existing = Effect.fnUntraced(function* (owner: Known) {
        const saved = yield* savedFor(owner)
        if (saved !== undefined) return saved
        const listed = yield* stripe.ask(owner.organizationId, "customers.list", (client) => listedFor(client, owner))
        const own = yield* Effect.filter(listed, (customer) => isOwn(customer, owner))
        return own.find((customer) => patientIn(customer) === owner.userId) ?? own[0]
      })

      const make = (owner: Known) =>
        create(owner, {
          // Equal for equal owners, so that parallel requests lead to one customer.
          operation: `customer-${digestOf(owner.organizationId, { userId: owner.userId, email: owner.email })}`,
          look: () => existing(owner),
          // The customer may have been deleted since, or given to another patient.
          stands: ({ id }) => Effect.flatMap(retrieve(owner.organizationId, id), (now) => isOwn(now, owner))
        })

      // A customer without an email is found by its operation in the metadata.
      const makeNameless = (owner: CustomerOwner, operation: string) =>
        create(
          owner,
          {
            operation,
            look: ({ since, until }) =>
              findMade(stripe, owner.organizationId, "customers.list", operation, ({ customers }) =>
                customers.list({ created: { gte: since, lte: until }, limit: 100 })
              )
          },
          { operationId: operation }
        )

      return Customers.of({
        of: Effect.fn("Customers.of")(function* (owner, id) {
          const { email, userId } = owner
          if (email === undefined) return (yield* makeNameless(owner, `customer-${id}`)).id
          const known = { ...owner, email }
          const customer = (yield* existing(known)) ?? (yield* make(known))
          const isAsKnown = userId === undefined || (patientIn(customer) === userId && customer.email === email)
          if (isAsKnown) return customer.id
          const changes = { email, metadata: { userId } }
          yield* stripe.ask(owner.organizationId, "customers.update", (client) =>
            client.customers.update(customer.id, changes)
          )
          return customer.id
        }),

        give: Effect.fn("Customers.give")((customerId, { organizationId, userId }) =>
          Effect.asVoid(
            stripe.ask(organizationId, "customers.update", (client) =>
              client.customers.update(customerId, { metadata: { userId } })
            )
          )
        ),

        isFree
      })
    })
  ).pipe(Layer.provide(SavedMethods.layer))
}
