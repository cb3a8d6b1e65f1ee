import type { Bundle } from "@care/domain/cases"

/** What is typed and chosen for a bundle. A form that is not chosen is an empty text. */
export interface BundleDraft {
  readonly name: string
  readonly description: string
  readonly imageUrl: string
  readonly price: string
  readonly priceUnit: string
  readonly initialDiscount: string
  readonly isSoldOut: boolean
  readonly isVisible: boolean
  readonly productIds: ReadonlyArray<string>
  readonly intakeFormId: string
  readonly followupFormId: string
}

export const emptyDraft: BundleDraft = {
  name: "",
  description: "",
  imageUrl: "",
  price: "",
  priceUnit: "USD",
  initialDiscount: "0",
  isSoldOut: false,
  isVisible: true,
  productIds: [],
  intakeFormId: "",
  followupFormId: ""
}

export const draftOf = (bundle: Bundle): BundleDraft => ({
  name: bundle.name,
  description: bundle.description,
  imageUrl: bundle.imageUrl,
  price: bundle.price,
  priceUnit: bundle.priceUnit,
  initialDiscount: bundle.initialDiscount,
  isSoldOut: bundle.isSoldOut,
  isVisible: bundle.isVisible,
  productIds: bundle.productIds,
  intakeFormId: bundle.intakeFormId ?? "",
  followupFormId: bundle.followupFormId ?? ""
})

/** Returns what is changed in a draft, as an operation takes it: what was archived meanwhile is not sent unless it was chosen anew. */
export const changesIn = (draft: BundleDraft, bundle: Bundle) => {
  const before = draftOf(bundle)
  const { followupFormId, intakeFormId, productIds, ...others } = draft
  return {
    ...others,
    ...(productIds !== before.productIds && { productIds }),
    ...(intakeFormId !== before.intakeFormId && { intakeFormId: intakeFormId === "" ? null : intakeFormId }),
    ...(followupFormId !== before.followupFormId && { followupFormId: followupFormId === "" ? null : followupFormId })
  }
}
