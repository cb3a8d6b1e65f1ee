import { randomUUID } from "node:crypto"
import type { NewMember } from "@care/domain/auth"
import { WebhookEndpointId } from "@care/domain/ids"
import { layerQuickJobs, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase } from "../../test/layerAuth.ts"
import { Members } from "../members/Members.ts"
import { Delivery, type OutgoingMessage } from "../messages/Delivery.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { EndpointNoticeSending } from "./EndpointNoticeSending.ts"
import { Notices } from "./Notices.ts"

const sent: Array<OutgoingMessage> = []

const layerDelivery = Layer.succeed(Delivery, {
  hasMailbox: false,
  send: (message) => Effect.sync(() => void sent.push(message))
})

const TestLayer = Layer.mergeAll(Notices.layer, EndpointNoticeSending.layerWorker, Members.layer).pipe(
  Layer.provide([layerQuickJobs, layerDelivery]),
  Layer.provideMerge(layerBase)
)

layer(TestLayer, { excludeTestServices: true })("a disabled webhook endpoint", (it) => {
  const disabled = Effect.fnUntraced(function* (contactEmail?: string, ...members: ReadonlyArray<NewMember>) {
    const { id: organizationId } = yield* (yield* Organizations).create("Acme", contactEmail)
    for (const member of members) yield* (yield* Members).add(organizationId, member)
    const { tellOfEndpoint } = yield* Notices
    const endpointId = WebhookEndpointId.make(randomUUID())
    const notice = { key: randomUUID(), organizationId, endpointId, host: "shop.example.com", reason: "GONE" } as const
    // Told again, as by a job that is tried again, it is sent once.
    yield* tellOfEndpoint(notice)
    yield* tellOfEndpoint(notice)
    const sql = yield* SqlClient.SqlClient
    yield* until(
      sql`SELECT FROM jobs WHERE organization_id = ${organizationId} AND state <> 'completed'`,
      ({ length }) => length === 0
    )
    return { endpointId, messages: sent.filter((message) => message.organizationId === organizationId) }
  })

  const member = (name: string, role: NewMember["role"]): NewMember => ({
    email: `${name}@example.com`,
    firstName: "Sam",
    lastName: "Rivera",
    role
  })

  it.effect("is told to the organization's contact, once, by its id and host", () =>
    Effect.gen(function* () {
      const { endpointId, messages } = yield* disabled("ops@example.com", member("admin", "ADMIN"))
      assert.deepStrictEqual(
        messages.map(({ subject, text, to }) => [to, subject, text]),
        [
          [
            "ops@example.com",
            "A webhook endpoint of Acme was disabled",
            `The webhook endpoint ${endpointId} of Acme, at shop.example.com, was disabled, because it answered 410 Gone. Nothing is sent to it until you enable it again; then deliveries go on where they stopped.`
          ]
        ]
      )
    })
  )

  it.effect("is told to its administrators when it has no contact, and to nobody when it has none either", () =>
    Effect.gen(function* () {
      const { messages } = yield* disabled(undefined, member("first", "ADMIN"), member("support", "SUPPORT"))
      assert.deepStrictEqual(
        messages.map(({ to }) => to),
        ["first@example.com"]
      )
      assert.deepStrictEqual((yield* disabled()).messages, [])
    })
  )
})
