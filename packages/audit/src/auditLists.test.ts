import { randomUUID } from "node:crypto"
import type { AuditQuery, ServiceAuditRecord } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import type { Page } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { insertRecordsOfVersion1, insertWaitingRecords } from "./recorded.ts"
import { newRecordId } from "./recordId.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"

const newOrganization = () => OrganizationId.make(randomUUID())

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

type Described = Pick<ServiceAuditRecord, "organizationId" | "at" | "action" | "caseId" | "userId"> &
  Partial<Pick<ServiceAuditRecord, "actor">> & {
    readonly shownCaseIds?: ReadonlyArray<string>
    readonly shownUserIds?: ReadonlyArray<string>
  }

// Version 1 stored changes with random ids.
const storedBy = ["linked", "version 1", "waiting"] as const

/** Stores past records, some as entries of chains, some as version 1 stores them, and some waiting. Returns their ids in order. */
const store = Effect.fnUntraced(function* (described: ReadonlyArray<Described>) {
  const sql = yield* SqlClient.SqlClient
  const lines = described.map(({ actor = { type: "JOB", id: null }, ...record }, index) => {
    const way = storedBy[index % storedBy.length]
    const id = way === "version 1" ? randomUUID() : newRecordId(record.at)
    return {
      way,
      id,
      line: { ...record, id, actorType: actor.type, actorId: actor.id, requestId: "none", kinds: ["CASES"] }
    }
  })
  const storedAs = (chosen: (typeof storedBy)[number]) =>
    lines.flatMap(({ line: { organizationId, id, at, ...record }, way }) =>
      way === chosen ? [JSON.stringify({ organizationId, id, at, ...record })] : []
    )
  yield* insertWaitingRecords(sql, storedAs("linked"))
  yield* yield* makeAuditChains
  yield* insertRecordsOfVersion1(sql, storedAs("version 1"))
  yield* insertWaitingRecords(sql, storedAs("waiting"))
  return lines.map(({ id }) => id)
})

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("a list of audit records", (it) => {
  it.effect("has those to which everything applies that is asked for, each filter alone and all of them together", () =>
    Effect.gen(function* () {
      const repo = yield* makeAuditRepo
      const [organizationId, other] = [newOrganization(), newOrganization()]
      const cases = [CaseId.make(randomUUID()), CaseId.make(randomUUID()), null]
      const users = [UserId.make(randomUUID()), UserId.make(randomUUID()), null]
      const actors = [UserId.make(randomUUID()), UserId.make(randomUUID())]
      const records = [organizationId, other].flatMap((owner) =>
        cases.flatMap((caseId) =>
          users.flatMap((userId) =>
            (["CASE_READ", "PROFILE_CHANGED"] as const).flatMap((action) =>
              actors.map((id) => ({
                ...{ organizationId: owner, caseId, userId, action },
                actor: { type: "USER" as const, id }
              }))
            )
          )
        )
      )
      // All at different times, one organization after the other.
      const described = records.map((record, index) => ({ ...record, at: at((index * 7) % records.length) }))
      const ids = yield* store(described)
      // `from` is inclusive, `to` is exclusive.
      const times = described
        .flatMap((record) => (record.organizationId === organizationId ? [record.at] : []))
        .sort((a, b) => a.getTime() - b.getTime())
      const [from, to] = [times[5] ?? assert.fail(), times[13] ?? assert.fail()]
      const filters: Required<Pick<AuditQuery, "caseId" | "userId" | "actorId" | "action" | "from" | "to">> = {
        caseId: cases[0] ?? assert.fail(),
        userId: users[1] ?? assert.fail(),
        actorId: actors[1] ?? assert.fail(),
        action: "PROFILE_CHANGED",
        from,
        to
      }
      const names = Struct.keys(filters)
      let found = 0
      for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
        const query = Struct.pick(
          filters,
          names.filter((_, index) => (chosen & (2 ** index)) !== 0)
        )
        const expected = described
          .map((record, index) => ({ ...record, id: ids[index] ?? assert.fail() }))
          .filter(
            (record) =>
              record.organizationId === organizationId &&
              (query.caseId === undefined || record.caseId === query.caseId) &&
              (query.userId === undefined || record.userId === query.userId) &&
              (query.actorId === undefined || record.actor.id === query.actorId) &&
              (query.action === undefined || record.action === query.action) &&
              (query.from === undefined || record.at >= query.from) &&
              (query.to === undefined || record.at < query.to)
          )
          .sort((a, b) => b.at.getTime() - a.at.getTime())
        const { data: page } = yield* repo.page({ ...query, organizationId, limit: 100 })
        const label = Object.keys(query).join()
        assert.deepStrictEqual(
          page.map(({ id }) => id),
          expected.map(({ id }) => id),
          label
        )
        found += expected.length
      }
      assert.isAbove(found, 50)
    })
  )

  it.effect("is found by who read it, whatever it showed, and by a case that it showed together with who read it", () =>
    Effect.gen(function* () {
      const repo = yield* makeAuditRepo
      const organizationId = newOrganization()
      const [caseId, userId] = [CaseId.make(randomUUID()), UserId.make(randomUUID())]
      const [actorId, colleague] = [UserId.make(randomUUID()), UserId.make(randomUUID())]
      const ofOther = { shownCaseIds: [randomUUID()], shownUserIds: [randomUUID()] }
      const ofBoth = { shownCaseIds: [caseId, randomUUID()], shownUserIds: [userId, randomUUID()] }
      const listBy = (id: UserId, second: number, shown: object) => ({
        ...{ organizationId, at: at(second), action: "CASE_FOUND" as const, caseId: null, userId: null },
        ...{ actor: { type: "USER" as const, id }, ...shown }
      })
      // Three of each, so that each is stored in all three ways.
      const ids = yield* store([
        ...[1, 2, 3].map((second) => listBy(actorId, second, ofBoth)),
        ...[4, 5, 6].map((second) => listBy(colleague, second, ofBoth)),
        ...[7, 8, 9].map((second) => listBy(actorId, second, ofOther)),
        // A key with the same id is nobody who is signed in.
        ...[10, 11, 12].map((second) => ({
          ...listBy(actorId, second, ofBoth),
          actor: { type: "API_KEY" as const, id: actorId }
        }))
      ])
      const found = (query: Partial<AuditQuery>) =>
        Effect.map(repo.page({ ...query, organizationId, limit: 100 }), ({ data }) =>
          data.map(({ id }) => id).toReversed()
        )
      assert.deepStrictEqual(yield* found({ actorId }), [...ids.slice(0, 3), ...ids.slice(6, 9)])
      assert.deepStrictEqual(yield* found({ actorId: colleague }), ids.slice(3, 6))
      assert.deepStrictEqual(yield* found({ actorId, caseId }), ids.slice(0, 3))
      assert.deepStrictEqual(yield* found({ actorId, userId }), ids.slice(0, 3))
      assert.deepStrictEqual(yield* found({ actorId, userId, action: "CASE_FOUND" }), ids.slice(0, 3))
      assert.deepStrictEqual(yield* found({ actorId, action: "CASE_READ" }), [])
    })
  )

  it.effect("without an organization has the records of all, also of one whose chain has no end", () =>
    Effect.gen(function* () {
      const repo = yield* makeAuditRepo
      const sql = yield* SqlClient.SqlClient
      const owners = [newOrganization(), newOrganization(), newOrganization()]
      const userId = UserId.make(randomUUID())
      const recordOf = (organizationId: OrganizationId) => ({
        ...{ organizationId, userId, at: at(1), action: "CASE_READ" as const, caseId: null }
      })
      yield* store(owners.slice(0, 2).map(recordOf))
      yield* yield* makeAuditChains
      yield* sql`DELETE FROM audit_heads WHERE organization_id = ${owners[0]}`
      yield* store(owners.slice(2).map(recordOf))
      const { data: found } = yield* repo.page({ userId, limit: 10 })
      assert.sameMembers(
        found.map(({ organizationId }) => organizationId),
        owners
      )
      const { data: two } = yield* repo.page({ userId, limit: 2 })
      assert.deepStrictEqual(two, found.slice(0, 2))
    })
  )

  it.effect("is read page by page without a gap and without one twice, whatever is recorded meanwhile", () =>
    Effect.gen(function* () {
      const repo = yield* makeAuditRepo
      const organizationId = newOrganization()
      const record = (second: number, action: "CASE_READ" | "PROFILE_CHANGED") => ({
        ...{ organizationId, at: at(second), action, caseId: null, userId: null }
      })
      // Several with the same time, of two actions, so that pages end between them.
      const stored = yield* store(
        Array.from({ length: 50 }, (_, index) => record(index % 5, index % 2 === 0 ? "CASE_READ" : "PROFILE_CHANGED"))
      )
      const seenIds: Array<string> = []
      let cursor: AuditQuery["cursor"]
      for (let number = 0; ; number += 1) {
        const page: Page<ServiceAuditRecord> = yield* repo.page({
          organizationId,
          limit: 7,
          ...(cursor !== undefined && { cursor })
        })
        seenIds.push(...page.data.map(({ id }) => id))
        if (page.nextCursor === null) break
        cursor = page.nextCursor
        // Newer records, one with the same time, and a late one.
        yield* store([record(60 + number, "CASE_READ"), record(4, "CASE_READ"), record(number % 5, "PROFILE_CHANGED")])
      }
      assert.strictEqual(new Set(seenIds).size, seenIds.length)
      assert.includeMembers(seenIds, [...stored])
    })
  )
})
