import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { codeOf, errorCatalogue } from "../errors/errorCatalogue.ts"
import { errorsDocument } from "../errors/errorsDocument.ts"
import { gatewayErrors, shownAnswers } from "../errors/gatewayErrors.ts"
import { whatToDo } from "../errors/whatToDo.ts"

it("docs/guides/errors.md is what the contracts say (pnpm docs:errors writes it)", () => {
  const written = readFileSync(join(import.meta.dirname, "../../docs/guides/errors.md"), "utf8")
  assert.strictEqual(written, `${errorsDocument}\n`)
})

it("the catalogue says what to do about each error of the partner API and of the gateway, and about no other", () => {
  assert.isAbove(errorCatalogue.length, 70)
  const codes = [...errorCatalogue, ...gatewayErrors].map(({ code }) => code)
  assert.sameMembers(codes, Object.keys(whatToDo))
  assert.includeMembers(codes, Object.keys(shownAnswers))
  assert.includeMembers(
    Object.keys(shownAnswers),
    gatewayErrors.map(({ code }) => code)
  )
})

it("the catalogue has each error's statuses, texts, reasons and operations from the contracts", () => {
  assert.strictEqual(codeOf("CaseClosed"), "CASE_CLOSED")
  assert.strictEqual(codeOf("NotAPatient"), "NOT_A_PATIENT")
  const entry = (code: string) => errorCatalogue.find((each) => each.code === code) ?? assert.fail(code)
  const { operations, ...closed } = entry("CASE_CLOSED")
  assert.deepInclude(closed, { statuses: [400], texts: ["Case has been closed"] })
  assert.isTrue(operations.includes("POST /api/v1/cases/{caseId} PLACE_ORDER"))
  assert.strictEqual(entry("QUOTA_REACHED").operations, "any")
  assert.deepStrictEqual(entry("WEBHOOK_ENDPOINT_NOT_FOUND").reasons, ["`There is no such webhook endpoint`"])
  for (const { code, operations, reasons, statuses } of errorCatalogue) {
    assert.isNotEmpty(statuses, code)
    assert.isNotEmpty(reasons, code)
    assert.isNotEmpty(operations, code)
  }
})
