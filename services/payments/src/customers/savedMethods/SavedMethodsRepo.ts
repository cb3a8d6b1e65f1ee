import { KnownAddress } from "@care/domain/http"
import { OrganizationId, UserId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Method = { customerId: Schema.String, paymentMethodId: Schema.String }

/** The stored method of a patient. */
export const SavedMethodRow = sealedRow("saved_methods", ["organizationId", "userId"], {
  organizationId: OrganizationId,
  userId: UserId,
  ...Method,
  shippingAddress: sealed(Schema.NullOr(KnownAddress)),
  savedAt: Schema.Date,
  addressReportedAt: Schema.NullOr(Schema.Date)
})
export type SavedMethodRow = OpenedRow<typeof SavedMethodRow>

const SavedMethod = Schema.Struct(Method)

/** A payment method, by its ids at the gateway. */
export type SavedMethod = typeof SavedMethod.Type

const methods = rowsOf(SavedMethod)

export const makeSavedMethodsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(SavedMethodRow)

  return {
    find: (organizationId: OrganizationId, userId: UserId) =>
      methods.first(sql`
        SELECT customer_id, payment_method_id FROM saved_methods
        WHERE organization_id = ${organizationId} AND user_id = ${userId}
      `),

    /** Returns the row with the shipping address; none when no address was given. */
    findAddress: (organizationId: OrganizationId, userId: UserId) =>
      rows.first(sql`
        SELECT organization_id, user_id, customer_id, payment_method_id, shipping_address, saved_at, address_reported_at
        FROM saved_methods
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND shipping_address IS NOT NULL
      `),

    remove: (organizationId: OrganizationId, userId: UserId) =>
      execute(sql`DELETE FROM saved_methods WHERE organization_id = ${organizationId} AND user_id = ${userId}`),

    /** Without an address the known one stays. */
    save: (key: PatientKey, method: SavedMethodRow) =>
      execute(sql`
        INSERT INTO saved_methods ${sql.insert(rows.seal(key, method))}
        ON CONFLICT (organization_id, user_id) DO UPDATE
        SET customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
            shipping_address = coalesce(excluded.shipping_address, saved_methods.shipping_address),
            address_reported_at = coalesce(excluded.address_reported_at, saved_methods.address_reported_at, saved_methods.saved_at),
            saved_at = excluded.saved_at
      `)
  }
})
