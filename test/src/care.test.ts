import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { careCommand, fieldIn } from "./harness/careCommand.ts"
import { jobsDone } from "./harness/database.ts"
import { failedPayment } from "./harness/failedPayment.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff } from "./harness/staff.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.shared, "the care command line", (it) => {
  // What commands printed on standard error.
  const errors: Array<string> = []

  const run = (parameters: ReadonlyArray<string>, environment?: Readonly<Record<string, string>>) =>
    careCommand(parameters, environment, errors)

  it("invites operators, signs a person in by an approved code, and out again", function* () {
    const { urls } = yield* Suite
    const email = "ada@platform.example.com"
    const invited = yield* run(["operator", "invite", email, "--name", "Ada M. Byron"])
    assert.deepStrictEqual(
      ["email", "lastName", "role"].map((name) => fieldIn(invited, name)),
      [email, "Byron", "OPERATOR"]
    )
    assert.include(yield* run(["operator", "list"]), email)
    assert.match(String(yield* Effect.flip(run(["operator", "invite", email, "--name", "Ada"]))), /--name has to be/)
    assert.match(
      String(yield* Effect.flip(run(["operator", "invite", email, "--name", "A B"]))),
      /: Email taken: There is an operator with the email/
    )

    const { answer } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    const home = yield* temporaryFolder()
    const file = join(home, "care", "sessions.json")
    const signedIn = yield* Effect.forkChild(run(["login"], { XDG_CONFIG_HOME: home }))
    const userCode = yield* until(
      Effect.sync(() => /the code ([A-Z]{4}-[A-Z]{4})/.exec(errors.join(" "))?.[1] ?? ""),
      (code) => code !== ""
    )
    const body = { userCode, isApproved: true }
    yield* asStaff("POST", "/session/device/approve", cookieOf(answer), { body })
    assert.match(yield* Fiber.join(signedIn), /^Signed in until /)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const token: string = JSON.parse(readFileSync(file, "utf8"))[urls.gateway]
    assert.notInclude(errors.join(" "), token)
    const whoAmI = call("GET", "/admin/v1/session", { headers: { authorization: `Bearer ${token}` } })
    assert.strictEqual((yield* whoAmI).json.user.email, email)
    assert.strictEqual(yield* run(["logout"], { XDG_CONFIG_HOME: home }), "Signed out.")
    assert.strictEqual((yield* whoAmI).status, 401)
    assert.strictEqual(yield* run(["logout"], { XDG_CONFIG_HOME: home }), "You were not signed in.")
    writeFileSync(file, "nonsense")
    const broken = yield* Effect.flip(run(["logout"], { XDG_CONFIG_HOME: home }))
    assert.match(String(broken), /sessions\.json cannot be read: mend or remove it, and run care login\.$/)
  })

  it("exports a patient into a file that only its owner can read, erases patients, and rotates the keys", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const { submitter } = JSON.parse(yield* run(["case", "show", caseId]))
    const file = join(yield* temporaryFolder(), "patient.json")
    assert.include(yield* run(["patient", "export", submitter.id, "--output", file]), `Written to ${file}`)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const exported = JSON.parse(readFileSync(file, "utf8"))
    assert.strictEqual(exported.profile.users[0].email, submitter.email)
    assert.include(JSON.stringify(exported.treatment.form_responses), "How much do you weigh?")
    // Nothing is written over.
    const again = yield* Effect.flip(run(["patient", "export", submitter.id, "--output", file]))
    assert.include(String(again), `${file} already exists`)

    const refused = yield* Effect.flip(run(["patient", "erase", submitter.id, "--yes"]))
    assert.include(String(refused), "The patient has an active case")
    assert.match(String(refused), /: close the case first, or force the erasure\.$/)
    const erased = yield* run(["patient", "erase", submitter.id, "--yes", "--force"])
    assert.strictEqual(fieldIn(erased, "userId"), submitter.id)
    assert.include(erased, "Erased.")
    const { submitter: patient } = JSON.parse(yield* run(["case", "show", caseId]))
    assert.strictEqual(patient.firstName, "[erased]")

    assert.match(yield* run(["keys", "status"]), /^cases +k1 +true +\d+$/m)
    const rotated = yield* run(["keys", "rotate"])
    assert.match(rotated, /^cases +k1 +true +\d+$/m)
  })

  it("an export of an unknown user, to a missing folder or without a gateway fails and leaves no file; an erased patient can be exported", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const { submitter } = JSON.parse(yield* run(["case", "show", caseId]))
    const folder = yield* temporaryFolder()
    const unknown = "3b241101-e2bb-4255-8caf-4136c566a962"
    const exported = (id: string, file: string, environment = {}) =>
      run(["patient", "export", id, "--output", join(folder, file)], environment)
    const failures = [
      [/^User not found: No user has the id \S+\.$/, exported(unknown, "patient.json")],
      [
        /^\S+nowhere\/patient\.json cannot be written \(ENOENT.*\): choose a file in a folder that you can write to\.$/,
        exported(submitter.id, "nowhere/patient.json")
      ],
      [/^No gateway answers at .*$/, exported(submitter.id, "patient.json", { CARE_URL: "http://127.0.0.1:1" })],
      [/^User not found: .*$/, run(["patient", "erase", unknown, "--yes"])]
    ] as const
    for (const [sentence, failing] of failures) assert.match((yield* Effect.flip(failing)).message, sentence)
    assert.deepStrictEqual(readdirSync(folder), [])

    for (let times = 0; times < 2; times += 1) {
      const erased = JSON.parse(yield* run(["patient", "erase", submitter.id, "--yes", "--force", "--json"]))
      assert.deepInclude(erased, { userId: submitter.id, pending: [] })
    }
    yield* exported(submitter.id, "erased.json")
    const text = readFileSync(join(folder, "erased.json"), "utf8")
    assert.strictEqual(JSON.parse(text).profile.users[0].firstName, "[erased]")
    for (const personal of [body.user.firstName, body.user.email, "How much"]) assert.notInclude(text, personal)
    const listed = run(["audit", "list", "--patient", submitter.id])
    const records = yield* until(listed, (out) => out.split("PATIENT_EXPORTED").length === 2)
    assert.match(records, / auth +PATIENT_ERASED +OPERATOR /)
    assert.match(records, / cases +PATIENT_EXPORTED +OPERATOR /)
    assert.lengthOf(records.match(/PATIENT_ERASED/g) ?? [], 1)
  })

  it("creates an organization, a key that works, a product and a form, and lists and revokes", function* () {
    const created = yield* run(["org", "create", "Acme Clinic"])
    const organizationId = fieldIn(created, "id")
    assert.include(created, `Next: pnpm care key issue ${organizationId}`)

    const issued = yield* run(["key", "issue", organizationId, "--label", "shop"])
    const key = fieldIn(issued, "key")
    const product = yield* run(["product", "create", organizationId, "Program", "--price", "299.00"])
    const clinic = { organizationId, key, keyId: fieldIn(issued, "id"), productId: fieldIn(product, "id") }
    const otherCase = yield* createCase(clinic, caseBody(clinic))
    assert.strictEqual(otherCase.status, 200)
    const shown = yield* run(["case", "show", otherCase.json.data.caseId])
    const { organizationId: owner, shortId, submitter } = JSON.parse(shown)
    assert.strictEqual(owner, organizationId)
    const listed = yield* run([
      "case",
      "list",
      "--organization",
      organizationId,
      "--status",
      "OPEN",
      "--archived",
      "false"
    ])
    assert.match(listed, /^id +shortId +status +isArchived +patient +assignedTo +createdAt +updatedAt\n/)
    assert.match(
      listed,
      new RegExp(`^${otherCase.json.data.caseId} +${shortId} +OPEN +false +${submitter.email} +- `, "m")
    )
    assert.strictEqual(yield* run(["case", "list", "--organization", organizationId, "--status", "REJECTED"]), "None.")

    const form = join(yield* temporaryFolder(), "form.json")
    writeFileSync(form, JSON.stringify({ title: "F", questions: [{ question: "Q", type: "TEXT", required: true }] }))
    assert.include(yield* run(["form", "create", organizationId, form]), organizationId)
    assert.include(yield* run(["org", "list"]), organizationId)
    assert.include(yield* run(["key", "list", organizationId]), key.slice(0, 11))
    yield* run(["key", "revoke", clinic.keyId])
    assert.match(yield* run(["key", "list", organizationId]), /\d{4}-\d\d-\d\dT\S+ .* \d{4}-\d\d-\d\dT/)
  })

  it("finds the token that the start command keeps in its data directory", function* () {
    const { secrets } = yield* Suite
    const { organizationId } = yield* makeClinic
    const dataDirectory = yield* temporaryFolder()
    writeFileSync(join(dataDirectory, "secrets.json"), JSON.stringify({ ADMIN_TOKEN: secrets.ADMIN_TOKEN }))
    const listed = yield* run(["org", "list"], { ADMIN_TOKEN: "", CARE_DATA_DIR: dataDirectory })
    assert.include(listed, organizationId)
  })

  it("lists the jobs that failed, a line each, and repeats one", function* () {
    const clinic = yield* makeClinic
    const { job, repair } = yield* failedPayment(clinic)
    const listed = yield* run(["job", "list", "--state", "failed", "--queue", "payment-recording"])
    assert.match(listed, /^id +service +queue +state +attempts +createdAt +lastFailure\n/)
    assert.match(listed, new RegExp(`^${job.id}  cases +payment-recording +failed .*Its payload has version 7`, "m"))
    yield* repair
    assert.strictEqual(fieldIn(yield* run(["job", "retry", job.id]), "id"), job.id)
    yield* jobsDone("cases", "payment-recording", clinic)
    const again = yield* Effect.flip(run(["job", "retry", job.id]))
    assert.match(again.message, /^The job did not fail: The job \S+ is completed; only one that failed is repeated\.$/)
  })

  it("completes an escalation of a case", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const body = { action: "ADD_ESCALATION", escalations: [{ type: "external", title: "Miscellaneous" }] }
    const added = yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
    const [{ id }] = added.json.data.escalations
    const completed = yield* run(["escalation", "complete", id])
    assert.deepStrictEqual([fieldIn(completed, "id"), fieldIn(completed, "isCompleted")], [id, "true"])
    const shown = JSON.parse(yield* run(["case", "show", caseId]))
    assert.deepInclude(shown.escalations[0], { id, isCompleted: true })
  })

  it("creates a promo code, lists it, and changes it", function* () {
    const { organizationId } = yield* makeClinic
    const bounds = ["--max-redemptions", "5", "--expires-at", "2030-01-01T00:00:00Z"]
    const created = yield* run([
      "promo",
      "create",
      "WELCOME",
      "--organization",
      organizationId,
      "--flat",
      "12.5",
      ...bounds
    ])
    const id = fieldIn(created, "id")
    assert.deepStrictEqual([fieldIn(created, "flatDiscount"), fieldIn(created, "maxRedemptions")], ["12.5", "5"])
    const listed = yield* run(["promo", "list", "--organization", organizationId, "--code", "welcome"])
    assert.match(
      listed,
      new RegExp(`^${id} +${organizationId} +WELCOME +- +12.5 +- +true +2030-01-01T00:00:00.000Z +0 +5$`, "m")
    )
    const off = yield* run(["promo", "change", id, "--active", "false", "--max-redemptions", "7"])
    assert.deepStrictEqual(
      ["isActive", "maxRedemptions", "expiresAt"].map((name) => fieldIn(off, name)),
      ["false", "7", "2030-01-01T00:00:00.000Z"]
    )
    const free = yield* run(["promo", "change", id, "--active", "true", "--never-expires", "--unlimited"])
    assert.deepStrictEqual(
      ["isActive", "maxRedemptions", "expiresAt"].map((name) => fieldIn(free, name)),
      ["true", "-", "-"]
    )
  })

  it("captures and refunds a payment, in parts, and lists payments and what the gateway told of one", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const pay = Effect.map(
      call("POST", `/api/v1/cases/${caseId}/payments`, {
        key: clinic.key,
        body: { amount: 10, description: "Second month", preauthorize: true }
      }),
      ({ json }): string => json.data.result.paymentId
    )
    const first = yield* pay
    const second = yield* pay
    const captured = yield* run(["payment", "capture", first, "--amount", "8.5"])
    assert.strictEqual(fieldIn(captured, "status"), "PAID")
    assert.include(yield* run(["payment", "refund", first]), '"received":8.5,"refunded":8.5')
    assert.strictEqual(fieldIn(yield* run(["payment", "release", second]), "status"), "CANCELED")
    assert.strictEqual(fieldIn(yield* run(["payment", "show", first]), "amount"), "10")
    const refunded = yield* run(["payment", "list", "--case", caseId, "--status", "REFUND"])
    assert.match(refunded, new RegExp(`^${first} +${caseId} +REFUND +10 +USD +false +- `, "m"))
    assert.notInclude(refunded, second)
    yield* until(run(["payment", "events", first]), (events) => events.includes("payment_intent.succeeded"))
    const failed = yield* Effect.flip(run(["payment", "capture", second]))
    assert.match(failed.message, /^The payment's status does not allow this: The payment is CANCELED/)
  })

  it("sends the first of several tokens, from the variable, its file or the data directory of start", function* () {
    const { secrets } = yield* Suite
    const { organizationId } = yield* makeClinic
    const dataDirectory = yield* temporaryFolder()
    const tokens = `${secrets.ADMIN_TOKEN}, another\n`
    const file = join(dataDirectory, "token")
    writeFileSync(file, tokens)
    writeFileSync(join(dataDirectory, "secrets.json"), JSON.stringify({ ADMIN_TOKEN: tokens }))
    const places = [
      { ADMIN_TOKEN: tokens },
      { ADMIN_TOKEN: "", ADMIN_TOKEN_FILE: file },
      { ADMIN_TOKEN: "", CARE_DATA_DIR: dataDirectory }
    ]
    for (const place of places) assert.include(yield* run(["org", "list"], place), organizationId)
    const both = yield* Effect.flip(run(["org", "list"], { ADMIN_TOKEN_FILE: file }))
    assert.strictEqual(both.message, "ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set: remove one of them.")
  })

  it("commands of partners need no operator's token", function* () {
    const { key } = yield* makeClinic
    const dataDirectory = yield* temporaryFolder()
    writeFileSync(join(dataDirectory, "secrets.json"), "{")
    const listed = yield* run(["event", "list", "--key", key], { ADMIN_TOKEN: "", CARE_DATA_DIR: dataDirectory })
    assert.strictEqual(listed, "None.")
  })

  it("prints each failure in one sentence", function* () {
    const { organizationId } = yield* makeClinic
    const unreadable = yield* temporaryFolder()
    mkdirSync(join(unreadable, "secrets.json"))
    const noJson = yield* temporaryFolder()
    writeFileSync(join(noJson, "secrets.json"), "ADMIN_TOKEN=secret")
    const unknown = "3b241101-e2bb-4255-8caf-4136c566a962"
    const file = join(yield* temporaryFolder(), "patient.json")
    const failures = [
      [/^Organization not found: .*$/, run(["org", "show", unknown])],
      [/^Invalid value for argument <id>: "7"\. Expected: a UUID: see /, run(["org", "show", "7", "--json"])],
      [
        /^ADMIN_TOKEN is not accepted: .*secrets\.json .*CARE_DATA_DIR .*$/,
        run(["org", "list"], { ADMIN_TOKEN: "wrong" })
      ],
      [/^No gateway answers at .*$/, run(["org", "list"], { CARE_URL: "http://127.0.0.1:1" })],
      [/^CARE_URL has to be a URL such as .*$/, run(["org", "list"], { CARE_URL: "nonsense" })],
      [
        /^CARE_URL has to be a URL without credentials, such as http:\/\/localhost:8080\.$/,
        run(["org", "list"], { CARE_URL: "http://me:secret@localhost:8080" })
      ],
      [/^ADMIN_TOKEN cannot be sent: it contains a character [^ü€]*$/, run(["org", "list"], { ADMIN_TOKEN: "ü€" })],
      [
        /^ADMIN_TOKEN has to be a list of texts without white space, separated by commas\.$/,
        run(["org", "list"], { ADMIN_TOKEN: "a\nb" })
      ],
      [
        /^ADMIN_TOKEN cannot be sent: .*$/,
        run(["patient", "export", unknown, "--output", file], { ADMIN_TOKEN: "ü€" })
      ],
      [/^CARE_API_KEY cannot be sent: .*$/, run(["event", "list"], { CARE_API_KEY: "cv_ü€" })],
      [/^--key cannot be sent: .*$/, run(["event", "list", "--key", "cv_ü€"])],
      [/^PORT has to be a port from 1 to 65535, .*$/, run(["org", "list"], { PORT: "abc" })],
      [
        /^\S+secrets\.json cannot be read: set ADMIN_TOKEN .*$/,
        run(["org", "list"], { ADMIN_TOKEN: "", CARE_DATA_DIR: unreadable })
      ],
      [
        /^\S+secrets\.json cannot be read: set ADMIN_TOKEN .*$/,
        run(["org", "list"], { ADMIN_TOKEN: "", CARE_DATA_DIR: noJson })
      ],
      [
        /^ADMIN_TOKEN is missing: .*CARE_DATA_DIR .*$/,
        run(["org", "list"], { ADMIN_TOKEN: "", CARE_DATA_DIR: "/nowhere" })
      ],
      [/^The file .* cannot be read\.$/, run(["form", "create", organizationId, "/nowhere.json"])]
    ] as const
    for (const [sentence, failing] of failures) assert.match((yield* Effect.flip(failing)).message, sentence)
  })

  it("adds a member with all fields, and accepts blanks after the commas of a list", function* () {
    const { organizationId } = yield* makeClinic
    const name = ["--email", `${crypto.randomUUID()}@example.com`, "--first-name", "Ann", "--last-name", "Lee"]
    const flags = ["--role", "PROVIDER", "--title-suffix", "MD", "--licensed-states", "CA, NY", "--json"]
    const added = JSON.parse(yield* run(["member", "add", organizationId, ...name, ...flags]))
    assert.deepInclude(added, { titleSuffix: "MD", licensedStates: ["CA", "NY"] })

    const bundles = [crypto.randomUUID(), crypto.randomUUID()]
    const promo = ["promo", "create", "TWO", "--organization", organizationId, "--flat", "1", "--json"]
    const created = JSON.parse(yield* run([...promo, "--bundles", bundles.join(", ")]))
    assert.sameMembers(created.bundleIds, bundles)
  })

  it("explains every command", function* () {
    for (const command of [
      [],
      ["org"],
      ["org", "create"],
      ["key", "issue"],
      ["member", "add"],
      ["case", "show"],
      ["escalation", "complete"],
      ["promo", "create"],
      ["payment", "capture"],
      ["case", "list"],
      ["job", "list"]
    ]) {
      assert.match(yield* run([...command, "--help"]), /DESCRIPTION[\s\S]+USAGE/)
    }
  })
})
