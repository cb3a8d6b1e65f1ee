import { randomUUID } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { MessageId, OrganizationId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SMTPServer } from "smtp-server"
import { layerBase, layerSettings, makePatient } from "../../test/layerAuth.ts"
import type { AuthSettings } from "../AuthSettings.ts"
import { Delivery, messagesOfSandbox } from "./Delivery.ts"
import { Messages } from "./Messages.ts"

/** A mail server that stores the mails it receives, and answers 550 for addresses at `refused.example`. */
const mailServer = Effect.acquireRelease(
  Effect.callback<{ readonly mails: Array<string>; readonly server: SMTPServer; readonly port: number }>((resume) => {
    const mails: Array<string> = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onAuth: ({ password, username }, _session, done) =>
        username === "care" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong")),
      onRcptTo: ({ address }, _session, done) =>
        done(address.endsWith("@refused.example") ? new Error(`No such user ${address}`) : null),
      onData: (stream, _session, done) => {
        let mail = ""
        stream.on("data", (chunk) => {
          mail += String(chunk)
        })
        stream.on("end", () => {
          mails.push(mail)
          done()
        })
      }
    })
    const listening = server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ mails, server, port: (listening.address() as AddressInfo).port }))
    )
  }),
  ({ server }) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
)

interface Sms {
  readonly to: string
  readonly text: string
}

/** An SMS API that stores the texts it receives, and answers 422 to numbers that end in 0. */
const smsApi = Effect.gen(function* () {
  const requests: Array<{ readonly headers: IncomingHttpHeaders; readonly body: Sms }> = []
  const { port } = yield* serveListener(async (request, response) => {
    const body: Sms = JSON.parse(await text(request))
    requests.push({ headers: request.headers, body })
    response.writeHead(body.to.endsWith("0") ? 422 : 202).end()
  })
  return { requests, port }
})

const organizationId = OrganizationId.make(randomUUID())

const email = (to: string) => ({
  organizationId,
  userId: null,
  id: MessageId.make(randomUUID()),
  channel: "EMAIL" as const,
  to,
  subject: "Your code",
  text: "123456 is your code"
})

