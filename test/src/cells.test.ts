import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, expectAnswer } from "./harness/call.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { inSecondCell, layerBesideCell, layerTwoCells } from "./harness/layerTwoCells.ts"
import { testsOn } from "./harness/testsOn.ts"
import { changeUser, checkUser, clinicWithPatient, failed } from "./harness/users.ts"

/** Makes a clinic of the second cell, and a patient of it through the gateway of both. */
const patientOfSecondCell = Effect.gen(function* () {
  const clinic = yield* inSecondCell(makeClinic)
  const body = caseBody(clinic)
  const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
  return { clinic, user: body.user, caseId }
})

const absent = { success: false, message: "User does not exist", data: { code: "USER_NOT_FOUND" } }

const moveEmail = (key: string, currentEmail: string, newEmail: string) =>
  changeUser(key, "UPDATE_EMAIL", { currentEmail, newEmail })

const changeName = (key: string, email: string) => changeUser(key, "UPDATE_PROFILE", { email, city: "Oakland" })

testsOn(layerTwoCells, "two cells behind one gateway", (it) => {
  it("an organization's key leads to its cell, and no other cell has its cases", function* () {
    const first = yield* clinicWithPatient
    const second = yield* patientOfSecondCell
    assert.match(first.clinic.key, /^cv_live_c1_[0-9A-Za-z]{38}$/)
    assert.match(second.clinic.key, /^cv_live_c2_[0-9A-Za-z]{38}$/)
    for (const [own, other] of [
      [first, second],
      [second, first]
    ] as const) {
      const detail = (caseId: string) =>
        call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: own.clinic.key })
      assert.strictEqual((yield* detail(own.caseId)).status, 200)
      assert.notStrictEqual((yield* detail(other.caseId)).status, 200)
    }
  })

  it("check-user finds users of other cells, the own ones first", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { clinic: otherClinic, user: outsider } = yield* patientOfSecondCell
    yield* createCase(otherClinic, caseBody(otherClinic, { user: { ...newPatient(), email: user.email } }))
    const phoneNumber = encodeURIComponent(outsider.phoneNumber)
    for (const [key, query, isOwn] of [
      [clinic.key, `email=${outsider.email}`, false],
      [clinic.key, `phone-number=${phoneNumber}`, false],
      [clinic.key, `email=${user.email}`, true],
      [otherClinic.key, `email=${user.email}`, true],
      [otherClinic.key, `phone-number=${encodeURIComponent(user.phoneNumber)}`, false]
    ] as const) {
      const { json } = yield* checkUser(key, query)
      assert.deepStrictEqual([json.success, json.data.existsInCurrentOrganization], [true, isOwn], query)
    }
    yield* expectAnswer(checkUser(clinic.key, "email=nobody@example.com"), 200, absent)
  })

  it("a patient gets no email that a user of another cell has, and no profile of another cell is changed", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { user: outsider } = yield* patientOfSecondCell
    const taken = failed(`User with email ${outsider.email} already exists in database`)
    const refused = yield* moveEmail(clinic.key, user.email, outsider.email)
    assert.deepInclude(refused.json, taken)
    assert.strictEqual((yield* moveEmail(clinic.key, user.email, `free.${user.email}`)).status, 200)
    const outside = yield* changeName(clinic.key, outsider.email)
    assert.deepInclude(outside.json, failed(`User ${outsider.email} does not exist in the organization`))
  })
})

const away = Effect.succeed("http://127.0.0.1:1")
const slow = Effect.map(
  serveListener(() => {}),
  ({ url }) => url
)

for (const [what, makeUrl] of Object.entries({ away, slow })) {
  testsOn(layerBesideCell(makeUrl), `a cell beside one that is ${what}`, (it) => {
    it("look-ups are answered by what its own cell knows, and no email is given to a patient", function* () {
      const { clinic, user } = yield* clinicWithPatient
      const unknown = `unknown.${user.email}`
      assert.isTrue((yield* checkUser(clinic.key, `email=${user.email}`)).json.success)
      yield* expectAnswer(checkUser(clinic.key, `email=${unknown}`), 200, absent)
      assert.deepInclude((yield* changeName(clinic.key, unknown)).json, failed(`User ${unknown} does not exist`))
      const refused = yield* moveEmail(clinic.key, user.email, unknown)
      assert.deepStrictEqual([refused.status, refused.json.message], [503, "Service unavailable"])
      assert.isTrue((yield* checkUser(clinic.key, `email=${user.email}`)).json.success)
      const neighbour = newPatient()
      yield* createCase(clinic, caseBody(clinic, { user: neighbour }))
      const own = yield* moveEmail(clinic.key, user.email, neighbour.email)
      assert.deepInclude(own.json, failed(`New Email ${neighbour.email} already exists`))
    })
  })
}
