import { assert, it } from "@effect/vitest"
import { inOrderOfRemoval } from "./inOrderOfRemoval.ts"

const table = (name: string, ...references: ReadonlyArray<string>) => ({ name, references })

it("tables come before those that they name", () => {
  const tables = [table("a"), table("b", "a", "b", "elsewhere"), table("c", "b", "a"), table("d")]
  assert.deepStrictEqual(
    inOrderOfRemoval(tables).map(({ name }) => name),
    ["c", "d", "b", "a"]
  )
})

it("a circle is refused", () => {
  assert.throws(() => inOrderOfRemoval([table("a", "b"), table("b", "a")]), "Foreign keys form a circle: a, b")
})