layer(layerBase)("Delivery", (it) => {
  const deliveryWith = (settings: Partial<AuthSettings["Service"]>) =>
    Messages.layer.pipe(Layer.provideMerge(Layer.fresh(Delivery.layer)), Layer.provide(layerSettings(settings)))
  const send = (message: Parameters<Delivery["Service"]["send"]>[0]) =>
    Effect.flatMap(Delivery, (delivery) => delivery.send(message))
  const listed = Effect.flatMap(Messages, (messages) => messages.list({ limit: 50 }))

  it.effect("email goes by SMTP, with the credentials and the sender of the URL, and there is no mailbox", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* mailServer
      const smtpUrl = Redacted.make(`smtp://care:p%40ss@127.0.0.1:${port}?from=care@clinic.example`)
      const message = email("maria@example.com")
      yield* Effect.gen(function* () {
        yield* send(message)
        assert.strictEqual((yield* Effect.flip(listed))._tag, "MailboxAbsent")
      }).pipe(Effect.provide(deliveryWith({ smtpUrl })))
      assert.strictEqual(mails.length, 1)
      for (const part of ["From: care@clinic.example", "To: maria@example.com", "123456 is your code", message.id]) {
        assert.include(mails[0], part)
      }
    })
  )

  it.effect("an email goes to the exact address, and not to another that a mail program could read in it", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* mailServer
      const smtpUrl = Redacted.make(`smtp://127.0.0.1:${port}`)
      const sent = Effect.forEach(["x,v@example.com", "g:v@example.com", "v@example.com"], (to) =>
        Effect.exit(send(email(to)))
      )
      yield* sent.pipe(Effect.provide(deliveryWith({ smtpUrl })))
      const receivers = mails.map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1])
      assert.deepStrictEqual(
        receivers.filter((to) => to === "v@example.com"),
        ["v@example.com"]
      )
    })
  )

  it.effect("the refusal of a mail server is reported without the address that it quotes", () =>
    Effect.gen(function* () {
      const { port } = yield* mailServer
      const smtpUrl = Redacted.make(`smtp://127.0.0.1:${port}`)
      const failed = yield* Effect.flip(send(email("maria@refused.example"))).pipe(
        Effect.provide(deliveryWith({ smtpUrl }))
      )
      assert.match(failed.message, /did not take the message .*550/)
      assert.notInclude(failed.message, "maria")
    })
  )

  it.effect("nothing is sent to an erased patient, whatever address a job carries", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* mailServer
      const api = yield* smsApi
      const smtpUrl = Redacted.make(`smtp://127.0.0.1:${port}`)
      const smsApiUrl = Redacted.make(`http://127.0.0.1:${api.port}/sms`)
      const keys = yield* makePatientKeys
      const { organizationId, userId } = yield* makePatient
      const mail = { ...email("former@example.com"), organizationId, userId }
      const sms = { ...mail, channel: "SMS", subject: null, to: "+14155552671" } as const
      yield* Effect.gen(function* () {
        for (const message of [mail, sms]) yield* send(message)
        yield* keys.destroy(organizationId, userId, yield* DateTime.nowAsDate)
        for (const message of [mail, sms]) {
          assert.strictEqual((yield* Effect.flip(send(message)))._tag, "JobCancelled")
        }
      }).pipe(Effect.provide(deliveryWith({ smtpUrl, smsApiUrl })))
      assert.deepStrictEqual([mails.length, api.requests.length], [1, 1])
    })
  )

  it.effect("a live organization's messages are sent, and those of a sandbox are stored, the newest 1,000", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* mailServer
      const api = yield* smsApi
      const settings = {
        smtpUrl: Redacted.make(`smtp://127.0.0.1:${port}`),
        smsApiUrl: Redacted.make(`http://127.0.0.1:${api.port}/sms`)
      }
      const sql = yield* SqlClient.SqlClient
      const [live, sandbox] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${sandbox})`
      const messagesOf = (organizationId: OrganizationId) => {
        const mail = { ...email("maria@example.com"), organizationId }
        const sms = { ...email("+14155552671"), organizationId, channel: "SMS", subject: null } as const
        return [mail, sms]
      }
      yield* Effect.gen(function* () {
        for (const message of messagesOf(live)) yield* send(message)
        assert.deepStrictEqual([mails.length, api.requests.length], [1, 1])
        const stored = messagesOf(sandbox)
        for (const message of [...stored, ...stored]) yield* send(message)
        assert.deepStrictEqual([mails.length, api.requests.length], [1, 1])
        const idsOf = (organizationId: OrganizationId, { to }: { readonly to?: string } = {}) =>
          Effect.map(
            sql<{ id: string }>`
              SELECT id FROM messages
              WHERE organization_id = ${organizationId} AND (${to ?? null}::text IS NULL OR receiver = ${to ?? null})
            `,
            (rows) => rows.map(({ id }) => id)
          )
        assert.sameMembers(
          yield* idsOf(sandbox),
          stored.map(({ id }) => id)
        )
        assert.deepStrictEqual(
          yield* idsOf(sandbox, { to: "+14155552671" }),
          stored.slice(1).map(({ id }) => id)
        )
        assert.deepStrictEqual(yield* idsOf(live), [])
        const shown = yield* (yield* Messages).listOf(sandbox, { limit: 50 })
        assert.deepStrictEqual(
          shown.data.map(({ text }) => text),
          stored.map(({ text }) => text)
        )
        const readable = JSON.stringify(yield* sql`SELECT * FROM messages WHERE organization_id = ${sandbox}`)
        for (const { text } of stored) assert.notInclude(readable, text)
        yield* sql`
          INSERT INTO messages (organization_id, id, channel, receiver, text, created_at)
          SELECT ${sandbox}, gen_random_uuid(), 'EMAIL', 'old@example.com', 'old', to_timestamp(-n)
          FROM generate_series(1, 1000) AS n
        `
        yield* send({ ...email("new@example.com"), organizationId: sandbox })
        const kept = yield* sql`SELECT FROM messages WHERE organization_id = ${sandbox}`
        assert.lengthOf(kept, messagesOfSandbox)
        assert.lengthOf(yield* idsOf(sandbox, { to: "new@example.com" }), 1)
        yield* sql`DELETE FROM messages WHERE organization_id = ${sandbox}`
      }).pipe(Effect.provide(deliveryWith(settings)))
    })
  )

  it.effect("SMS goes to the HTTP API, with its credentials and an idempotency key", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* smsApi
      const smsApiUrl = Redacted.make(`http://care:secret@127.0.0.1:${port}/sms`)
      const sms = {
        organizationId,
        userId: null,
        id: MessageId.make(randomUUID()),
        channel: "SMS" as const,
        subject: null,
        text: "123456"
      }
      yield* Effect.gen(function* () {
        yield* send({ ...sms, to: "+14155552671" })
        const failed = yield* Effect.flip(send({ ...sms, to: "+14155552670" }))
        assert.strictEqual(failed.message, "The SMS API answered 422")
        const disabled = yield* Effect.flip(send(email("maria@example.com")))
        assert.strictEqual(disabled.message, "Email is not delivered: SMTP_URL is not set")
      }).pipe(Effect.provide(deliveryWith({ smsApiUrl })))
      assert.deepStrictEqual(requests[0]?.body, { to: "+14155552671", text: "123456" })
      assert.include(requests[0]?.headers, {
        "idempotency-key": sms.id,
        authorization: `Basic ${Buffer.from("care:secret").toString("base64")}`
      })
    })
  )

  it.effect("without either URL the mailbox keeps messages, each once, newest first", () =>
    Effect.gen(function* () {
      const messages = yield* Messages
      const first = email("maria@example.com")
      const second = { ...email("+14155552671"), channel: "SMS" as const, subject: null }
      for (const message of [first, first, second]) yield* send(message)
      const ids = (page: Effect.Success<typeof listed>) => page.data.map(({ id }) => id)
      assert.sameMembers(ids(yield* listed), [first.id, second.id])
      assert.deepStrictEqual(ids(yield* messages.list({ to: "maria@example.com", limit: 50 })), [first.id])
      assert.deepStrictEqual(ids(yield* messages.list({ to: "+14155552671", limit: 50 })), [second.id])
      assert.deepStrictEqual(ids(yield* messages.list({ channel: "SMS", limit: 50 })), [second.id])
      const page = yield* messages.list({ limit: 1 })
      const next = yield* messages.list({ limit: 1, ...(page.nextCursor !== null && { cursor: page.nextCursor }) })
      assert.sameMembers([...ids(page), ...ids(next)], [first.id, second.id])
      assert.isNull(next.nextCursor)
    }).pipe(Effect.provide(deliveryWith({})))
  )
})
