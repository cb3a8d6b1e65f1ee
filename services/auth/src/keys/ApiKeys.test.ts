import { lastMoment } from "@care/domain/http"
import { currentVersion } from "@care/domain/versions"
import { cellOfKey, keyHash } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Array as Arr, ConfigProvider, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase } from "../../test/layerAuth.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { ApiKeys } from "./ApiKeys.ts"

layer(Layer.provideMerge(ApiKeys.layer, layerBase))("ApiKeys", (it) => {
  const resolve = (key: string) => Effect.flatMap(ApiKeys, (keys) => keys.resolve(keyHash(key)))
  const refusal = (key: string) => Effect.map(Effect.flip(resolve(key)), ({ _tag }) => _tag)

  it.effect("two keys are valid at once, until the older one is revoked", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Rotating")
      const older = yield* keys.issue(id, { label: "older" })
      const newer = yield* keys.issue(id, { label: "newer" })
      assert.deepStrictEqual(yield* resolve(older.key), {
        organizationId: id,
        apiKeyId: older.id,
        apiVersion: currentVersion
      })
      assert.deepStrictEqual(yield* resolve(newer.key), {
        organizationId: id,
        apiKeyId: newer.id,
        apiVersion: currentVersion
      })
      yield* keys.revoke(older.id)
      assert.strictEqual(yield* refusal(older.key), "KeyNotRecognized")
      yield* resolve(newer.key)
    })
  )

  it.effect("the first key sets the version of an organization's requests, if none was chosen", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* organizations.create("Versioned")
      const stored = Effect.map(sql`SELECT api_version FROM organizations WHERE id = ${id}`, ([row]) => row)
      const versionOf = Effect.fnUntraced(function* () {
        return (yield* resolve((yield* keys.issue(id, {})).key)).apiVersion
      })
      assert.deepStrictEqual(yield* stored, { apiVersion: null })
      assert.strictEqual(yield* versionOf(), currentVersion)
      assert.deepStrictEqual(yield* stored, { apiVersion: currentVersion })
      yield* organizations.update(id, { apiVersion: "2026-06-01" })
      assert.strictEqual(yield* versionOf(), "2026-06-01")
      const chosen = yield* organizations.create("Chosen")
      yield* organizations.update(chosen.id, { apiVersion: "2026-06-01" })
      const { key } = yield* keys.issue(chosen.id, {})
      assert.strictEqual((yield* resolve(key)).apiVersion, "2026-06-01")
    })
  )

  it.effect("a key names the cell of its service, and eight characters of its secret are shown", () =>
    Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create("Celled")
      const issued = Effect.flatMap(ApiKeys, (keys) => keys.issue(id, {}))
      const inOther = Layer.fresh(ApiKeys.layer).pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CELL: "c2" })))
      )
      for (const [cell, { key, prefix }] of [
        ["c1", yield* issued],
        ["c2", yield* Effect.provide(issued, inOther)]
      ] as const) {
        assert.strictEqual(cellOfKey(key), cell)
        assert.strictEqual(prefix, key.slice(0, `cv_live_${cell}_`.length + 8))
        yield* resolve(key)
      }
    })
  )

  it.effect("keys that work are listed apart from those that were revoked or have expired", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Ending")
      const [lasting, revoked] = [
        yield* keys.issue(id, { label: "lasting" }),
        yield* keys.issue(id, { label: "revoked" })
      ]
      const expiresAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { seconds: 60 }))
      yield* keys.issue(id, { label: "expiring", expiresAt })
      yield* keys.revoke(revoked.id)
      const labels = (query: { readonly isActive?: "true" | "false" }) =>
        Effect.map(keys.list(id, { limit: 10, ...query }), ({ data }) => data.map(({ label }) => label))
      assert.sameMembers(yield* labels({ isActive: "true" }), ["lasting", "expiring"])
      assert.deepStrictEqual(yield* labels({ isActive: "false" }), ["revoked"])
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* labels({ isActive: "true" }), ["lasting"])
      assert.sameMembers(yield* labels({ isActive: "false" }), ["revoked", "expiring"])
      assert.sameMembers(yield* labels({}), ["lasting", "revoked", "expiring"])
      const [first] = (yield* keys.list(id, { limit: 1, isActive: "true" })).data
      assert.strictEqual(first?.id, lasting.id)
    })
  )

  it.effect("a rotated key works for the overlap, and ten rotations at once issue one key", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Overlapping")
      const scopes = ["cases:read"] as const
      const allowedNetworks = ["192.0.2.0/24"]
      const older = yield* keys.issue(id, { label: "older", scopes, allowedNetworks })
      const rotate = keys.rotate(older.id, { overlapSeconds: 60 })
      const rotations = Array.from({ length: 10 }, () => Effect.result(rotate))
      const [issued, refused] = Arr.separate(yield* Effect.all(rotations, { concurrency: "unbounded" }))
      const expiresAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { seconds: 60 }))
      assert.deepStrictEqual(
        refused.map((refusal) => refusal._tag === "KeyReplaced" && refusal.expiresAt),
        Array(9).fill(expiresAt)
      )
      const [one] = issued
      assert.lengthOf(issued, 1)
      assert.lengthOf((yield* keys.list(id, { limit: 10 })).data, 2)
      if (one === undefined) return
      const { apiKeyId, ...found } = yield* resolve(one.key)
      assert.notStrictEqual(apiKeyId, older.id)
      assert.deepStrictEqual(found, {
        organizationId: id,
        scopes: [...scopes],
        allowedNetworks,
        apiVersion: currentVersion
      })
      assert.deepStrictEqual([one.label, one.expiresAt], ["older", null])
      yield* TestClock.adjust("59 seconds")
      yield* resolve(older.key)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* refusal(older.key), "KeyNotRecognized")
      assert.strictEqual((yield* Effect.flip(rotate))._tag, "ApiKeyNotFound")
      yield* keys.rotate(one.id, { overlapSeconds: 0 })
      assert.strictEqual(yield* refusal(one.key), "KeyNotRecognized")
    })
  )

  it.effect("a rotated key lives as long as the old one was issued for, unless a time is sent", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Living")
      const inDays = (days: number) =>
        Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.add(now, { days })))
      const first = yield* keys.issue(id, { expiresAt: yield* inDays(90) })
      yield* TestClock.adjust("80 days")
      const second = yield* keys.rotate(first.id, {})
      assert.deepStrictEqual(second.expiresAt, yield* inDays(90))
      const third = yield* keys.rotate(second.id, { expiresAt: yield* inDays(1) })
      assert.deepStrictEqual(third.expiresAt, yield* inDays(1))
    })
  )

  it.effect("a key until the last moment that can be shown is rotated to one until then", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Everlasting")
      const { id: older } = yield* keys.issue(id, { expiresAt: lastMoment })
      yield* TestClock.adjust("1 minute")
      const { id: newer, expiresAt } = yield* keys.rotate(older, {})
      assert.deepStrictEqual(expiresAt, lastMoment)
      const { data } = yield* keys.list(id, { limit: 10 })
      assert.deepStrictEqual(data.find((key) => key.id === newer)?.expiresAt, lastMoment)
    })
  )

  it.effect("a change keeps what it does not name, and lets a key expire sooner only", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Changing")
      const at = (hours: number) => Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.add(now, { hours })))
      const issued = yield* keys.issue(id, { label: "first", scopes: ["cases:read"], expiresAt: yield* at(2) })
      yield* keys.change(issued.id, { allowedNetworks: ["2001:db8::/32"] })
      const changed = yield* keys.change(issued.id, { label: "second", scopes: null, expiresAt: yield* at(1) })
      const { data } = yield* keys.list(id, { limit: 10 })
      assert.deepStrictEqual(data, [changed])
      const { allowedNetworks, expiresAt, label, scopes } = changed
      assert.deepStrictEqual(
        [label, scopes, allowedNetworks, expiresAt],
        ["second", null, ["2001:db8::/32"], yield* at(1)]
      )
      const later = keys.change(issued.id, { expiresAt: yield* at(3) })
      assert.strictEqual((yield* Effect.flip(later))._tag, "ExpiryNotSooner")
      yield* keys.revoke(issued.id)
      assert.strictEqual((yield* Effect.flip(keys.change(issued.id, { label: "third" })))._tag, "ApiKeyNotFound")
    })
  )

  it.effect("a key works until its expiry, and not a millisecond longer", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Expiring")
      const expiresAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { hours: 1 }))
      const { key } = yield* keys.issue(id, { expiresAt })
      yield* TestClock.adjust("3599999 millis")
      yield* resolve(key)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* refusal(key), "KeyNotRecognized")
    })
  )

  it.effect("the keys of a disabled organization are refused, and work again when it is enabled", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* organizations.create("Disabled")
      const { key } = yield* (yield* ApiKeys).issue(id, {})
      yield* organizations.update(id, { isDisabled: true })
      assert.strictEqual(yield* refusal(key), "OrganizationDisabled")
      yield* organizations.update(id, { isDisabled: false })
      yield* resolve(key)
    })
  )

  it.effect("the last use is recorded once a minute, not with every request", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* (yield* Organizations).create("Used")
      const { key } = yield* keys.issue(id, {})
      const lastUse = Effect.map(keys.list(id, { limit: 1 }), ({ data: [apiKey] }) => apiKey?.lastUsedAt ?? null)
      assert.isNull(yield* lastUse)
      const first = yield* DateTime.nowAsDate
      yield* resolve(key)
      assert.deepStrictEqual(yield* lastUse, first)
      yield* TestClock.adjust("59999 millis")
      yield* resolve(key)
      assert.deepStrictEqual(yield* lastUse, first)
      yield* TestClock.adjust("1 millis")
      yield* resolve(key)
      assert.deepStrictEqual(yield* lastUse, yield* DateTime.nowAsDate)
    })
  )
})
