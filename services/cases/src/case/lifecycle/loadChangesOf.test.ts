import { UserId } from "@care/domain/ids"
import { assert, it } from "@effect/vitest"
import { loadChangesOf } from "./loadChangesOf.ts"

const [one, other] = [
  UserId.make("00000000-0000-4000-8000-000000000001"),
  UserId.make("00000000-0000-4000-8000-000000000002")
]
const [then, now] = [new Date(1), new Date(2)]
const open = { status: "OPEN", isArchived: false, assignedTo: null, assignedAt: null } as const
const assigned = { status: "ASSIGNED", isArchived: false, assignedTo: one, assignedAt: then } as const
const less = [{ providerId: one, change: -1, assignedAt: then }]
const more = [{ providerId: one, change: 1, assignedAt: then }]

it("a provider has a case more to do when it is assigned or reopened, and a case less when it leaves, is decided or closed", () => {
  assert.deepStrictEqual(loadChangesOf(open, assigned), more)
  assert.deepStrictEqual(loadChangesOf({ ...assigned, isArchived: true }, assigned), more)
  for (const after of [open, { ...assigned, status: "APPROVED" }, { ...assigned, isArchived: true }] as const) {
    assert.deepStrictEqual(loadChangesOf(assigned, after), less)
  }
  assert.deepStrictEqual(loadChangesOf(assigned, { ...assigned, assignedTo: other, assignedAt: now }), [
    ...less,
    { providerId: other, change: 1, assignedAt: now }
  ])
})

it("an unchanged number of cases is only stored when the provider was assigned the case again", () => {
  assert.deepStrictEqual(loadChangesOf(assigned, { ...assigned, status: "IN_PROGRESS" }), [])
  assert.deepStrictEqual(loadChangesOf(open, { ...open, isArchived: true }), [])
  assert.deepStrictEqual(loadChangesOf(assigned, { ...assigned, assignedAt: now }), [
    { providerId: one, change: 0, assignedAt: now }
  ])
})
