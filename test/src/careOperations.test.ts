import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./harness/call.ts"
import { fieldIn, careCommand as run } from "./harness/careCommand.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknown = "3b241101-e2bb-4255-8caf-4136c566a962"

testsOn(Suite.shared, "the operations of the care command line", (it) => {
  const json = (parameters: ReadonlyArray<string>) =>
    Effect.map(run([...parameters, "--json"]), (out) => JSON.parse(out))

  const addProvider = (organizationId: string) => {
    const name = ["--email", `${crypto.randomUUID()}@example.com`, "--first-name", "Ann", "--last-name", "Lee"]
    return Effect.map(json(["member", "add", organizationId, ...name, "--role", "PROVIDER"]), ({ id }): string => id)
  }

  it("a case is assigned, begun, commented and decided with medicines, and its lists show it", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic.organizationId)
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    assert.strictEqual((yield* json(["case", "assign", caseId, provider])).assignedTo.id, provider)
    assert.strictEqual((yield* json(["case", "start", caseId])).status, "IN_PROGRESS")

    const file = join(yield* temporaryFolder(), "scan.txt")
    writeFileSync(file, "A scan")
    const note = yield* json(["case", "comment", caseId, "A note", "--internal", "--by", provider, "--attach", file])
    assert.deepInclude(note, { text: "A note", isRestricted: true })
    assert.strictEqual(note.attachments[0].fileName, "scan.txt")
    assert.deepInclude(yield* json(["case", "comment", caseId, "Hello", "--by", provider]), { isRestricted: false })
    const notes = yield* json(["case", "comments", caseId, "--internal", "true"])
    assert.deepStrictEqual(
      notes.data.map(({ text }: { readonly text: string }) => text),
      ["A note"]
    )
    const attached = yield* json(["case", "attach", caseId, file, "--by", provider])
    assert.deepInclude(attached, { fileName: "scan.txt", size: 6 })
    yield* run(["case", "file", caseId, attached.id, "--output", `${file}.copy`])
    assert.strictEqual(readFileSync(`${file}.copy`, "utf8"), "A scan")
    assert.strictEqual((yield* json(["case", "patient", caseId])).data.firstName, "Maria")
    assert.match(yield* run(["case", "attachments", caseId]), / scan\.txt +text\/plain +6 /)

    const dates = ["--start", "2026-01-31T00:00:00Z", "--end", "2026-07-31T00:00:00Z"]
    const medicines = ["medicine=Finasteride; dosage=1 mg; refillCount=3; isRefill=true", "medicine=Minoxidil"]
    const decision = yield* json([
      ...["case", "decide", caseId, "--approved", "--by", provider, "--text", "Good", "--visit-type", "SYNC_VIDEO"],
      ...[...dates, ...medicines.flatMap((medicine) => ["--medicine", medicine])]
    ])
    assert.deepInclude(decision, { isApproved: true, isNoDecision: false, decisionText: "Good" })
    assert.deepInclude(decision.medInfo[0], {
      medicine: "Finasteride",
      dosage: "1 mg",
      refillCount: 3,
      isRefill: true
    })
    assert.strictEqual(decision.medInfo[1].medicine, "Minoxidil")
    assert.match(yield* run(["case", "decisions", caseId]), new RegExp(`^${decision.id} .* true +false +2 +Good `, "m"))
    assert.match(yield* run(["case", "activity", caseId]), / CASE_STARTED /)
    assert.match(yield* run(["case", "timeline", caseId, "--kind", "DECISION"]), / DECISION_ADDED /)

    yield* placeOrder(clinic, caseId)
    const [order] = (yield* json(["case", "orders", caseId])).data
    const shipped = yield* json(["order", "change", order.id, "--status", "SHIPPED", "--shipping-log-message", "Sent"])
    assert.strictEqual(shipped.status, "SHIPPED")
    assert.strictEqual(shipped.shippingLogs.at(-1).message, "Sent")
    for (const list of ["escalations", "form-responses", "calendar-events"]) {
      assert.isArray((yield* json(["case", list, caseId])).data)
    }
  })

  it("cases are found by anything, assigned together, and opened by breaking the glass; the dashboard counts them", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const provider = yield* addProvider(organizationId)
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    assert.match(
      yield* run(["case", "search", organizationId, body.user.email]),
      new RegExp(`^${caseId} .* EMAIL `, "m")
    )
    const assigned = yield* run(["case", "assign-all", organizationId, provider, "--cases", `${caseId},${unknown}`])
    assert.match(assigned, new RegExp(`^${caseId} +ASSIGNED`, "m"))
    assert.match(assigned, new RegExp(`^${unknown} +NOT_FOUND`, "m"))
    const opened = yield* json(["case", "break-glass", caseId, "An emergency", "--user", provider])
    assert.deepInclude(opened, { caseId, userId: provider })
    assert.match(
      yield* run(["case", "broken-glass", "--organization", organizationId]),
      new RegExp(` ${caseId} +${provider} +An emergency `)
    )
    assert.property(yield* json(["dashboard", organizationId]), "escalationsOpen")

    const escalate = ["case", "escalate", caseId]
    const added = yield* run([...escalate, "--escalation", "type=external; title=Miscellaneous; note=Asks again"])
    assert.match(added, / external +Miscellaneous +false /)
    const again = yield* Effect.flip(run([...escalate, "--escalation", "type=external; title=Miscellaneous"]))
    assert.match(again.message, /^Already escalated: .* external \/ Miscellaneous/)
    assert.match(yield* run(["escalation", "list", organizationId]), new RegExp(` ${caseId} +\\S+ +external `))
    assert.strictEqual(yield* run(["escalation", "list", organizationId, "--state", "COMPLETED"]), "None.")
  })

  it("members and the catalogue are listed and changed, and fields are removed", function* () {
    const { organizationId, productId } = yield* makeClinic
    const provider = yield* addProvider(organizationId)
    assert.match(yield* run(["member", "list", organizationId]), new RegExp(`^${provider} .* PROVIDER +true `, "m"))
    assert.deepInclude(yield* json(["member", "change", provider, "--title", "Dr."]), { title: "Dr." })
    assert.deepInclude(yield* json(["member", "change", provider, "--remove-title"]), { title: null })

    const product = ["product", "change", organizationId, productId]
    assert.deepInclude(yield* json([...product, "--price", "12.50", "--currency", "USD"]), { price: "12.50" })
    assert.deepInclude(yield* json([...product, "--remove-price", "--archived", "true"]), {
      price: null,
      isArchived: true
    })
    assert.strictEqual(yield* run(["product", "list", organizationId]), "None.")
    assert.include(yield* run(["product", "list", organizationId, "--archived", "true"]), productId)

    const folder = yield* temporaryFolder()
    const form = join(folder, "form.json")
    writeFileSync(form, JSON.stringify({ title: "F", questions: [{ question: "Q", type: "TEXT", required: true }] }))
    const formId: string = (yield* json(["form", "create", organizationId, form])).id
    assert.deepInclude(yield* json(["form", "change", organizationId, formId, "--title", "G"]), { title: "G" })
    assert.lengthOf((yield* json(["form", "show", organizationId, formId])).questions, 1)
    assert.match(yield* run(["form", "list", organizationId]), new RegExp(`^${formId} +G `, "m"))

    const file = join(folder, "bundle.json")
    const bundle = { name: "B", description: "", imageUrl: "", price: "1.00", priceUnit: "USD", initialDiscount: "0" }
    writeFileSync(file, JSON.stringify({ ...bundle, isSoldOut: false, isVisible: true }))
    const bundleId: string = (yield* json(["bundle", "create", organizationId, file])).id
    assert.deepInclude(yield* json(["bundle", "change", organizationId, bundleId, "--sold-out"]), { isSoldOut: true })
    assert.strictEqual(fieldIn(yield* run(["bundle", "show", organizationId, bundleId]), "isSoldOut"), "true")
    assert.include(yield* run(["bundle", "list", organizationId]), bundleId)
    writeFileSync(file, JSON.stringify({ name: "C" }))
    assert.deepInclude(yield* json(["bundle", "change", organizationId, bundleId, "--body", file]), { name: "C" })
    const changed = yield* json(["org", "change", organizationId, "--support-may-read-answers", "true"])
    assert.strictEqual(changed.supportMayReadAnswers, true)
  })

  it("webhook endpoints, deliveries, orders in error and the health of services are listed", function* () {
    const clinic = yield* makeClinic
    assert.strictEqual(yield* run(["order", "in-error", clinic.organizationId]), "None.")
    assert.match(yield* run(["health"]), /^c1 +cases +true +/m)
    const none = yield* Effect.flip(run(["sso", "show", clinic.organizationId]))
    assert.match(none.message, /^No single sign-on: /)
    const body = { url: "http://127.0.0.1:1/events", eventTypes: ["case.created"] }
    const { json: added } = yield* call("POST", "/api/v1/webhook-endpoints", { key: clinic.key, body })
    const endpoint: string = added.data.id
    assert.match(
      yield* run(["webhook", "endpoints", clinic.organizationId]),
      new RegExp(`^${endpoint} +http://127\\.0\\.0\\.1:1/events +true +case\\.created `, "m")
    )
    assert.strictEqual(yield* run(["webhook", "deliveries", endpoint, "--status", "FAILED"]), "None.")
    for (const command of ["delivery", "replay"]) {
      const failed = yield* Effect.flip(run(["webhook", command, endpoint, unknown]))
      assert.match(failed.message, /^Webhook delivery not found: /)
    }
  })

  it("a failure names the status and the request, and what to do", function* () {
    const errors: Array<string> = []
    const failed = yield* Effect.flip(run(["case", "show", unknown], {}, errors))
    assert.strictEqual(failed.message, "Case not found: No case has this id.")
    assert.match(errors.join("\n"), /^Case not found: No case has this id\. \(status 404, request [0-9a-f-]{36}\)$/)
    const { urls } = yield* Suite
    const home = yield* temporaryFolder()
    mkdirSync(join(home, "care"))
    writeFileSync(join(home, "care", "sessions.json"), JSON.stringify({ [urls.gateway]: "care_staff_c1_nobody" }))
    const signedOut: Array<string> = []
    yield* Effect.flip(run(["org", "list"], { ADMIN_TOKEN: "", XDG_CONFIG_HOME: home }, signedOut))
    assert.match(
      signedOut.join("\n"),
      /^Your session has ended\. \(status 401, request \S+\)\nSign in with `care login`\.$/
    )
  })

  it("completes commands in a shell that can read the script", function* () {
    const script = yield* run(["completion", "bash"])
    execFileSync("bash", ["-n"], { input: script })
    assert.include(script, "break-glass")
    for (const shell of ["zsh", "fish"]) assert.include(yield* run(["completion", shell]), "break-glass")
  })
})
