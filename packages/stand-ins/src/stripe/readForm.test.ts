import { assert, it } from "@effect/vitest"
import { readForm } from "./readForm.ts"

const plain = (text: string) => JSON.parse(JSON.stringify(readForm(text)))

it("reads groups and lists of any depth", () => {
  assert.deepStrictEqual(plain("a[b][0][c]=1&a[b][0][d]=2&a[b][1][c]=3&e=4"), {
    a: { b: { "0": { c: "1", d: "2" }, "1": { c: "3" } } },
    e: "4"
  })
  assert.deepStrictEqual(plain("expand[]=x&expand[]=y"), { expand: { "0": "x", "1": "y" } })
  assert.deepStrictEqual(plain("metadata[order.id]=7&metadata[6735]=a%20b&metadata[c]="), {
    metadata: { "order.id": "7", "6735": "a b", c: "" }
  })
})

it("takes names such as those of object properties as names", () => {
  const form = readForm("__proto__[polluted]=yes&constructor=x")
  assert.strictEqual(form["constructor"], "x")
  assert.isUndefined(Object.getOwnPropertyDescriptor(Object.prototype, "polluted"))
  assert.isFalse("polluted" in {})
})
