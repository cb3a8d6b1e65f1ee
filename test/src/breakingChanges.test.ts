import { currentVersion, versionsAfter } from "@care/domain/versions"
import { assert, describe, it } from "@effect/vitest"
import { breakingChanges } from "../openapi/breakingChanges.ts"
import type { OpenApi } from "../openapi/OpenApi.ts"
import { presentDocument, readReleased, releasedVersions } from "../openapi/released.ts"

const lastReleased = releasedVersions.at(-1) ?? assert.fail("no released document")

describe("the document of partners", () => {
  it("takes nothing away from the last released one, except what a newer version lists", () => {
    const listed = versionsAfter(lastReleased).flatMap(({ changes }) => changes.map(({ operation }) => operation))
    // A shared path is one operation of the document.
    const isListed = (operation: string) =>
      listed.some((name) => `${name.replaceAll(/:(\w+)/g, "{$1}")}/`.startsWith(`${operation}/`))
    assert.deepStrictEqual(
      breakingChanges(readReleased(lastReleased), presentDocument).filter(({ operation }) => !isListed(operation)),
      [],
      "make a new version (packages/domain/src/versions), or keep what callers use"
    )
    assert.isAtMost(lastReleased.localeCompare(currentVersion), 0)
  })

  it("has all operations and webhooks", () => {
    assert.isAbove(Object.keys(presentDocument.paths).length, 20)
    assert.isAbove(Object.keys(presentDocument.webhooks).length, 10)
  })
})

const creation = ["paths", "/api/v1/cases", "post"]
const created = [...creation, "responses", "200", "content", "application/json", "schema"]
const detail = ["paths", "/api/v1/customer-case-detail", "get"]

// biome-ignore lint/suspicious/noExplicitAny: a mutation reaches anywhere into a document.
type Any = any

const at = (document: Any, ...path: ReadonlyArray<string>): Any => path.reduce((inner, name) => inner[name], document)

const small: OpenApi = {
  paths: {
    "/things": {
      post: {
        security: [{ apiKey: ["things:write"] }],
        parameters: [{ name: "dry", in: "query", required: false, schema: { type: "boolean" } }],
        requestBody: {
          required: false,
          content: { "application/json": { schema: { $ref: "#/components/schemas/New" } } }
        },
        responses: {
          "200": {
            headers: { etag: {} },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } }
          },
          "404": { content: { "application/json": { schema: { type: "object" } } } }
        }
      }
    }
  },
  webhooks: {
    "thing.made": {
      post: {
        parameters: [{ name: "webhook-id", in: "header", schema: { type: "string" } }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } }
      }
    }
  },
  schemas: {
    New: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", allOf: [{ maxLength: 100 }] },
        code: { type: "string", allOf: [{ pattern: "^a" }, { pattern: "z$" }] },
        size: { type: "number", minimum: 0, default: 1 },
        kind: { enum: ["SMALL", "LARGE"] },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
        parts: { type: "array", items: { $ref: "#/components/schemas/New" } }
      }
    },
    Thing: {
      type: "object",
      required: ["id", "size"],
      properties: {
        id: { type: "string", format: "uuid" },
        size: { type: "integer" },
        status: { type: "string", enum: ["OPEN", "CLOSED"] },
        description: { type: "string" },
        owner: { anyOf: [{ type: "string" }, { type: "null" }] },
        parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } }
      }
    }
  }
}

const operation = ["paths", "/things", "post"]
const asked = ["schemas", "New", "properties"]
const answered = ["schemas", "Thing", "properties"]

type Mutation = (document: Any) => void

const remove =
  (...path: ReadonlyArray<string>): Mutation =>
  (document) => {
    delete at(document, ...path.slice(0, -1))[path.at(-1) ?? ""]
  }

const set =
  (value: unknown, ...path: ReadonlyArray<string>): Mutation =>
  (document) => {
    at(document, ...path.slice(0, -1))[path.at(-1) ?? ""] = value
  }

const found = (mutate: Mutation, before: OpenApi = small) => {
  const after = structuredClone(before)
  mutate(after)
  return breakingChanges(before, after).map(({ operation, says }) => `${operation} ${says}`)
}

