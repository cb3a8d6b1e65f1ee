import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context } from "effect"
import { endpoints } from "../endpoints.ts"
import { TakesFiles } from "../http/annotations.ts"
import { apiVersions, currentVersion, versionNames } from "./apiVersions.ts"
import { answerTransform, requestTransform } from "./transforms.ts"

const creation = "POST /api/v1/cases"
const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)

describe("the versions of the partner API", () => {
  it("are in the order of their dates, of which the last is the current one, and all others end", () => {
    assert.deepStrictEqual([...versionNames].sort(), [...versionNames])
    assert.strictEqual(versionNames.at(-1), currentVersion)
    for (const [index, version] of versionNames.entries()) {
      const { deprecation } = apiVersions[version]
      assert.strictEqual(day(deprecation?.since), versionNames[index + 1])
      if (deprecation !== undefined) assert.isAbove(deprecation.sunset.getTime(), deprecation.since.getTime())
    }
  })

  it("change operations of partners, whose bodies the gateway receives whole and forwards", () => {
    const operations = new Map(
      endpoints.flatMap(({ annotations, caller, endpoint: { method, path }, owner }) => {
        const isWhole = owner !== "gateway" && !Context.get(annotations, TakesFiles)
        return caller === "partner" ? [[`${method} ${path}`, isWhole]] : []
      })
    )
    for (const { operation, request } of Object.values(apiVersions).flatMap(({ changes }) => changes)) {
      assert.isTrue(operations.has(operation), operation)
      if (request !== undefined) assert.isTrue(operations.get(operation), operation)
    }
  })

  it("are in docs/changelog.md, the newest first, with what each changed and when it ends", () => {
    const text = readFileSync(join(import.meta.dirname, "../../../../docs/changelog.md"), "utf8")
    const [, ...sections] = text.split(/^## /m)
    const expected = versionNames.toReversed().map((version) => {
      const { changes, deprecation } = apiVersions[version]
      const state =
        deprecation === undefined
          ? "The current version."
          : `Deprecated since ${day(deprecation.since)}, served until ${day(deprecation.sunset)}.`
      const lines = changes.map(({ operation, says }) => `- \`${operation}\`: ${says}`)
      return [version, state, ...(lines.length === 0 ? [] : [lines.join("\n")])].join("\n\n")
    })
    assert.deepStrictEqual(
      sections.map((section) => section.trim()),
      expected
    )
  })

  it("transform nothing in the current version, and in older ones only what changed", () => {
    const statuses = [200, 400, 401, 409, 422]
    for (const status of statuses) assert.isUndefined(answerTransform(currentVersion, creation, status))
    assert.isUndefined(requestTransform(currentVersion, creation))
    assert.deepStrictEqual(
      statuses.filter((status) => answerTransform("2026-06-01", creation, status) !== undefined),
      [400]
    )
    assert.isUndefined(requestTransform("2026-06-01", "POST /api/v1/dynamic-case"))
    assert.isUndefined(answerTransform("2026-06-01", "GET /api/v1/customer-case-detail", 400))
  })

  it("2026-06-01: a refused case has no general message, and `dateOfBirth` is accepted", () => {
    const answered = answerTransform("2026-06-01", creation, 400)
    const body = { success: false, message: "Invalid request", error: "body, must be a JSON object" }
    assert.deepStrictEqual(answered?.(body), { success: false, error: body.error })
    const requested = requestTransform("2026-06-01", creation)
    assert.deepStrictEqual(requested?.({ user: { email: "a@example.com", dateOfBirth: "1990-01-01" }, products: [] }), {
      user: { email: "a@example.com", dob: "1990-01-01" },
      products: []
    })
    for (const body of [
      {},
      { user: "Rosa" },
      { user: null },
      { user: { dob: "1990-01-01" } },
      { user: { dob: "1990-01-01", dateOfBirth: "1991-01-01" } }
    ]) {
      assert.strictEqual(requested?.(body), body)
    }
  })
})
