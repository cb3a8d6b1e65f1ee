import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { callers } from "@care/domain/http"
import { OrganizationId, StaffSessionId, UserId } from "@care/domain/ids"
import { CurrentIdentity } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../../case/people/People.ts"
import { CaseSearch } from "./CaseSearch.ts"

// All people were read with the cases.
const layerPeople = Layer.mock(People, {
  summaries: (_organizationId, _ids, known = []) => Effect.succeed(new Map(known.map((person) => [person.id, person])))
})

const TestLayer = CaseSearch.layer.pipe(Layer.provide(layerPeople), Layer.provideMerge(layerAuditedDatabase("cases")))

layer(TestLayer, { excludeTestServices: true })("the queue of cases", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const [provider, productId] = [UserId.make(randomUUID()), randomUUID()]

  /** Cases, later the later they are stored: a fifth waits, of which a fiftieth is in the provider's state, and a fifth is the provider's. */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    const numbers = sql`FROM generate_series(${first}::int, ${last}::int) AS n`
    yield* sql`
      INSERT INTO products (organization_id, id, name, created_at)
      VALUES (${organizationId}, ${productId}, 'Program', now()) ON CONFLICT DO NOTHING
    `
    yield* sql`
      INSERT INTO cases (
        organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, assigned_to, assigned_at,
        created_at, updated_at
      )
      SELECT ${organizationId}::uuid, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, '',
             CASE n % 5 WHEN 0 THEN 'OPEN' ELSE 'ASSIGNED' END, 'ASYNC_TEXT_EMAIL', false, false, n % 5 > 2,
             CASE n % 5 WHEN 0 THEN NULL WHEN 1 THEN ${provider}::uuid ELSE ${randomUUID()}::uuid END, now(),
             '2026-01-01'::timestamptz + n * interval '1 second', now() ${numbers}
    `
    yield* sql`
      INSERT INTO people (
        organization_id, id, version, email, first_name, last_name, role, phone_number, is_active, state, licensed_states,
        created_at, updated_at
      )
      SELECT ${organizationId}::uuid, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 1, n || '@example.com', '', '', 'USER', '', true,
             CASE WHEN n % 250 = 0 THEN 'TX' ELSE 'CA' END, '{}'::text[], now(), now() ${numbers}
      UNION ALL
      SELECT organization_id, assigned_to, 1, 'p@example.com', '', '', 'PROVIDER', '', true, '', '{TX}'::text[], now(), now()
      FROM (SELECT DISTINCT organization_id, assigned_to FROM cases WHERE assigned_to IS NOT NULL) AS assigned
      ON CONFLICT DO NOTHING
    `
    yield* sql`
      INSERT INTO case_products (organization_id, case_id, index, product_id, visit_type)
      SELECT ${organizationId}::uuid, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 0, ${productId}::uuid, 'ASYNC_TEXT_EMAIL' ${numbers}
    `
    yield* sql`
      INSERT INTO escalations (organization_id, id, case_id, type, title, is_completed, created_at, updated_at)
      SELECT ${organizationId}::uuid, gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'support', '', n % 2 = 0, now(), now() ${numbers}
    `
    // Of a thousand cases one was due, one will be, and one has an open escalation.
    yield* sql`
      UPDATE cases SET due_on = CASE short_id::int % 1000 WHEN 500 THEN '2026-01-01'::date WHEN 0 THEN '9999-01-01'::date END,
                       has_open_escalation = short_id::int % 1000 = 250
      WHERE organization_id = ${organizationId} AND short_id::int BETWEEN ${first} AND ${last} AND short_id::int % 250 = 0
    `
    yield* sql`ANALYZE cases, people, case_products, escalations, products`
  })

  it.effect(
    "reads the same however many cases wait, for those who see all and for a provider, who gets whole pages",
    () =>
      Effect.gen(function* () {
        const search = yield* CaseSearch
        const asProvider = Effect.provideService(
          CurrentIdentity,
          callers.staff.Identity.make({
            sessionId: StaffSessionId.make(randomUUID()),
            userId: provider,
            organizationId,
            role: "PROVIDER"
          })
        )
        const lists = (["OLDEST", "NEWEST", "URGENCY"] as const).flatMap((order) =>
          [{ status: "OPEN", isArchived: "false" } as const, {}].flatMap((filter) => {
            const list = search.list({ limit: 10, order, organizationId, ...filter })
            return [
              [`${order} ${filter.status} for all`, list] as const,
              [`${order} ${filter.status} for a provider`, asProvider(list)] as const
            ]
          })
        )
        const readsOfAll = Effect.map(
          Effect.forEach(lists, ([name, list]) =>
            Effect.map(
              readsOf(["cases", "people", "case_products", "escalations", "products"], list),
              (reads) => [name, reads] as const
            )
          ),
          (reads) => new Map(reads)
        )
        yield* seed(1, 10_000)
        const few = yield* readsOfAll
        yield* seed(10_001, 100_000)
        const many = yield* readsOfAll
        for (const [name, reads] of many) assert.isAtMost(reads, Math.max(few.get(name) ?? 0, 100) * 1.1, name)

        for (const [name, list] of lists) assert.lengthOf((yield* list).data, 10, name)
        const waiting = yield* asProvider(
          search.list({ limit: 2, order: "OLDEST", organizationId, status: "OPEN", isArchived: "false" })
        )
        assert.deepStrictEqual(
          waiting.data.map(({ hasOpenEscalation, patientState, productNames, shortId }) => [
            shortId,
            patientState,
            productNames,
            hasOpenEscalation
          ]),
          [
            ["250", "TX", ["Program"], false],
            ["500", "TX", ["Program"], false]
          ]
        )
      })
  )
})
