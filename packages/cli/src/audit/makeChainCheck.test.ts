import { randomUUID } from "node:crypto"
import { chainHash, firstHash } from "@care/audit/chainHash"
import type { AuditLink, ServiceAuditRecord } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import { makeChainCheck } from "./makeChainCheck.ts"

const organizationId = OrganizationId.make(randomUUID())

const newRecord = (): ServiceAuditRecord => ({
  id: randomUUID(),
  organizationId,
  at: new Date(),
  shown: [],
  action: "CASE_READ",
  actor: { type: "API_KEY", id: randomUUID() },
  caseId: CaseId.make(randomUUID()),
  userId: UserId.make(randomUUID()),
  requestId: "a-request",
  kinds: ["CASES", "FORMS"]
})

const link = (
  number: number,
  hash: string,
  record: ServiceAuditRecord | null,
  recordId = record?.id ?? ""
): AuditLink => ({
  number,
  recordId,
  hash,
  record
})

const chainOf = (count: number): ReadonlyArray<AuditLink> => {
  const links: Array<AuditLink> = []
  for (let number = 1; number <= count; number += 1) {
    const record = newRecord()
    links.push(link(number, chainHash(links.at(-1)?.hash ?? firstHash, number, record), record))
  }
  return links
}

describe("a chain", () => {
  const chain = chainOf(6)
  const end = { count: 6, hash: chain[5]?.hash ?? "" }
  const findings = (links: ReadonlyArray<AuditLink>, ends = [end]) => {
    const check = makeChainCheck(ends)
    return [...links.flatMap(check.ofLink), ...check.ofEnd()]
  }
  const at = (number: number) => chain[number - 1] ?? assert.fail(`no ${number}`)
  const recordAt = (number: number) => at(number).record ?? assert.fail(`no ${number}`)
  const replaced = (number: number, other: AuditLink) => chain.map((each) => (each.number === number ? other : each))
  const renumbered = (links: ReadonlyArray<AuditLink>) => links.map((each, index) => ({ ...each, number: index + 1 }))

  it("that is unchanged has no findings, also against an earlier head, and when it grew since", () => {
    assert.deepStrictEqual(findings(chain), [])
    assert.deepStrictEqual(findings(chain, [end, { count: 3, hash: at(3).hash }]), [])
    assert.deepStrictEqual(findings(chain, [{ count: 3, hash: at(3).hash }]), [])
  })

  it("says which record was changed, whichever field it is", () => {
    const other = newRecord()
    const changes: ReadonlyArray<Partial<ServiceAuditRecord>> = [
      { id: other.id },
      { organizationId: OrganizationId.make(randomUUID()) },
      { at: new Date(recordAt(3).at.getTime() + 1) },
      { action: "CASE_FOUND" },
      { actor: { type: "USER", id: recordAt(3).actor.id } },
      { actor: other.actor },
      { caseId: other.caseId },
      { caseId: null },
      { userId: null },
      { userId: other.userId },
      { requestId: "another" },
      { kinds: ["CASES"] },
      { kinds: ["FORMS", "CASES"] }
    ]
    for (const change of changes) {
      const found = findings(replaced(3, { ...at(3), record: { ...recordAt(3), ...change } }))
      assert.deepStrictEqual(found, [`record 3 was changed: ${at(3).recordId}`], JSON.stringify(change))
    }
  })

  it("finds records that were removed, inserted or reordered", () => {
    const inserted = newRecord()
    const forged = link(3, chainHash(at(2).hash, 3, inserted), inserted)
    const tampered: Readonly<Record<string, ReadonlyArray<AuditLink>>> = {
      "a record": replaced(3, link(3, at(3).hash, null, at(3).recordId)),
      "a link with its record": chain.filter(({ number }) => number !== 3),
      "the same, and those behind it moved up": renumbered(chain.filter(({ number }) => number !== 3)),
      "the newest": chain.slice(0, 5),
      "the first": chain.slice(1),
      "two records changed places": chain.map((each) =>
        each.number === 2
          ? { ...each, record: recordAt(3), recordId: at(3).recordId }
          : each.number === 3
            ? { ...each, record: recordAt(2), recordId: at(2).recordId }
            : each
      ),
      "two links changed places": renumbered([at(1), at(3), at(2), at(4), at(5), at(6)]),
      "one was inserted with a link of its own": renumbered([at(1), at(2), forged, at(3), at(4), at(5), at(6)]),
      "one was put in the place of another": replaced(3, forged)
    }
    for (const [name, links] of Object.entries(tampered)) assert.isNotEmpty(findings(links), name)
  })

  it("with a record in another month than its number, or with one twice, is found", () => {
    const inMonths = chain.map((each) => ({ ...each, month: each.number <= 3 ? 202605 : 202606 }))
    const may = {
      ...{ month: 202605, countBefore: 0, hashBefore: firstHash, count: 3, hash: at(3).hash },
      ...{ isGenuine: true, isArchived: false }
    }
    const ofMonths = (links: ReadonlyArray<AuditLink>) => {
      const check = makeChainCheck([end, may], [may])
      return [...links.flatMap(check.ofLink), ...check.ofEnd()]
    }
    assert.deepStrictEqual(ofMonths(inMonths), [])
    for (const [number, month] of [
      [3, 202606],
      [3, 202604],
      [4, 202605]
    ] as const) {
      const moved = inMonths.map((each) => (each.number === number ? { ...each, month } : each))
      const expected = [`record ${number} was moved to another month: ${at(number).recordId}`]
      assert.deepStrictEqual(ofMonths(moved), expected, `${number} ${month}`)
    }
    assert.deepStrictEqual(findings(chain.flatMap((each) => (each.number === 2 ? [each, each] : [each]))), [
      `record 2 is there twice: ${at(2).recordId}`
    ])
    // From the state before a month to that after it.
    const [before, after] = [at(2), at(5)]
    const check = makeChainCheck([{ count: 5, hash: after.hash }], [], { count: 2, hash: before.hash })
    assert.deepStrictEqual([...chain.slice(2, 5).flatMap(check.ofLink), ...check.ofEnd()], [])
  })

  it("goes on after a month that is archived, and finds what comes after it", () => {
    const checkpointOf = (month: number, countBefore: number, count: number, isArchived: boolean) => ({
      ...{ month, countBefore, hashBefore: countBefore === 0 ? firstHash : at(countBefore).hash, count },
      ...{ hash: at(count).hash, isGenuine: true, isArchived }
    })
    const checkpoints = [checkpointOf(202605, 0, 2, true), checkpointOf(202606, 2, 4, true)]
    const ofRest = (links: ReadonlyArray<AuditLink>) => {
      const check = makeChainCheck([end, ...checkpoints], checkpoints)
      return [...links.flatMap(check.ofLink), ...check.ofEnd()]
    }
    const july = chain.slice(4).map((each) => ({ ...each, month: 202607 }))
    assert.deepStrictEqual(ofRest(july), [])
    // Version 1 linked it in an archived month.
    assert.deepStrictEqual(ofRest([at(2), ...july]), [])
    assert.deepStrictEqual(ofRest(july.slice(1)), ["record 5 was removed"])
    assert.deepStrictEqual(ofRest([{ ...at(2), month: 202605 }, ...july]), [
      `record 2 is there twice: ${at(2).recordId}`
    ])
    assert.deepStrictEqual(ofRest([]), ["records 5 to 6 were removed"])
    const changed = july.map((each) => ({ ...each, record: recordAt(1) }))
    assert.include(ofRest(changed)[0], "record 5 was changed")
  })

  it("that was truncated or rewritten is found by an earlier head", () => {
    const short = chain.slice(0, 4)
    const lowered = { count: 4, hash: at(4).hash }
    assert.deepStrictEqual(findings(short, [lowered]), [])
    assert.deepStrictEqual(findings(short, [lowered, end]), ["records 5 to 6 were removed"])
    const anew = chainOf(6)
    const newEnd = { count: 6, hash: anew[5]?.hash ?? "" }
    assert.deepStrictEqual(findings(anew, [newEnd]), [])
    assert.lengthOf(findings(anew, [newEnd, end]), 1)
  })
})
