import { randomUUID } from "node:crypto"
import { MessageId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestConfig } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { layerSettings } from "../../test/layerAuth.ts"
import { addMember, layerStaff, origin } from "../../test/layerStaff.ts"
import type { AuthSettings } from "../AuthSettings.ts"
import { makeMessagesRepo } from "../messages/MessagesRepo.ts"
import { OneTimeCodes } from "../signIn/index.ts"
import { StaffSignIn } from "./StaffSignIn.ts"

type Member = Effect.Success<ReturnType<typeof addMember>>

/** Makes a code for a member. `send` stores its message in the mailbox. */
const issueTo = Effect.fnUntraced(function* ({ email, organizationId, userId }: Member) {
  const id = randomUUID()
  const codes = yield* OneTimeCodes
  const messages = yield* makeMessagesRepo
  const requestedAt = yield* DateTime.nowAsDate
  const issued = yield* codes.issue(id, { organizationId, identifier: email, memberId: userId, requestedAt })
  const { code } = Option.getOrThrow(issued)
  const message = { id: MessageId.make(id), organizationId, userId, channel: "EMAIL", to: email } as const
  return {
    code,
    send: messages.insert({ ...message, subject: "Your code", text: `${code} is your code` }, requestedAt)
  }
})

const newestCode = (email: string) => Effect.flatMap(StaffSignIn, (signIn) => signIn.newestCode(email))
const codeIn = (email: string) => Effect.map(newestCode(email), (sent) => sent?.code)

layer(layerStaff())("the newest code of staff in the mailbox", (it) => {
  it.effect("is a sent one of any organization, while it is valid", () =>
    Effect.gen(function* () {
      const signIn = yield* StaffSignIn
      const first = yield* addMember()
      const second = yield* addMember(undefined, { email: first.email })
      const ofFirst = yield* issueTo(first)
      assert.isUndefined(yield* codeIn(first.email))
      yield* ofFirst.send
      assert.strictEqual(yield* codeIn(first.email), ofFirst.code)
      yield* TestClock.adjust("1 minute")
      const ofSecond = yield* issueTo(second)
      yield* ofSecond.send
      assert.deepStrictEqual(yield* newestCode(first.email), {
        code: ofSecond.code,
        sentAt: yield* DateTime.nowAsDate
      })
      yield* signIn.verifyCode(first.email, ofSecond.code)
      assert.strictEqual(yield* codeIn(first.email), ofFirst.code)
      // A newer code voids the older one, also before it was sent.
      const newer = yield* issueTo(first)
      assert.isUndefined(yield* codeIn(first.email))
      yield* newer.send
      assert.strictEqual(yield* codeIn(first.email), newer.code)
      yield* TestClock.adjust("5 minutes")
      assert.isUndefined(yield* codeIn(first.email))
      assert.isUndefined(yield* codeIn("nobody@example.com"))
    })
  )

  it.effect("cannot be read in production, where a message is really sent, or at a URL of another machine", () =>
    Effect.gen(function* () {
      const member = yield* addMember()
      const { code, send } = yield* issueTo(member)
      yield* send
      const read = (settings: Partial<AuthSettings["Service"]>, isProduction = false) =>
        codeIn(member.email).pipe(
          Effect.catchTag("MailboxAbsent", ({ _tag }) => Effect.succeed(_tag)),
          Effect.provide(
            Layer.fresh(StaffSignIn.layer).pipe(
              Layer.provide(layerIdleJobs),
              Layer.provide(layerSettings({ publicUrl: origin, ...settings })),
              Layer.provide(layerTestConfig({ name: "auth", isProduction }))
            )
          )
        )
      for (const host of ["localhost", "127.0.0.1:8080", "[::1]"]) {
        assert.strictEqual(yield* read({ publicUrl: `http://${host}` }), code, host)
      }
      for (const host of ["care.example.com", "localhost.example.com", "10.0.0.5:8080", "0.0.0.0"]) {
        assert.strictEqual(yield* read({ publicUrl: `https://${host}` }), "MailboxAbsent", host)
      }
      assert.strictEqual(yield* read({}, true), "MailboxAbsent")
      assert.strictEqual(yield* read({ smtpUrl: Redacted.make("smtp://127.0.0.1:1") }), "MailboxAbsent")
      assert.strictEqual(yield* read({ smsApiUrl: Redacted.make("http://127.0.0.1:1") }), "MailboxAbsent")
    })
  )
})