const breaking: Readonly<Record<string, readonly [Mutation, RegExp]>> = {
  "an operation is removed": [remove("paths", "/things"), /^POST \/things is gone$/],
  "a webhook is removed": [remove("webhooks", "thing.made"), /^thing.made is gone$/],
  "a status is removed": [remove(...operation, "responses", "404"), /status 404 is gone/],
  "a header of an answer is removed": [
    remove(...operation, "responses", "200", "headers", "etag"),
    /header etag is gone/
  ],
  "a field of an answer is removed": [remove(...answered, "description"), /200: description is gone/],
  "a field of an answer becomes optional": [set(["id"], "schemas", "Thing", "required"), /size may be missing/],
  "a field of an answer becomes null": [
    set({ type: ["string", "null"], format: "uuid" }, ...answered, "id"),
    /id: has the type string or null/
  ],
  "a field of an answer gets another type": [set({ type: "number" }, ...answered, "size"), /size: has the type number/],
  "a field of an answer gets another form": [
    set({ anyOf: [{ type: "string" }, { type: "number" }] }, ...answered, "owner"),
    /owner: is none of the forms/
  ],
  "a value of an answer is removed": [set(["OPEN"], ...answered, "status", "enum"), /"CLOSED" is gone/],
  "a field of a request is removed": [remove(...asked, "size"), /size is gone/],
  "a field of a request becomes required": [
    set(["name", "size"], "schemas", "New", "required"),
    /size is required now/
  ],
  "a field of a request gets a narrower type": [
    set({ type: "integer" }, ...asked, "size"),
    /size: has the type integer/
  ],
  "a field of a request does not take null any more": [
    set({ type: "string" }, ...asked, "note"),
    /note: is none of the forms/
  ],
  "a value of a request is removed": [set(["SMALL"], ...asked, "kind", "enum"), /"LARGE" is gone/],
  "a bound of a request gets narrower": [set([{ maxLength: 50 }], ...asked, "name", "allOf"), /narrower by maxLength/],
  "a pattern is added to a request": [set("^a", ...asked, "name", "pattern"), /narrower by pattern/],
  "one of several patterns of a request changes": [
    set("^b", ...asked, "code", "allOf", "0", "pattern"),
    /narrower by pattern/
  ],
  "another value applies without one": [set(2, ...asked, "size", "default"), /size: has another default/],
  "a field of an answer gets another format": [set("date", ...answered, "id", "format"), /id: has another format/],
  "another scope is needed": [
    set([{ apiKey: ["parts:write"] }], ...operation, "security"),
    /parts:write is needed now/
  ],
  "a header of a webhook is removed": [
    set([], "webhooks", "thing.made", "post", "parameters"),
    /^thing.made header webhook-id is gone$/
  ],
  "the body becomes required": [set(true, ...operation, "requestBody", "required"), /the body is required now/],
  "a parameter is removed": [set([], ...operation, "parameters"), /parameter query dry is gone/],
  "a parameter becomes required": [set(true, ...operation, "parameters", "0", "required"), /dry is required now/],
  "a content type of an answer is removed": [
    set({ "text/plain": {} }, ...operation, "responses", "200", "content"),
    /200: application\/json is gone/
  ]
}

const harmless: Readonly<Record<string, Mutation>> = {
  "an operation is added": set({ get: { responses: {} } }, "paths", "/others"),
  "a webhook is added": set({ post: {} }, "webhooks", "thing.sold"),
  "a status is added": set({}, ...operation, "responses", "409"),
  "a header is added": set({}, ...operation, "responses", "200", "headers", "link"),
  "a field of an answer is added": set({ type: "string" }, ...answered, "name"),
  "a value of an answer is added": set(["OPEN", "CLOSED", "GONE"], ...answered, "status", "enum"),
  "a field of an answer is always there": set(["id", "size", "status"], "schemas", "Thing", "required"),
  "a field of an answer is not null any more": (document) => {
    at(document, ...answered, "owner").anyOf[1] = { type: "string" }
  },
  "an optional field of a request is added": set({ type: "string" }, ...asked, "color"),
  "a field of a request becomes optional": set([], "schemas", "New", "required"),
  "a value of a request is added": set(["SMALL", "LARGE", "HUGE"], ...asked, "kind", "enum"),
  "a bound of a request gets wider": set([{ maxLength: 200 }], ...asked, "name", "allOf"),
  "no scope is needed any more": set([{ apiKey: [] }], ...operation, "security"),
  "an optional parameter is added": (document) => {
    at(document, ...operation).parameters.push({ name: "limit", in: "query", schema: { type: "integer" } })
  },
  "a schema gets another name": (document) => {
    document.schemas.Renamed = document.schemas.Thing
    at(document, ...operation, "responses", "200", "content", "application/json").schema = {
      $ref: "#/components/schemas/Renamed"
    }
  }
}

describe("the check for breaking changes", () => {
  it("finds nothing in the same document", () => {
    assert.deepStrictEqual(
      found(() => {}),
      []
    )
    assert.deepStrictEqual(
      found(() => {}, presentDocument),
      []
    )
  })

  for (const [name, [mutate, says]] of Object.entries(breaking)) {
    it(`refuses: ${name}`, () => {
      assert.isTrue(
        found(mutate).some((text) => says.test(text)),
        JSON.stringify(found(mutate))
      )
    })
  }

  for (const [name, mutate] of Object.entries(harmless)) {
    it(`accepts: ${name}`, () => assert.deepStrictEqual(found(mutate), []))
  }

  it("accepts another form of answer beside several, and refuses a change of one", () => {
    const form = (kind: string, name: string) => ({
      type: "object",
      required: ["kind", name],
      properties: { kind: { const: kind }, [name]: { type: "string" } }
    })
    const schema = [...operation, "responses", "200", "content", "application/json", "schema"]
    const withForms = (...forms: ReadonlyArray<object>): OpenApi => {
      const document = structuredClone(small)
      set({ anyOf: forms }, ...schema)(document)
      return document
    }
    const before = withForms(form("A", "a"), form("B", "b"))
    const after = (...forms: ReadonlyArray<object>) => breakingChanges(before, withForms(...forms))
    assert.deepStrictEqual(after(form("A", "a"), form("B", "b"), form("C", "c")), [])
    assert.lengthOf(after(form("A", "a"), form("B", "c")), 1)
    assert.lengthOf(after(form("A", "a"), form("B", "b"), { type: "null" }), 1)
  })

  it("refuses changes of the real document", () => {
    const required = remove(...created, "properties", "data", "properties", "caseId")
    assert.deepStrictEqual(found(required, presentDocument), ["POST /api/v1/cases 200: data: caseId is gone"])
    assert.deepStrictEqual(found(remove(...detail), presentDocument), ["GET /api/v1/customer-case-detail is gone"])
    const emptied = found(remove("schemas", "CaseDetail", "properties", "status"), presentDocument)
    assert.isTrue(emptied.some((text) => text.startsWith("GET /api/v1/customer-case-detail 200:")))
  })
})
