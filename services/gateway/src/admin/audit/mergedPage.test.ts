import { randomUUID } from "node:crypto"
import type { AuditRecord } from "@care/domain/audit"
import type { PagePosition } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import type { Page } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { mergedPage } from "./mergedPage.ts"

const organizationId = OrganizationId.make(randomUUID())

const record = (service: AuditRecord["service"], second: number): AuditRecord => ({
  ...{ id: randomUUID(), organizationId, service, at: new Date(second * 1000), action: "CASE_READ", requestId: "none" },
  ...{ actor: { type: "JOB", id: null }, caseId: null, userId: null, kinds: ["CASES"], shown: [] }
})

// Makes a service that returns at most `maxRecords` in a page, whatever the limit is.
const pageOf =
  (records: ReadonlyArray<AuditRecord>, maxRecords: number) =>
  (cursor: PagePosition | null): Page<AuditRecord> => {
    const remaining = records.filter(
      ({ at, id }) =>
        cursor === null || at < cursor.createdAt || (at.getTime() === cursor.createdAt.getTime() && id < cursor.id)
    )
    const data = remaining.slice(0, maxRecords)
    const last = data.at(-1)
    return {
      data,
      nextCursor: remaining.length > maxRecords && last !== undefined ? { createdAt: last.at, id: last.id } : null
    }
  }

it("pages of several services are one list without a gap, also where some of them end early", () => {
  const newest = (a: AuditRecord, b: AuditRecord) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)
  const caseRecords = Array.from({ length: 40 }, (_, index) => record("cases", index % 20)).sort(newest)
  const authRecords = Array.from({ length: 25 }, (_, index) => record("auth", index)).sort(newest)
  const services = [pageOf(caseRecords, 3), pageOf(authRecords, 10), pageOf([], 10)]
  const seen: Array<string> = []
  let cursor: PagePosition | null = null
  do {
    const page: Page<AuditRecord> = mergedPage(
      services.map((service) => service(cursor)),
      10
    )
    assert.isNotEmpty(page.data)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepStrictEqual(
    seen,
    [...caseRecords, ...authRecords].sort(newest).map(({ id }) => id)
  )
})
