import { cellOfKey, keyHash } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase } from "../../test/layerAuth.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { Members } from "../people/members/Members.ts"
import { UserSnapshots } from "../people/UserSnapshots.ts"
import { ApiKeys } from "./ApiKeys.ts"

const TestLayer = Layer.mergeAll(ApiKeys.layer, Members.layer, UserSnapshots.layer).pipe(Layer.provideMerge(layerBase))

layer(TestLayer, { excludeTestServices: true })("Sandboxes", (it) => {
  const create = (name: string) => Effect.flatMap(Organizations, (organizations) => organizations.create(name))
  const resolve = (key: string) => Effect.flatMap(ApiKeys, (keys) => keys.resolve(keyHash(key)))

  it.effect("a test key belongs to the sandbox of its organization, which has a care team of its own", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      const live = yield* create("Clinic")
      assert.deepStrictEqual([live.mode, live.liveOrganizationId], ["live", null])
      const liveKey = yield* keys.issue(live.id, {})
      const { key, mode } = yield* keys.issue(live.id, { mode: "test", scopes: ["cases:read"] })
      assert.strictEqual(mode, "test")
      assert.match(key, /^cv_test_c1_/)
      assert.strictEqual(cellOfKey(key), "c1")
      const { isTest, organizationId, scopes } = yield* resolve(key)
      assert.deepStrictEqual([isTest, scopes], [true, ["cases:read"]])
      assert.notStrictEqual(organizationId, live.id)
      assert.notProperty(yield* resolve(liveKey.key), "isTest")
      const sandbox = yield* organizations.get(organizationId)
      assert.deepInclude(sandbox, { name: "Clinic (test)", mode: "test", liveOrganizationId: live.id })
      const { data: team } = yield* (yield* Members).list(organizationId, { limit: 10, isActive: "true" })
      assert.sameMembers(
        team.map(({ role }) => role),
        ["PROVIDER", "SUPPORT", "ADMIN"]
      )
      for (const { email } of team) assert.match(email, /@sandbox\.example\.com$/)
    })
  )

  it.effect("parallel requests for the first test key make one sandbox, with one care team", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* create("Parallel")
      const issued = yield* Effect.all(
        Array.from({ length: 20 }, () => keys.issue(id, { mode: "test" })),
        { concurrency: 20 }
      )
      const owners = yield* Effect.forEach(issued, ({ key }) =>
        Effect.map(resolve(key), (found) => found.organizationId)
      )
      assert.lengthOf(issued, 20)
      assert.strictEqual(new Set(owners).size, 1)
      assert.lengthOf(yield* sql`SELECT id FROM organizations WHERE live_organization_id = ${id}`, 1)
      const [owner = id] = owners
      assert.lengthOf((yield* (yield* Members).list(owner, { limit: 10, isActive: "true" })).data, 3)
    })
  )

  it.effect("the list of a live organization has the keys of its sandbox, and that of the sandbox its own", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* create("Listed")
      const issued = [yield* keys.issue(id, {}), yield* keys.issue(id, { mode: "test" })]
      const modesOf = (organizationId: typeof id) =>
        Effect.map(keys.list(organizationId, { limit: 10 }), ({ data }) => data.map(({ mode }) => mode))
      assert.deepStrictEqual(yield* modesOf(id), ["live", "test"])
      const { organizationId } = yield* resolve(issued[1]?.key ?? "")
      assert.deepStrictEqual(yield* modesOf(organizationId), ["test"])
      // A test key of another organization is in none of them.
      const other = yield* create("Other")
      yield* keys.issue(other.id, { mode: "test" })
      assert.deepStrictEqual(yield* modesOf(id), ["live", "test"])
    })
  )

  it.effect("a sandbox has test keys only, which are the default there, and a rotated key keeps its mode", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* create("Kept")
      const first = yield* keys.issue(id, { mode: "test" })
      const { organizationId } = yield* resolve(first.key)
      const { _tag } = yield* Effect.flip(keys.issue(organizationId, { mode: "live" }))
      assert.strictEqual(_tag, "LiveKeyInSandbox")
      assert.strictEqual((yield* keys.issue(organizationId, {})).mode, "test")
      const { key, mode } = yield* keys.rotate(first.id, { overlapSeconds: 0 })
      assert.strictEqual(mode, "test")
      assert.match(key, /^cv_test_/)
      assert.strictEqual((yield* resolve(key)).organizationId, organizationId)
      assert.strictEqual((yield* keys.change(first.id, {}).pipe(Effect.flip))._tag, "ApiKeyNotFound")
      const { id: liveKey } = yield* keys.issue(id, {})
      assert.strictEqual((yield* keys.change(liveKey, { label: "live" })).mode, "live")
    })
  )

  it.effect("a sandbox is disabled and enabled with its live organization", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      const { id } = yield* create("Switched")
      const { key } = yield* keys.issue(id, { mode: "test" })
      yield* organizations.update(id, { isDisabled: true })
      assert.strictEqual((yield* Effect.flip(resolve(key)))._tag, "OrganizationDisabled")
      yield* organizations.update(id, { isDisabled: false })
      yield* resolve(key)
      // One that is made while the organization is disabled is disabled, too.
      const disabled = yield* create("Late")
      yield* organizations.update(disabled.id, { isDisabled: true })
      const late = yield* keys.issue(disabled.id, { mode: "test" })
      assert.strictEqual((yield* Effect.flip(resolve(late.key)))._tag, "OrganizationDisabled")
    })
  )

  it.effect("a sandbox is renamed with its live organization, and not disabled alone", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      const { id } = yield* create("Old name")
      const { key } = yield* keys.issue(id, { mode: "test" })
      const { organizationId } = yield* resolve(key)
      yield* organizations.update(id, { name: "New name" })
      assert.deepInclude(yield* organizations.get(organizationId), { name: "New name (test)", isDisabled: false })
      yield* organizations.update(id, { contactEmail: "clinic@example.com" })
      assert.strictEqual((yield* organizations.get(organizationId)).name, "New name (test)")
      for (const isDisabled of [true, false]) {
        const change = { name: "Alone", isDisabled }
        const refused = yield* Effect.flip(organizations.update(organizationId, change))
        assert.deepInclude(refused, { _tag: "RequestInvalid", path: "isDisabled" })
      }
      assert.strictEqual((yield* organizations.get(organizationId)).name, "New name (test)")
      yield* resolve(key)
      assert.strictEqual((yield* organizations.update(organizationId, { supportMayReadAnswers: true })).mode, "test")
    })
  )

  it.effect("sandboxes are listed by their mode, and are not counted", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* create("Counted")
      const before = yield* organizations.count
      yield* (yield* ApiKeys).issue(id, { mode: "test" })
      assert.strictEqual(yield* organizations.count, before)
      const owners = (mode?: "live" | "test") =>
        Effect.map(organizations.list({ limit: 100, ...(mode !== undefined && { mode }) }), ({ data }) => data)
      const [live, test, all] = [yield* owners("live"), yield* owners("test"), yield* owners()]
      assert.isTrue(live.some((organization) => organization.id === id))
      assert.deepStrictEqual([...new Set(live.map(({ mode }) => mode))], ["live"])
      assert.lengthOf(
        test.filter(({ liveOrganizationId, mode }) => liveOrganizationId === id && mode === "test"),
        1
      )
      assert.lengthOf(all, live.length + test.length)
    })
  )

  it.effect("a sandbox knows the staff of its live organization, who do not know those of the sandbox", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const people = yield* UserSnapshots
      const { id } = yield* create("Known")
      const { organizationId } = yield* resolve((yield* (yield* ApiKeys).issue(id, { mode: "test" })).key)
      const person = { email: "ada@example.com", firstName: "Ada", lastName: "Byron", role: "ADMIN" } as const
      const { id: userId } = yield* members.add(id, { ...person, licensedStates: [] })
      const [found] = yield* people.find(organizationId, [userId])
      assert.deepStrictEqual([found?.organizationId, found?.person.email], [organizationId, person.email])
      const [member] = (yield* members.list(organizationId, { limit: 1, isActive: "true" })).data
      assert.deepStrictEqual(yield* people.find(id, member === undefined ? [] : [member.id]), [])
      const other = yield* create("Stranger")
      assert.deepStrictEqual(yield* people.find(other.id, [userId]), [])
    })
  )
})
