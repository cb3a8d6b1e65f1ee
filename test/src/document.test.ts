import { shownIds } from "@care/domain/http"
import { adminDocument, publicDocument } from "@care/gateway/openapi"
import { assert, describe, it } from "@effect/vitest"
import { assertAcceptable, assertDocumented, schemaErrors } from "./harness/assertDocumented.ts"

const operationsOf = (name: "partner" | "admin", { paths }: typeof publicDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name, path, method, operation }))
  )

const operations = [...operationsOf("partner", publicDocument), ...operationsOf("admin", adminDocument)]

type Content = NonNullable<(typeof operations)[number]["operation"]["requestBody"]>["content"]

// Returns the examples of a body, with the places of their schemas.
const examplesOf = (name: "partner" | "admin", place: ReadonlyArray<string>, content: Content) =>
  Object.entries(content).flatMap(([type, { example, examples = {} }]) =>
    [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].map(
      (value) => ({ name, place: [...place, "content", type, "schema"], value })
    )
  )

const examples = [
  ...operations.flatMap(({ method, name, operation: { requestBody, responses = {} }, path }) => [
    ...examplesOf(name, ["paths", path, method, "requestBody"], requestBody?.content ?? {}),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      examplesOf(name, ["paths", path, method, "responses", status], content)
    )
  ]),
  ...Object.entries(publicDocument.webhooks ?? {}).flatMap(([type, { post: { requestBody } = {} }]) =>
    examplesOf("partner", ["webhooks", type, "post", "requestBody"], requestBody?.content ?? {})
  )
]

// Returns the texts and numbers of a value by the name of their field.
const fieldsIn = (value: unknown, name = ""): ReadonlyArray<readonly [name: string, value: string | number]> => {
  if (typeof value === "string" || typeof value === "number") return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((each) => fieldsIn(each, name))
  return Object.entries(Object(value)).flatMap(([key, inner]) => fieldsIn(inner, key))
}

// What a person sees at once to be made up: names of types and of fields, fillers, ids and hashes of one digit, and places to fill in.
const nonsense =
  /^(string|number|value|foo|bar|test|todo|example|n\/a)$|lorem|ipsum|asdf|xyz\b|^(.)\2*$|0{8}-|^<(?!file>)/i

const asWords = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ").toLowerCase()

describe("examples", () => {
  it("of the documents fit their schemas (a field without an example has its value in openapi/examples)", () => {
    assert.isAbove(examples.length, 1000)
    for (const { name, place, value } of examples)
      assert.strictEqual(schemaErrors(name, place, value), "", place.join(" "))
  })

  it("have values that a person finds plausible", () => {
    const found = examples.flatMap(({ place, value }) =>
      fieldsIn(value)
        .filter(([, each]) => typeof each === "string" && each.length > 1)
        .filter(([name, each]) => nonsense.test(String(each)) || asWords(name) === String(each).toLowerCase())
        .map(([name, each]) => `${place.join(" ")}: ${name} is ${each}`)
    )
    assert.deepStrictEqual(found, [])
  })

  it("tell of one patient, in the order of time", () => {
    const successes = examples.filter(({ place }) => !place.some((part) => /^[45]\d\d$/.test(part)))
    const valuesOf = (field: string) =>
      new Set(
        successes.flatMap(({ value }) => fieldsIn(value).flatMap(([name, each]) => (name === field ? [each] : [])))
      )
    assert.deepStrictEqual([...valuesOf("patientId")], [shownIds.patient])
    assert.deepStrictEqual([...valuesOf("caseId")], [shownIds.case])
    assert.deepStrictEqual([...valuesOf("firstName")].sort(), ["Jane", "Maria", "Omar"])
    assert.deepStrictEqual(
      [...valuesOf("dob")].map((dob) => String(dob).slice(0, 10)),
      ["1988-04-12", "1988-04-12"]
    )
    const orders = [
      ["createdAt", "updatedAt"],
      ["createdAt", "expiresAt"],
      ["createdAt", "resolvedAt"],
      ["startDate", "endDate"],
      ["startTime", "endTime"],
      ["startDateTime", "endDateTime"],
      ["start", "end"],
      ["since", "until"],
      ["from", "target"]
    ] as const
    const check = (value: unknown, place: string): void => {
      if (typeof value !== "object" || value === null) return
      const members: Readonly<Record<string, unknown>> = { ...value }
      for (const [first, second] of orders) {
        const [earlier, later] = [Date.parse(String(members[first])), Date.parse(String(members[second]))]
        if (!Number.isNaN(earlier) && !Number.isNaN(later)) assert.isAtMost(earlier, later, `${place} ${first}`)
      }
      for (const inner of Object.values(members)) check(inner, place)
    }
    for (const { place, value } of successes) check(value, place.join(" "))
  })

  it("are in each JSON body of requests and answers, and of webhooks", () => {
    const hooks = Object.values(publicDocument.webhooks ?? {}).flatMap((item) => Object.values(item))
    const bodies = [...operations.map(({ operation }) => operation), ...hooks].flatMap(
      ({ operationId = "", requestBody, responses = {} }) =>
        [requestBody, ...Object.values(responses)].flatMap((body) =>
          Object.entries(body?.content ?? {}).map(([type, media]) => ({ operationId, type, ...media }))
        )
    )
    const without = bodies.filter(
      ({ example, examples = {}, type }) =>
        type.endsWith("json") && example === undefined && Object.keys(examples).length === 0
    )
    assert.deepStrictEqual(without, [])
    for (const { operation } of operations) {
      for (const { examples = {}, schema } of Object.values(operation.requestBody?.content ?? {})) {
        const actions = Object.keys(Object(Object(schema).discriminator).mapping ?? {})
        if (actions.length > 0) assert.sameMembers(Object.keys(examples), actions)
      }
    }
  })
})

