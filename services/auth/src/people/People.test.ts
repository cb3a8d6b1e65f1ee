import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { IdentityTokens } from "@care/service-kit"
import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase, makePatient } from "../../test/layerAuth.ts"
import { People } from "./People.ts"

interface Told {
  readonly version: number
  readonly person: { readonly id: string; readonly firstName: string }
}

const told: Array<Told> = []

const takes = (response: ServerResponse) => response.writeHead(204).end()
let answer: (response: ServerResponse) => void = takes

// Cases, which answers as the test says.
const cases = serveListener((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    told.push(JSON.parse(Buffer.concat(chunks).toString()))
    answer(response)
  })
})

const layerCases = Layer.unwrap(
  Effect.map(cases, ({ url }) => ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ CASES_URL: url })))
)

const TestLayer = People.layer.pipe(
  Layer.provide([IdentityTokens.layer, layerIdleJobs]),
  Layer.provide(layerCases),
  Layer.provideMerge(layerBase)
)

class Refused extends Data.TaggedError("Refused") {}

layer(TestLayer, { excludeTestServices: true })("People", (it) => {
  const rename = Effect.fnUntraced(function* (userId: UserId) {
    const sql = yield* SqlClient.SqlClient
    const firstName = randomUUID()
    yield* sql`UPDATE users SET first_name = ${firstName}, version = version + 1 WHERE id = ${userId}`
    return firstName
  })

  const waiting = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT id FROM jobs WHERE queue_name = 'person-replication' AND state = 'pending'`
  )

  it.effect("a change is told before its caller goes on, as it was committed, and its job is there", () =>
    Effect.gen(function* () {
      const [people, sql] = [yield* People, yield* SqlClient.SqlClient]
      const { organizationId, userId } = yield* makePatient
      const jobs = (yield* waiting).length
      const change = Effect.gen(function* () {
        yield* people.changed(organizationId, userId)
        return yield* rename(userId)
      })
      const firstName = yield* sql.withTransaction(change)
      const { person, version } = told.at(-1) ?? assert.fail("nothing was told")
      assert.deepStrictEqual([person.id, person.firstName, version], [userId, firstName, 2])
      assert.strictEqual((yield* waiting).length, jobs + 1)

      const before = told.length
      yield* Effect.flip(sql.withTransaction(Effect.andThen(change, new Refused())))
      assert.deepStrictEqual([told.length, (yield* waiting).length], [before, jobs + 1])
    })
  )

  for (const [name, broken] of [
    ["answers 500", (response: ServerResponse) => response.writeHead(500).end()],
    ["never answers", () => {}]
  ] as const) {
    it.effect(`a change is made though cases ${name}, and told later by its job, as it is then`, () =>
      Effect.gen(function* () {
        const [people, sql] = [yield* People, yield* SqlClient.SqlClient]
        const { organizationId, userId } = yield* makePatient
        const jobs = (yield* waiting).length
        answer = broken
        yield* sql.withTransaction(Effect.andThen(rename(userId), people.changed(organizationId, userId)))
        assert.strictEqual((yield* waiting).length, jobs + 1)
        answer = takes
        const firstName = yield* rename(userId)
        yield* people.tell(organizationId, userId)
        assert.deepInclude(told.at(-1), { version: 3 })
        assert.strictEqual(told.at(-1)?.person.firstName, firstName)
      })
    )
  }
})
