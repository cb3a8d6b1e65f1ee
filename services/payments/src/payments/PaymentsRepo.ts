import { CaseId, OrganizationId, PaymentId, ProductId, UserId } from "@care/domain/ids"
import { PaymentOperation, PaymentSnapshot, PaymentStatus, ProviderReference } from "@care/domain/payments"
import { type OpenedRow, type Sealer, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, inScope, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntentState } from "../stripe/index.ts"

const amount = Schema.NullOr(Schema.String)

/**
 * A stored payment. Amounts are exact decimal strings in major units. A prepared payment has no user, and an abandoned
 * checkout no amounts.
 */
export const PaymentRow = sealedRow("payments", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: PaymentId,
  caseId: CaseId,
  userId: Schema.NullOr(UserId),
  productId: Schema.NullOr(ProductId),
  isInitial: Schema.Boolean,
  isPrepared: Schema.Boolean,
  status: PaymentStatus,
  outcome: PaymentSnapshot.fields.outcome,
  version: Schema.Int,
  currency: Schema.NullOr(Schema.String),
  grossAmount: amount,
  discount: amount,
  amount,
  differsFromGateway: Schema.Boolean,
  description: sealed(Schema.NullOr(Schema.String)),
  providerReferenceType: Schema.NullOr(ProviderReference.fields.type),
  providerReferenceId: Schema.NullOr(Schema.String),
  intentId: Schema.NullOr(Schema.String),
  operation: Schema.NullOr(PaymentOperation),
  operationId: Schema.NullOr(Schema.String),
  operationAmount: amount,
  operationSince: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})
export type PaymentRow = OpenedRow<typeof PaymentRow>

/** A stored payment intent. `amount` and `currency` are its worth, in major units; null until known. */
const IntentRow = Schema.Struct({
  organizationId: Schema.NullOr(OrganizationId),
  state: IntentState,
  amount,
  currency: Schema.NullOr(Schema.String)
})
export type IntentRow = typeof IntentRow.Type

const snapshots = rowsOf(PaymentSnapshot)
const intents = rowsOf(IntentRow)
const currencies = rowsOf(Schema.Struct({ currency: Schema.NullOr(Schema.String) }))
const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))
const keys = rowsOf(Schema.Struct({ organizationId: OrganizationId, id: PaymentId }))

