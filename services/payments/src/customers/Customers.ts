import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer, Option } from "effect"
import type StripeClient from "stripe"
import {
  dieUnavailable,
  findByOperationId,
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

/** The owner of a customer: a patient, or a person with an email, or unknown. */
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

type OwnerWithEmail = CustomerOwner & { readonly email: string }
type FoundCustomer = StripeClient.Customer | StripeClient.DeletedCustomer

const listByEmail = async (client: StripeClient, { email, organizationId }: OwnerWithEmail) => {
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
    readonly findOrCreate: (owner: CustomerOwner, id: string) => Effect.Effect<string, StripeRefused>
    /** Assigns a customer who is known only by an email to a patient. */
    readonly assign: (customerId: string, patient: Patient) => Effect.Effect<void, StripeRefused>
    /**
     * Returns whether a customer who is known only by an email may be assigned to a patient: not when only others use it.
     */
    readonly isFree: (customerId: string, owner: Omit<CustomerOwner, "email">) => Effect.Effect<boolean>
  }
>()("@care/payments/customers/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const calls = yield* StripeCalls
      const deletedCustomers = yield* makeDeletedCustomersRepo
      const digestOf = yield* makeDigestOf
      const methods = yield* SavedMethods
      const stripe = yield* Stripe

      const retrieve = (organizationId: OrganizationId, id: string) =>
        stripe.ask(organizationId, "customers.retrieve", (client) => client.customers.retrieve(id))

      const create = (
        { email, organizationId, userId }: CustomerOwner,
        options: Pick<StripeCall<StripeClient.Customer>, "operation" | "look" | "stillExists">,
        metadata: StripeClient.Metadata = {}
      ) =>
        calls
          .make({
            ...options,
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
        Effect.map(methods.belongsToOthers(organizationId, customerId, userId), (isOthers) => !isOthers)

      const isOwn = Effect.fnUntraced(function* (customer: FoundCustomer, owner: CustomerOwner) {
        const { organizationId, userId } = owner
        if (customer.deleted || organizationIn(customer) !== organizationId) return false
        const patient = patientIn(customer)
        const belongsToPatient = patient === undefined ? yield* isFree(customer.id, owner) : patient === userId
        // Checked last: an erasure that frees the customer also decides whether to delete them.
        return belongsToPatient && !(yield* deletedCustomers.has(organizationId, customer.id))
      })

      // Returns the customer of the patient's saved method, if it names the patient. Its email may have changed.
      const findBySavedMethod = Effect.fnUntraced(function* (owner: OwnerWithEmail) {
        const { organizationId, userId } = owner
        const method = userId === undefined ? Option.none() : yield* methods.find(organizationId, userId)
        if (Option.isNone(method)) return undefined
        const found = Option.getOrUndefined(yield* Effect.option(retrieve(organizationId, method.value.customerId)))
        if (found === undefined || found.deleted || patientIn(found) !== userId) return undefined
        return (yield* isOwn(found, owner)) ? found : undefined
      })

      const findExisting = Effect.fnUntraced(function* (owner: OwnerWithEmail) {
        const saved = yield* findBySavedMethod(owner)
        if (saved !== undefined) return saved
        const listed = yield* stripe.ask(owner.organizationId, "customers.list", (client) => listByEmail(client, owner))
        const own = yield* Effect.filter(listed, (customer) => isOwn(customer, owner))
        return own.find((customer) => patientIn(customer) === owner.userId) ?? own[0]
      })

      const createWithEmail = Effect.fnUntraced(function* (owner: OwnerWithEmail) {
        const digest = yield* digestOf(owner.organizationId, { userId: owner.userId, email: owner.email })
        return yield* create(owner, {
          // Equal for equal owners, so that parallel requests lead to one customer.
          operation: `customer-${digest}`,
          look: () => findExisting(owner),
          // The customer may have been deleted since, or assigned to another patient.
          stillExists: ({ id }) =>
            Effect.flatMap(retrieve(owner.organizationId, id), (customer) => isOwn(customer, owner))
        })
      })

      // A customer without an email is found by its operation in the metadata.
      const createWithoutEmail = (owner: CustomerOwner, operation: string) =>
        create(
          owner,
          {
            operation,
            look: ({ since, until }) =>
              findByOperationId(stripe, owner.organizationId, "customers.list", operation, ({ customers }) =>
                customers.list({ created: { gte: since, lte: until }, limit: 100 })
              )
          },
          { operationId: operation }
        )

      return Customers.of({
        findOrCreate: Effect.fn("Customers.findOrCreate")(function* (owner, id) {
          const { email, userId } = owner
          if (email === undefined) return (yield* createWithoutEmail(owner, `customer-${id}`)).id
          const ownerWithEmail = { ...owner, email }
          const customer = (yield* findExisting(ownerWithEmail)) ?? (yield* createWithEmail(ownerWithEmail))
          const isUpToDate = userId === undefined || (patientIn(customer) === userId && customer.email === email)
          if (isUpToDate) return customer.id
          const changes = { email, metadata: { userId } }
          yield* stripe.ask(owner.organizationId, "customers.update", (client) =>
            client.customers.update(customer.id, changes)
          )
          return customer.id
        }),

        assign: Effect.fn("Customers.assign")((customerId, { organizationId, userId }) =>
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
