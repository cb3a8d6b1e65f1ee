import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import type { UserSummary } from "@care/domain/auth"
import type { CaseSearchQuery } from "@care/domain/cases"
import { callers } from "@care/domain/http"
import { OrganizationId, StaffSessionId, UserId } from "@care/domain/ids"
import { CurrentIdentity } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { People } from "../../case/people/People.ts"
import { CaseSearch } from "./CaseSearch.ts"

const personOf = (id: UserId): UserSummary => ({
  id,
  email: "",
  firstName: "",
  lastName: "",
  role: "USER",
  phoneNumber: "",
  isActive: true,
  createdAt: new Date(0),
  updatedAt: new Date(0)
})

const layerPeople = Layer.mock(People, {
  summaries: (_organizationId, ids) => Effect.succeed(new Map(ids.map((id) => [id, personOf(id)])))
})

const TestLayer = CaseSearch.layer.pipe(Layer.provide(layerPeople), Layer.provideMerge(layerAuditedDatabase("cases")))

interface StoredCase {
  readonly minutes: number
  readonly hasOpenEscalation: boolean
  readonly dueOn: string | null
  readonly isMine: boolean
}

const storedCase = fc.record({
  // Few values, so that many cases were created at the same moment.
  minutes: fc.integer({ min: 0, max: 5 }),
  hasOpenEscalation: fc.boolean(),
  dueOn: fc.constantFrom(null, "2020-01-01", "9999-01-01"),
  isMine: fc.boolean()
})

layer(TestLayer, { excludeTestServices: true, timeout: "60 seconds" })("the order of urgency", (it) => {
  const createdAt = ({ minutes }: Pick<StoredCase, "minutes">) => new Date(Date.UTC(2026, 0, 1, 0, minutes))

  const store = Effect.fnUntraced(function* (organizationId: OrganizationId, provider: UserId, row: StoredCase) {
    const sql = yield* SqlClient.SqlClient
    const id = randomUUID()
    const { dueOn, hasOpenEscalation, isMine } = row
    const at = createdAt(row)
    const ofProvider = isMine ? { status: "ASSIGNED", assignedTo: provider, assignedAt: at } : { status: "OPEN" }
    const common = {
      shortId: id,
      userId: randomUUID(),
      title: "",
      type: "ASYNC_TEXT_EMAIL",
      isTest: false,
      isSole: false
    }
    yield* sql`INSERT INTO cases ${sql.insert({
      ...common,
      ...ofProvider,
      organizationId,
      id,
      dueOn,
      hasOpenEscalation,
      createdAt: at,
      updatedAt: at
    })}`
    return { ...row, id }
  })

  it.effect(
    "pages of any length have each case once: first the urgent ones, then the others, of each the oldest first",
    () =>
      Effect.gen(function* () {
        const search = yield* CaseSearch
        for (const [rows, limit, isNarrow] of fc.sample(
          fc.tuple(fc.array(storedCase, { minLength: 1, maxLength: 25 }), fc.integer({ min: 1, max: 8 }), fc.boolean()),
          20
        )) {
          const organizationId = OrganizationId.make(randomUUID())
          const provider = UserId.make(randomUUID())
          const stored = yield* Effect.forEach(rows, (row) => store(organizationId, provider, row))
          const range = isNarrow
            ? { createdSince: createdAt({ minutes: 1 }), createdBefore: createdAt({ minutes: 4 }) }
            : {}
          const inRange = stored.filter(({ minutes }) => !isNarrow || (minutes >= 1 && minutes < 4))
          const isUrgent = ({ dueOn, hasOpenEscalation }: StoredCase) => hasOpenEscalation || dueOn === "2020-01-01"
          const rank = (row: (typeof stored)[number]) => `${isUrgent(row) ? 0 : 1} ${row.minutes} ${row.id}`
          const expected = (of: typeof stored) =>
            of.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).map(({ id }) => id)
          const read = Effect.fnUntraced(function* (filter: Partial<CaseSearchQuery>) {
            const ids: Array<string> = []
            let cursor: CaseSearchQuery["cursor"]
            do {
              const page = yield* search.list({
                ...filter,
                ...range,
                organizationId,
                order: "URGENCY",
                limit,
                ...(cursor !== undefined && { cursor })
              })
              ids.push(...page.data.map(({ id }) => id))
              cursor = page.nextCursor ?? undefined
            } while (cursor !== undefined)
            return ids
          })
          const identity = {
            sessionId: StaffSessionId.make(randomUUID()),
            userId: provider,
            organizationId,
            role: "PROVIDER" as const
          }
          const asProvider = Effect.provideService(CurrentIdentity, callers.staff.Identity.make(identity))
          assert.deepStrictEqual(yield* read({}), expected(inRange))
          assert.deepStrictEqual(yield* asProvider(read({ status: "ACTIVE" })), expected(inRange))
          assert.deepStrictEqual(
            yield* read({ assignedTo: provider }),
            expected(inRange.filter(({ isMine }) => isMine))
          )
        }
      })
  )
})