export const makePaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const payments = yield* sealedRowsOf(PaymentRow)
  const columns = sql`
    organization_id, id, case_id, user_id, product_id, is_initial, is_prepared, status, outcome, version, currency,
    trim_scale(gross_amount)::text AS gross_amount, trim_scale(discount)::text AS discount,
    trim_scale(amount)::text AS amount, differs_from_gateway, description, provider_reference_type,
    provider_reference_id, intent_id, operation, operation_id, trim_scale(operation_amount)::text AS operation_amount,
    operation_since, created_at
  `
  const selectOne = (organizationId: OrganizationId, id: PaymentId) => sql`
    SELECT ${columns} FROM payments WHERE organization_id = ${organizationId} AND id = ${id}
  `

  return {
    /** Returns false, and stores nothing, when the case already has its initial payment. */
    insert: (sealer: Sealer, payment: PaymentRow) =>
      affects(sql`
        INSERT INTO payments ${sql.insert({ ...payments.seal(sealer, payment), updatedAt: payment.createdAt })}
        ON CONFLICT (organization_id, case_id) WHERE is_initial DO NOTHING
        RETURNING id
      `),

    find: (organizationId: OrganizationId, id: PaymentId) => payments.first(selectOne(organizationId, id)),

    /** The snapshots of payments that are not prepared. */
    snapshots: (organizationId: OrganizationId, ids: ReadonlyArray<PaymentId>) =>
      snapshots.all(sql`
        SELECT organization_id, case_id, id AS payment_id, status, outcome, version FROM payments
        WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[]) AND NOT is_prepared
      `),

    findInitial: (organizationId: OrganizationId, caseId: CaseId) =>
      payments.first(sql`
        SELECT ${columns} FROM payments WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND is_initial
      `),

    /** Locks the payment until the transaction ends. */
    lock: (organizationId: OrganizationId, id: PaymentId) =>
      payments.first(sql`${selectOne(organizationId, id)} FOR NO KEY UPDATE`),

    /**
     * Returns the currency of a case's initial payment: its own, or else that of its intent. An intent belongs to the
     * organization that it names, or to the first payment that named it.
     */
    findCurrency: (organizationId: OrganizationId, caseId: CaseId) =>
      currencies.first(sql`
        SELECT COALESCE(payments.currency, payment_intents.currency) AS currency
        FROM payments LEFT JOIN payment_intents ON payment_intents.id = payments.intent_id
          AND payments.organization_id = COALESCE(
            payment_intents.organization_id,
            (SELECT organization_id FROM payments WHERE intent_id = payment_intents.id ORDER BY created_at, id LIMIT 1)
          )
        WHERE payments.organization_id = ${organizationId} AND case_id = ${caseId} AND is_initial
      `),

    update: (sealer: Sealer, payment: PaymentRow, updatedAt: Date) =>
      execute(sql`
        UPDATE payments SET ${sql.update({ ...payments.seal(sealer, payment), updatedAt }, ["organizationId", "id"])}
        WHERE organization_id = ${payment.organizationId} AND id = ${payment.id}
      `),

    /** Returns whether there was one. */
    dropPrepared: (organizationId: OrganizationId, caseId: CaseId) =>
      affects(sql`
        DELETE FROM payments
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND is_initial AND is_prepared
        RETURNING id
      `),

    /** Returns the organization of a payment in the scope. */
    findOwner: (id: PaymentId, scope: OrganizationId | undefined) =>
      owners.first(sql`SELECT organization_id FROM payments WHERE id = ${id} AND ${inScope(sql, scope)}`),

    /** Returns the payment of an organization that an intent pays. */
    findPaidBy: (organizationId: OrganizationId, intentId: string) =>
      keys.first(sql`
        SELECT organization_id, id FROM payments
        WHERE organization_id = ${organizationId} AND intent_id = ${intentId}
      `),

    /**
     * Returns the payment of any organization that an intent without an organization pays: the first one that named it.
     */
    findPaidByAnywhere: (intentId: string) =>
      keys.first(sql`
        SELECT organization_id, id FROM payments WHERE intent_id = ${intentId} ORDER BY created_at, id LIMIT 1
      `),

    /** Inserts the intent if it is new, and locks it until the transaction ends. */
    lockIntent: (id: string, initialState: IntentState, now: Date) =>
      Effect.andThen(
        execute(sql`
          INSERT INTO payment_intents (id, state, updated_at) VALUES (${id}, ${JSON.stringify(initialState)}::jsonb, ${now})
          ON CONFLICT (id) DO NOTHING
        `),
        intents.one(sql`
          SELECT organization_id, state, trim_scale(amount)::text AS amount, currency FROM payment_intents
          WHERE id = ${id} FOR NO KEY UPDATE
        `)
      ),

    findIntent: (id: string) =>
      intents.first(sql`
        SELECT organization_id, state, trim_scale(amount)::text AS amount, currency FROM payment_intents WHERE id = ${id}
      `),

    updateIntent: (id: string, { amount, currency, state, organizationId }: IntentRow, now: Date) =>
      execute(sql`
        UPDATE payment_intents
        SET organization_id = ${organizationId}, state = ${JSON.stringify(state)}::jsonb, amount = ${amount}::numeric,
            currency = ${currency}, updated_at = ${now}
        WHERE id = ${id}
      `),

    /**
     * Sets since when an intent has money without a payment; the first time stays. Null: it has none, or has a payment.
     */
    setUnclaimed: (id: string, since: Date | null) =>
      execute(sql`
        UPDATE payment_intents
        SET unclaimed_since = CASE WHEN ${since}::timestamptz IS NOT NULL THEN coalesce(unclaimed_since, ${since}) END
        WHERE id = ${id} AND (unclaimed_since IS NOT NULL OR ${since}::timestamptz IS NOT NULL)
      `)
  }
})
