import { randomUUID } from "node:crypto"
import type { NewMember } from "@care/domain/auth"
import { type OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { layerQuickJobs } from "@care/jobs/testing"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase, layerSettings } from "../../../test/layerAuth.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Members } from "../../people/members/Members.ts"
import { Delivery } from "../Delivery.ts"
import type { OutgoingMessage } from "../OutgoingMessage.ts"
import { EndpointNoticeSending } from "./EndpointNoticeSending.ts"
import { NoticeLimits } from "./NoticeLimits.ts"
import { Notices } from "./Notices.ts"

const sent: Array<OutgoingMessage> = []

const layerDelivery = Layer.succeed(Delivery, {
  hasMailbox: false,
  send: (message) => Effect.sync(() => void sent.push(message))
})

const TestLayer = Layer.mergeAll(Notices.layer, EndpointNoticeSending.layerWorker, Members.layer).pipe(
  Layer.provide([layerQuickJobs, layerDelivery, NoticeLimits.layer.pipe(Layer.provide(layerSettings()))]),
  Layer.provideMerge(layerBase)
)

layer(TestLayer, { excludeTestServices: true })("a disabled webhook endpoint", (it) => {
  const disableEndpoint = Effect.fnUntraced(function* (contactEmail?: string, ...members: ReadonlyArray<NewMember>) {
    const { id: organizationId } = yield* (yield* Organizations).create("Acme", contactEmail)
    for (const member of members) yield* (yield* Members).add(organizationId, member)
    return yield* offerNotice(organizationId)
  })

  const offerNotice = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const { offerOfEndpoint } = yield* Notices
    const endpointId = WebhookEndpointId.make(randomUUID())
    const notice = { key: randomUUID(), organizationId, endpointId, host: "shop.example.com", reason: "GONE" } as const
    // It is sent once, also when a repeated job offers it again.
    yield* offerOfEndpoint(notice)
    yield* offerOfEndpoint(notice)
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

  it.effect("is reported to the organization's contact, once, by its id and host", () =>
    Effect.gen(function* () {
      const { endpointId, messages } = yield* disableEndpoint("ops@example.com", member("admin", "ADMIN"))
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

  it.effect(
    "is reported to the administrators of an organization without a contact, and to nobody without either",
    () =>
      Effect.gen(function* () {
        const { messages } = yield* disableEndpoint(undefined, member("first", "ADMIN"), member("support", "SUPPORT"))
        assert.deepStrictEqual(
          messages.map(({ to }) => to),
          ["first@example.com"]
        )
        assert.deepStrictEqual((yield* disableEndpoint()).messages, [])
      })
  )

  it.effect("is reported to at most 20 administrators, who want email, are active and not deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const names = Array.from({ length: 26 }, (_, index) => `admin${index}`)
      const { messages } = yield* disableEndpoint(undefined, ...names.map((name) => member(name, "ADMIN")))
      assert.lengthOf(messages, 20)
      const organizationId = messages[0]?.organizationId ?? assert.fail()
      const emailsOf = (first: number, last: number) =>
        names.slice(first, last + 1).map((name) => `${name}@example.com`)
      const change = (assignment: string, emails: ReadonlyArray<string>) =>
        sql`UPDATE users SET ${sql.literal(assignment)} WHERE organization_id = ${organizationId} AND email = ANY(${emails})`
      yield* change("notifications_disabled = true", emailsOf(0, 7))
      yield* change("is_active = false", emailsOf(8, 15))
      yield* change("deleted_at = now()", emailsOf(16, 23))
      const again = yield* offerNotice(organizationId)
      assert.sameMembers(
        again.messages.slice(messages.length).map(({ to }) => to),
        emailsOf(24, 25)
      )
    })
  )
})
