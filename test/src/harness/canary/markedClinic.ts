import { Effect } from "effect"
import { admin } from "../call.ts"
import type { Clinic } from "../fixtures.ts"
import { own } from "./markers.ts"

/** An organization that says `own` wherever it says something of itself. */
export const markedClinic = Effect.gen(function* () {
  const organizationId: string = (yield* admin("POST", "/organizations", { name: own })).json.id
  yield* admin("PATCH", `/organizations/${organizationId}`, {
    isDisabled: false,
    name: `${own} clinic`,
    contactEmail: `${own}@example.com`
  })
  const at = `/organizations/${organizationId}`
  const issued = (yield* admin("POST", `${at}/api-keys`, { label: own })).json
  const product = yield* admin("POST", `${at}/products`, { name: own, description: own })
  const form = yield* admin("POST", `${at}/forms`, {
    title: own,
    description: own,
    questions: [
      { question: own, type: "SINGLESELECT", required: true, hint: own, placeholder: own, options: [own, "No"] }
    ]
  })
  const bundle = {
    name: own,
    description: own,
    imageUrl: `https://example.com/${own}.png`,
    price: "10.00",
    priceUnit: "USD",
    initialDiscount: "0.00",
    isSoldOut: false,
    isVisible: true,
    productIds: [product.json.id],
    intakeFormId: form.json.id
  }
  yield* admin("POST", `${at}/bundles`, bundle)
  yield* admin("POST", "/promo-codes", { code: own, name: `${own}s`, organizationId, percentDiscount: 10 })
  const staff = { firstName: own, lastName: own, role: "SUPPORT", title: own, titleSuffix: own }
  yield* admin("POST", `${at}/members`, { ...staff, email: `${own}@example.com` })
  const clinic: Clinic = { organizationId, key: issued.key, keyId: issued.id, productId: product.json.id }
  return clinic
})
