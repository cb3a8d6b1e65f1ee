import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import {
  type Bundle,
  type BundleForm,
  BundleNotFound,
  type FormNotFound,
  type NewBundle,
  type PartnerBundle,
  type ProductNotFound
} from "@care/domain/cases"
import { BundleId, type FormId, type OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../../case/index.ts"
import { Forms } from "../forms/Forms.ts"
import type { StoredForm } from "../forms/FormsRepo.ts"
import { Products } from "../products/Products.ts"
import { makeBundlesRepo } from "./BundlesRepo.ts"

/** A bundle with the requested forms: null for a form that it does not have. */
interface BundleWithForms {
  readonly bundle: PartnerBundle
  readonly intakeForm?: BundleForm | null
  readonly followupForm?: BundleForm | null
}

const bundleFormOf = (form: StoredForm | undefined): BundleForm | null =>
  form === undefined
    ? null
    : {
        id: form.id,
        name: form.title,
        description: form.description ?? "",
        isActive: form.isActive,
        questions: form.questions.map(({ phi, question, ...fields }, index) => ({
          ...fields,
          text: question,
          isPHI: phi,
          renderMode: null,
          index,
          condition: null,
          organizationDocument: null
        }))
      }

export class Bundles extends Context.Service<
  Bundles,
  {
    readonly create: (
      organizationId: OrganizationId,
      bundle: NewBundle
    ) => Effect.Effect<Bundle, OrganizationNotFound | ProductNotFound | FormNotFound>
    /** Returns all bundles of the organization when `isVisible` is null. */
    readonly list: (
      organizationId: OrganizationId,
      isVisible: boolean | null
    ) => Effect.Effect<ReadonlyArray<PartnerBundle>>
    readonly get: (
      organizationId: OrganizationId,
      id: BundleId,
      includes: { readonly intakeForm: boolean; readonly followupForm: boolean }
    ) => Effect.Effect<BundleWithForms, BundleNotFound>
  }
>()("@care/cases/bundles/Bundles") {
  static readonly layer = Layer.effect(
    Bundles,
    Effect.gen(function* () {
      const repo = yield* makeBundlesRepo
      const directory = yield* Directory
      const forms = yield* Forms
      const products = yield* Products
      const sql = yield* SqlClient.SqlClient

      return Bundles.of({
        create: Effect.fn("Bundles.create")(function* (organizationId, input) {
          const { followupFormId = null, intakeFormId = null, productIds = [], ...fields } = input
          yield* directory.requireOrganization(organizationId)
          yield* products.names(organizationId, productIds)
          yield* forms.requireOwn(
            organizationId,
            [intakeFormId, followupFormId].filter((id) => id !== null)
          )
          const bundle: Bundle = {
            id: BundleId.make(randomUUID()),
            organizationId,
            ...fields,
            productIds: [...new Set(productIds)],
            intakeFormId,
            followupFormId,
            createdAt: yield* DateTime.nowAsDate
          }
          yield* inTransaction(sql)(repo.insert(bundle))
          return bundle
        }),
        list: Effect.fn("Bundles.list")(repo.list),
        get: Effect.fn("Bundles.get")(function* (organizationId, bundleId, includes) {
          const { followupFormId, intakeFormId, ...bundle } = yield* Effect.fromOption(
            yield* repo.find(organizationId, bundleId),
            () => new BundleNotFound({ bundleId })
          )
          const ids = [includes.intakeForm ? intakeFormId : null, includes.followupForm ? followupFormId : null]
          const formsById = yield* forms.findAll(
            organizationId,
            ids.filter((id) => id !== null)
          )
          const formOf = (id: FormId | null) => bundleFormOf(id === null ? undefined : formsById.get(id))
          return {
            bundle,
            ...(includes.intakeForm && { intakeForm: formOf(intakeFormId) }),
            ...(includes.followupForm && { followupForm: formOf(followupFormId) })
          }
        })
      })
    })
  ).pipe(Layer.provide([Forms.layer, Products.layer]))
}
