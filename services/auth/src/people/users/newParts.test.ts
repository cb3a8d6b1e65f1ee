import { assert, it } from "@effect/vitest"
import { newParts } from "./newParts.ts"

const stored = {
  firstName: "Ada",
  lastName: "Lovelace",
  address: "12 Main Street",
  address2: null,
  city: "Austin",
  state: "TX",
  country: "US",
  postalCode: "78701"
}

it("what is left out, or equals the stored part, is not new", () => {
  const nothing = { hasNewName: false, hasNewAddress: false }
  assert.deepStrictEqual(newParts(stored, {}), nothing)
  assert.deepStrictEqual(newParts(stored, stored), nothing)
  assert.deepStrictEqual(newParts(stored, { firstName: undefined, address: undefined }), nothing)
})

it("one other part makes a new name, or, with a street, a new address", () => {
  assert.deepStrictEqual(newParts(stored, { lastName: "King" }), { hasNewName: true, hasNewAddress: false })
  for (const change of [
    { address: "1 Elm Street" },
    { address: "12 Main Street", address2: "Apt 4" },
    { address: null }
  ]) {
    assert.deepStrictEqual(newParts(stored, change), { hasNewName: false, hasNewAddress: true })
  }
})

it("parts of an address without its street are not a new address", () => {
  assert.isFalse(newParts(stored, { city: "Dallas", postalCode: "75201" }).hasNewAddress)
})
