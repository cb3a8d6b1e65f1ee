import {
  type CaseForbidden,
  type CaseNotFound,
  type CaseProductChange,
  CaseProductClosed,
  type NewCaseActivity,
  ProductNotInCase
} from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { inTransaction, Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../lifecycle/Cases.ts"
import { makeCaseProductsRepo, type ProductOfCase } from "./CaseProductsRepo.ts"

const productUpdate = onceOperation({ name: "updateCaseProduct", version: 1, ids: {}, answer: Schema.Void })

/** Changes the products of cases. */
export class CaseProducts extends Context.Service<
  CaseProducts,
  {
    /**
     * Closes a product of a case, or changes its due date. Fails for a product that is closed or not in the case. A due date that the
     * product already has is not recorded again.
     */
    readonly update: (
      organizationId: OrganizationId,
      caseId: CaseId,
      change: CaseProductChange,
      idempotencyKey: string | undefined
    ) => Effect.Effect<
      void,
      RequestInvalid | CaseNotFound | CaseForbidden | ProductNotInCase | CaseProductClosed | IdempotencyConflict
    >
  }
>()("@care/cases/caseProducts/CaseProducts") {
  static readonly layer = Layer.effect(
    CaseProducts,
    Effect.gen(function* () {
      const cases = yield* Cases
      const once = yield* Once
      const repo = yield* makeCaseProductsRepo
      const sql = yield* SqlClient.SqlClient

      const record = ({ caseId, organizationId }: ProductOfCase, activity: NewCaseActivity) =>
        Effect.andThen(cases.record(organizationId, caseId, activity), cases.updateUrgency(organizationId, caseId))

      // Fails when the product is not in the case or is closed. Otherwise it is open and already has the due date.
      const explainUnchanged = Effect.fnUntraced(function* (
        product: ProductOfCase,
        change: CaseProductClosed["change"]
      ) {
        const { productId } = product
        const { isOpen } = yield* Effect.fromOption(
          yield* repo.isOpen(product),
          () => new ProductNotInCase({ productId })
        )
        if (!isOpen) return yield* new CaseProductClosed({ change })
      })

      const close = Effect.fnUntraced(function* (product: ProductOfCase, reason: string | undefined) {
        const { productId } = product
        const key = yield* cases.keyOf(product.organizationId, product.caseId)
        const isClosed = yield* repo.close(key, product, reason ?? null, yield* Time.nowAsDate)
        if (!isClosed) return yield* explainUnchanged(product, "close")
        yield* record(product, { type: "PRODUCT_CLOSED", details: { productId } })
      })

      const moveDueDate = Effect.fnUntraced(function* (product: ProductOfCase, dueDate: string) {
        const { productId } = product
        if (!(yield* repo.moveDueDate(product, dueDate))) return yield* explainUnchanged(product, "dueDate")
        yield* record(product, { type: "PRODUCT_DUE_DATE_CHANGED", details: { productId, dueDate } })
      })

      const update = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        { dueDate, productId, reason }: CaseProductChange
      ) {
        const product = { organizationId, caseId, productId }
        const today = DateTime.formatIsoDateUtc(yield* Time.now)
        if (dueDate !== undefined && dueDate < today) {
          return yield* RequestInvalid.inPayload("caseProductInput.dueDate", "Due date cannot be in the past")
        }
        yield* cases.requireOwn(organizationId, caseId)
        return inTransaction(sql)(dueDate === undefined ? close(product, reason) : moveDueDate(product, dueDate))
      })

      return CaseProducts.of({
        update: Effect.fn("CaseProducts.update")(function* (organizationId, caseId, change, key) {
          const request = { organizationId, key, body: { caseId, ...change } }
          return yield* once.run(productUpdate, request, () => update(organizationId, caseId, change))
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
