import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import {
  type Bundle,
  type BundleChange,
  type BundleForm,
  BundleNotFound,
  type CatalogueQuery,
  type FormNotFound,
  type NewBundle,
  type PartnerBundle,
  type ProductNotFound
} from "@care/domain/cases"
import { BundleId, type FormId, type OrganizationId, type ProductId } from "@care/domain/ids"
import { inTransaction, oldest, type Page, pageFrom, Time } from "@care/service-kit"
import { Context, Effect, Layer, Predicate } from "effect"
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
    readonly page: (
      organizationId: OrganizationId,
      query: CatalogueQuery
    ) => Effect.Effect<Page<Bundle>, OrganizationNotFound>
    readonly whole: (organizationId: OrganizationId, id: BundleId) => Effect.Effect<Bundle, BundleNotFound>
    readonly change: (
      organizationId: OrganizationId,
      id: BundleId,
      change: BundleChange
    ) => Effect.Effect<Bundle, BundleNotFound | ProductNotFound | FormNotFound>
    /** Returns the bundles of the organization that are not archived: all when `isVisible` is null. */
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

      const requireParts = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        productIds: ReadonlyArray<ProductId>,
        formIds: ReadonlyArray<FormId | null | undefined>
      ) {
        yield* products.names(organizationId, productIds)
        yield* forms.requireUsable(organizationId, formIds.filter(Predicate.isNotNullish))
      })

      const whole = Effect.fn("Bundles.whole")(function* (organizationId: OrganizationId, bundleId: BundleId) {
        return yield* Effect.fromOption(
          yield* repo.findWhole(organizationId, bundleId),
          () => new BundleNotFound({ bundleId })
        )
      })

      return Bundles.of({
        whole,
        page: Effect.fn("Bundles.page")(function* (organizationId, { cursor = oldest, isArchived, limit }) {
          yield* directory.requireOrganization(organizationId)
          return pageFrom(yield* repo.page(organizationId, isArchived === "true", cursor, limit + 1), limit)
        }),
        change: Effect.fn("Bundles.change")(function* (organizationId, bundleId, change) {
          const { followupFormId, intakeFormId, productIds = [] } = change
          yield* requireParts(organizationId, productIds, [intakeFormId, followupFormId])
          if (!(yield* inTransaction(sql)(repo.change(organizationId, bundleId, change)))) {
            return yield* new BundleNotFound({ bundleId })
          }
          return yield* whole(organizationId, bundleId)
        }),
        create: Effect.fn("Bundles.create")(function* (organizationId, input) {
          const { followupFormId = null, intakeFormId = null, productIds = [], ...fields } = input
          yield* directory.requireOrganization(organizationId)
          yield* requireParts(organizationId, productIds, [intakeFormId, followupFormId])
          const bundle: Bundle = {
            id: BundleId.make(randomUUID()),
            organizationId,
            ...fields,
            productIds: [...new Set(productIds)],
            intakeFormId,
            followupFormId,
            isArchived: false,
            createdAt: yield* Time.nowAsDate
          }
          yield* inTransaction(sql)(repo.insert(bundle))
          return yield* Effect.orDie(whole(organizationId, bundle.id))
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
