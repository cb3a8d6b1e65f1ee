import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { callers } from "@care/domain/http"
import { CaseId, OrganizationId, StaffSessionId, UserId } from "@care/domain/ids"
import { CurrentIdentity, newest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { People } from "../../case/people/People.ts"
import { makePeopleRepo } from "../../case/people/PeopleRepo.ts"
import { CaseSearch } from "./CaseSearch.ts"

// All people were read with the cases.
const layerPeople = Layer.mock(People, {
  summaries: (_organizationId, _ids, known = []) => Effect.succeed(new Map(known.map((person) => [person.id, person])))
})

const TestLayer = CaseSearch.layer.pipe(Layer.provide(layerPeople), Layer.provideMerge(layerAuditedDatabase("cases")))

layer(TestLayer, { excludeTestServices: true })("the search of cases", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const [provider, stranger] = [UserId.make(randomUUID()), UserId.make(randomUUID())]
  const lately = new Date("2026-03-01T00:00:00Z")
  const cursor = { createdAt: new Date("2026-01-31T00:00:00Z"), id: newest.id }

  /**
   * Cases of the organization, older the later they are stored, of a patient each: all are the provider's, decided and
   * closed.
   */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO cases (
        organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, assigned_to,
        assigned_at, closed_at, created_at, updated_at
      )
      SELECT ${organizationId}::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', 'APPROVED',
             'ASYNC_TEXT_EMAIL', false, false, true, ${provider}::uuid, at, at, at, at
      FROM generate_series(${first}::int, ${last}::int) AS n,
           LATERAL (SELECT '2026-02-01'::timestamptz - n * interval '1 minute' AS at) AS moment
    `
    yield* sql`
      INSERT INTO people (
        organization_id, id, version, email, first_name, last_name, role, phone_number, is_active, state, licensed_states,
        created_at, updated_at
      )
      SELECT organization_id, user_id, 1, user_id || '@example.com', '', '', 'USER', '', true, 'CA', '{}'::text[], now(), now()
      FROM cases
      UNION ALL
      SELECT organization_id, ${provider}::uuid, 1, 'p@example.com', '', '', 'PROVIDER', '', true, 'CA', '{}'::text[], now(), now()
      FROM cases
      ON CONFLICT DO NOTHING
    `
    yield* sql`ANALYZE cases, people`
  })

  const searches = {
    all: {},
    "all, from somewhere": { cursor },
    "of a status that none has": { status: "OPEN" },
    "that are not archived": { isArchived: "false" },
    "that wait": { status: "OPEN", isArchived: "false" },
    "of a status, archived": { status: "APPROVED", isArchived: "true" },
    "of a provider": { assignedTo: provider },
    "of a provider, of a status that none has": { assignedTo: provider, status: "IN_PROGRESS", isArchived: "false" },
    "of a provider who has none": { assignedTo: stranger },
    "of a patient": { email: "maria@example.com" },
    "of a patient, with everything": {
      email: "maria@example.com",
      status: "OPEN",
      isArchived: "false",
      assignedTo: provider
    },
    "changed since": { updatedSince: lately },
    "changed since, of a status": { updatedSince: lately, status: "OPEN" },
    "changed since long ago": { updatedSince: new Date("2020-01-01T00:00:00Z") },
    "changed since long ago, of a provider": { updatedSince: new Date("2020-01-01T00:00:00Z"), assignedTo: provider }
  } as const

  const ownCases = {
    all: {},
    "all, from somewhere": { cursor },
    "that are not archived": { isArchived: "false" },
    "of a status": { status: "APPROVED" },
    "changed since": { updatedSince: lately },
    "changed since long ago": { updatedSince: new Date("2020-01-01T00:00:00Z") },
    "with a short id": { shortId: "00000000" }
  } as const

  /** A case that was opened long ago, and changed last of all. */
  const changedCase = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { keep } = yield* makePeopleRepo
    const [id, userId] = [CaseId.make(randomUUID()), UserId.make(randomUUID())]
    yield* keep(readPersonSnapshot(organizationId, userId))
    const row = {
      organizationId,
      id,
      shortId: id,
      userId,
      title: "",
      type: "ASYNC_TEXT_EMAIL",
      isTest: false,
      isSole: false
    }
    const { createdAt } = cursor
    yield* sql`INSERT INTO cases ${sql.insert({ ...row, status: "ABANDONED", createdAt, updatedAt: lately })}`
    return id
  })

  it.effect("reads the same however many cases there are, for each kind of query", () =>
    Effect.gen(function* () {
      const search = yield* CaseSearch
      const sql = yield* SqlClient.SqlClient
      const id = yield* changedCase
      const asProvider = Effect.provideService(
        CurrentIdentity,
        callers.staff.Identity.make({
          sessionId: StaffSessionId.make(randomUUID()),
          userId: provider,
          organizationId,
          role: "PROVIDER"
        })
      )
      const inAllOrders = Object.entries(searches).flatMap(([name, query]) =>
        (["NEWEST", "OLDEST", "URGENCY"] as const).map(
          (order) => [`${name} ${order}`, { limit: 10, order, ...query }] as const
        )
      )
      const inTime = inAllOrders.filter(([, { order }]) => order !== "URGENCY")
      const readsOfAll = Effect.forEach([organizationId, undefined, "asProvider" as const], (organization) =>
        // By urgency the cases of one organization are listed.
        Effect.forEach(organization === undefined ? inTime : inAllOrders, ([name, query]) =>
          Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
            readsOf(
              ["cases", "people"],
              Effect.andThen(
                sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`,
                organization === "asProvider"
                  ? asProvider(search.list(query))
                  : search.list({ ...query, ...(organization !== undefined && { organizationId }) })
              )
            )
          ).pipe(Effect.map((reads) => [`${name} ${organization}`, Math.max(...reads)] as const))
        )
      ).pipe(Effect.map((reads) => reads.flat()))
      const readsOfOwn = Effect.forEach(Object.entries(ownCases), ([name, query]) =>
        readsOf(["cases", "people"], search.listOwn(organizationId, { limit: 10, ...query })).pipe(
          Effect.map((reads) => [`${name} of a partner`, reads] as const)
        )
      )
      const allReads = Effect.map(Effect.all([readsOfAll, readsOfOwn]), (reads) => new Map(reads.flat()))

      yield* seed(1, 3000)
      const few = yield* allReads
      yield* seed(3001, 20_000)
      const many = yield* allReads
      const changed = yield* search.list({ limit: 10, order: "NEWEST", organizationId, updatedSince: lately })
      assert.deepStrictEqual(
        changed.data.map(({ id }) => id),
        [id]
      )
      for (const [name, reads] of many) assert.isAtMost(reads, Math.max(few.get(name) ?? 0, 20) * 1.1, name)
    })
  )
})
