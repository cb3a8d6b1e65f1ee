import { maxCounted, type PagePosition } from "@care/domain/http"
import { CaseId, OrganizationId, PaymentId, ProductId, UserId } from "@care/domain/ids"
import { PaymentOperation, PaymentStatus, ProviderReference } from "@care/domain/payments"
import { type OpenedRow, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { IntentState } from "../../stripe/index.ts"

const amount = Schema.NullOr(Schema.String)

/** A payment with the state of its intent. */
const PaymentWithIntent = sealedRow("payments", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: PaymentId,
  caseId: CaseId,
  userId: Schema.NullOr(UserId),
  productId: Schema.NullOr(ProductId),
  isInitial: Schema.Boolean,
  status: PaymentStatus,
  currency: Schema.NullOr(Schema.String),
  grossAmount: amount,
  discount: amount,
  amount,
  description: sealed(Schema.NullOr(Schema.String)),
  providerReferenceType: Schema.NullOr(ProviderReference.fields.type),
  providerReferenceId: Schema.NullOr(Schema.String),
  intentId: Schema.NullOr(Schema.String),
  operation: Schema.NullOr(PaymentOperation),
  operationSince: Schema.NullOr(Schema.Date),
  state: Schema.NullOr(IntentState),
  gatewayAmount: amount,
  gatewayCurrency: Schema.NullOr(Schema.String),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type PaymentWithIntent = OpenedRow<typeof PaymentWithIntent>

const columns = `
  p.organization_id, p.id, p.case_id, p.user_id, p.product_id, p.is_initial, p.status, p.currency,
  trim_scale(p.gross_amount)::text AS gross_amount, trim_scale(p.discount)::text AS discount,
  trim_scale(p.amount)::text AS amount, p.description, p.provider_reference_type, p.provider_reference_id, p.intent_id,
  p.operation, p.operation_since, i.state, trim_scale(i.amount)::text AS gateway_amount, i.currency AS gateway_currency,
  p.created_at, p.updated_at
`

const counts = rowsOf(Schema.Struct({ count: Schema.Natural }))

/** The criteria of a page. Undefined ones match everything. */
interface PaymentSearch {
  readonly caseId: CaseId | undefined
  readonly organizationId: OrganizationId | undefined
  readonly statuses: ReadonlyArray<PaymentStatus>
  readonly before: PagePosition
}

/** SQL of the payments for operators. Each page is read by an index, however many payments there are. */
export const makeAdminPaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const payments = yield* sealedRowsOf(PaymentWithIntent)
  const newestFirst = sql.literal("ORDER BY created_at DESC, id DESC")
  const withIntents = (payments: Statement.Fragment) => sql`
    SELECT ${sql.literal(columns)} FROM (${payments}) p LEFT JOIN payment_intents i ON i.id = p.intent_id
    ORDER BY p.created_at DESC, p.id DESC
  `

  const ofOrganization = ({ organizationId }: PaymentSearch) =>
    organizationId === undefined ? sql.literal("") : sql`organization_id = ${organizationId} AND`

  const ofCase = (search: PaymentSearch, caseId: CaseId, limit: number) => sql`
    SELECT * FROM payments
    WHERE ${ofOrganization(search)} case_id = ${caseId} AND NOT is_prepared AND status = ANY(${search.statuses}::text[])
      AND (created_at, id) < (${search.before.createdAt}, ${search.before.id})
    ${newestFirst} LIMIT ${limit}
  `

  // An index has the payments of each status in order, and the newest of all are among the newest of each status.
  const ofStatuses = (search: PaymentSearch, limit: number) => sql`
    SELECT found.* FROM unnest(${search.statuses}::text[]) AS of_status (status)
    CROSS JOIN LATERAL (
      SELECT * FROM payments
      WHERE ${ofOrganization(search)} status = of_status.status AND NOT is_prepared
        AND (created_at, id) < (${search.before.createdAt}, ${search.before.id})
      ${newestFirst} LIMIT ${limit}
    ) found
    ${newestFirst} LIMIT ${limit}
  `

  return {
    find: (organizationId: OrganizationId, id: PaymentId) =>
      payments.first(
        withIntents(sql`
          SELECT * FROM payments WHERE organization_id = ${organizationId} AND id = ${id} AND NOT is_prepared
        `)
      ),

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<PaymentId>) =>
      payments.all(
        withIntents(sql`
          SELECT * FROM payments
          WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[]) AND NOT is_prepared
        `)
      ),

    /** Counts the payments of an organization that wait for a capture or a release. */
    countHeld: (organizationId: OrganizationId) =>
      counts.one(
        sql`
          SELECT count(*)::integer AS count FROM (
            SELECT FROM payments
            WHERE organization_id = ${organizationId} AND status = 'AUTHORIZED' AND NOT is_prepared
            LIMIT ${maxCounted}
          ) AS held
        `.unprepared
      ),

    /** Newest first. */
    newest: (search: PaymentSearch, limit: number) =>
      payments.all(
        withIntents(search.caseId === undefined ? ofStatuses(search, limit) : ofCase(search, search.caseId, limit))
          .unprepared
      )
  }
})
