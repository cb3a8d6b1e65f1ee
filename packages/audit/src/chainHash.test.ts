import { createHash, randomUUID } from "node:crypto"
import type { ServiceAuditRecord } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { assert, it } from "@effect/vitest"
import { chainHash, firstHash, organizationOf, recordLine } from "./chainHash.ts"

const record: ServiceAuditRecord = {
  shown: [],
  kinds: ["CASES", "PROFILE"],
  requestId: 'a "request"',
  userId: null,
  caseId: CaseId.make("5f0c2a3e-2f6b-4f0c-8f7e-0d9a1b2c3d4e"),
  actor: { type: "API_KEY", id: "0b8e7f7a-3c1d-4e57-9a53-0a4d8d6f1c2b" },
  action: "CASE_READ",
  at: new Date(Date.UTC(2026, 10, 22, 10, 0, 0, 7)),
  id: "019aab52-7d07-7c2a-9e39-5b8a3f5f0c11",
  organizationId: OrganizationId.make("c1b5c9c2-53d1-4d5c-8f0e-6c7f4e1d2a3b")
}

const line =
  '{"organizationId":"c1b5c9c2-53d1-4d5c-8f0e-6c7f4e1d2a3b","id":"019aab52-7d07-7c2a-9e39-5b8a3f5f0c11",' +
  '"at":"2026-11-22T10:00:00.007Z","action":"CASE_READ","actorType":"API_KEY",' +
  '"actorId":"0b8e7f7a-3c1d-4e57-9a53-0a4d8d6f1c2b","caseId":"5f0c2a3e-2f6b-4f0c-8f7e-0d9a1b2c3d4e","userId":null,' +
  '"requestId":"a \\"request\\"","kinds":["CASES","PROFILE"]}'

it("a link hashes the link before, its number and its record as the line that it always is", () => {
  assert.strictEqual(recordLine(record), line)
  const first = createHash("sha256")
    .update(`${"0".repeat(64)}1${line}`)
    .digest("hex")
  assert.strictEqual(chainHash(firstHash, 1, record), first)
  assert.strictEqual(chainHash(first, 2, record), createHash("sha256").update(`${first}2${line}`).digest("hex"))
})

it("of a list, the line and the hash have what it showed", () => {
  const [first, second] = [CaseId.make(randomUUID()), CaseId.make(randomUUID())]
  const userId = UserId.make(randomUUID())
  const shown = [
    { caseId: first, userId },
    { caseId: second, userId: null }
  ]
  const ofList = `${line.slice(0, -1)},"shownCaseIds":["${first}","${second}"],"shownUserIds":["${userId}",null]}`
  assert.strictEqual(recordLine({ ...record, shown }), ofList)
  assert.notStrictEqual(chainHash(firstHash, 1, { ...record, shown }), chainHash(firstHash, 1, record))
})

it("a line has its organization, and another text has none", () => {
  assert.strictEqual(organizationOf(line), record.organizationId)
  assert.strictEqual(organizationOf(`{"id":"${record.id}","organizationId":"${record.organizationId}"}`), "")
})
