import { randomUUID } from "node:crypto"
import {
  Bundle,
  BundleId,
  type FormNotFound,
  type NewBundle,
  type OrganizationId,
  type OrganizationNotFound,
  ProductId,
  type ProductNotFound
} from "@care/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { Directory } from "../directory/Directory.ts"
import { Forms } from "../forms/Forms.ts"
import { Products } from "../products/Products.ts"
import { BundlesRepo } from "./BundlesRepo.ts"

/** Bundles of products with their forms. */
export class Bundles extends Context.Service<
  Bundles,
  {
    readonly create: (
      organizationId: OrganizationId,
      bundle: NewBundle
    ) => Effect.Effect<Bundle, OrganizationNotFound | ProductNotFound | FormNotFound>
  }
>()("@care/cases/bundles/Bundles") {
  static readonly layer = Layer.effect(
    Bundles,
    Effect.gen(function* () {
      const repo = yield* BundlesRepo
      const directory = yield* Directory
      const forms = yield* Forms
      const products = yield* Products

      const create = Effect.fn("Bundles.create")(function* (organizationId: OrganizationId, given: NewBundle) {
        const { followupFormId = null, intakeFormId = null, productIds = [], ...rest } = given
        yield* directory.requireOrganization(organizationId)
        yield* products.names(organizationId, productIds)
        yield* forms.requireOwn(
          organizationId,
          [intakeFormId, followupFormId].filter((id) => id !== null)
        )
        const bundle = new Bundle({
          id: BundleId.make(randomUUID()),
          organizationId,
          ...rest,
          productIds: [...new Set(productIds.map((id) => ProductId.make(id.toLowerCase())))],
          intakeFormId,
          followupFormId,
          createdAt: yield* DateTime.nowAsDate
        })
        yield* repo.insert(bundle)
        return bundle
      })

      return Bundles.of({ create })
    })
  ).pipe(Layer.provide(BundlesRepo.layer))
}