describe("descriptions", () => {
  it("say for all endpoints with a phone number that a shared one is refused", () => {
    const saying = operations.filter(({ operation: { description = "" } }) =>
      /number\s+belongs\s+to one patient.*even if two\s+patients share a telephone/s.test(description)
    )
    assert.deepStrictEqual(saying.map(({ path }) => path).sort(), [
      "/api/v1/cases",
      "/api/v1/dynamic-case",
      "/api/v1/users"
    ])
  })
})

describe("patterns", () => {
  const patternsIn = (value: unknown): ReadonlyArray<string> =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([name, member]) =>
          name === "pattern" && typeof member === "string" ? [member] : patternsIn(member)
        )

  it("have no escape that means something else without a flag of JavaScript or in another language", () => {
    const patterns = new Set([...patternsIn(publicDocument), ...patternsIn(adminDocument)])
    assert.isAbove(patterns.size, 10)
    for (const pattern of patterns) {
      assert.notMatch(pattern, /\\[^sSdDwWbBnrtx+*?.()[\]{}|^$\\/-]|\(\?[^:]/, "an escape, a look around or a name")
    }
  })
})

describe("assertDocumented", () => {
  const json = "application/json; charset=utf-8"
  const bundles = "/api/v1/organization/bundles"
  const response = { status: 200, success: true, message: "Bundles", data: [] }
  const refused = { status: 400, success: false, message: "Invalid request parameters", error: "Invalid API key" }
  const unknown = { status: 404, success: false, error: "Not found" }

  const problem = "application/problem+json"
  const otherMethod = {
    type: "about:blank",
    status: 405,
    title: "Method not allowed",
    detail: "Send one of GET, HEAD."
  }

  it("lets documented answers pass", () => {
    assertDocumented("GET", `${bundles}?isVisible=true`, 200, json, response)
    assertDocumented("GET", bundles, 400, json, refused)
    assertDocumented("DELETE", "/admin/v1/users/3b241101-e2bb-4255-8caf-4136c566a962", 204, null, undefined)
    assertDocumented("GET", "/api/v1/nowhere", 404, json, unknown)
    assertDocumented("DELETE", bundles, 405, json, { ...unknown, status: 405 })
    assertDocumented("DELETE", "/admin/v1/jobs", 405, problem, otherMethod)
    assertDocumented("GET", "/health/live", 200, json, { status: "live" })
  })

  it("fails on all other responses", () => {
    const undocumented: ReadonlyArray<Parameters<typeof assertDocumented>> = [
      ["GET", bundles, 418, json, refused],
      ["GET", bundles, 200, "text/plain", response],
      ["GET", bundles, 200, json, { ...response, more: 1 }],
      ["GET", bundles, 200, json, undefined],
      ["GET", bundles, 400, json, { ...refused, success: true }],
      ["DELETE", "/admin/v1/users/3b241101-e2bb-4255-8caf-4136c566a962", 204, json, {}],
      ["DELETE", "/admin/v1/jobs", 405, json, { ...unknown, status: 405 }],
      ["GET", "/api/v1/nowhere", 200, json, {}],
      ["GET", "/api/v1/nowhere", 404, json, { error: "Not found" }],
      ["DELETE", bundles, 200, json, response]
    ]
    for (const answer of undocumented) assert.throws(() => assertDocumented(...answer), /not as documented/)
  })
})

describe("assertAcceptable", () => {
  it("fails on a body that is not as documented, whatever else it contains", () => {
    assertAcceptable("POST", "/api/v1/users/auth/logout", { refresh_token: "token", more: true })
    assertAcceptable("POST", "/admin/v1/cases/3b241101-e2bb-4255-8caf-4136c566a962/start", { any: "thing" })
    for (const body of [{}, { refresh_token: 1 }, { refresh_token: " " }, { refresh_token: "a".repeat(1001) }, []]) {
      assert.throws(() => assertAcceptable("POST", "/api/v1/users/auth/logout", body), /not documented/)
    }
  })
})
