import type { PatientDetails } from "@care/domain/auth"
import { assert, describe, it } from "@effect/vitest"
import { type CompletedRecord, completionOf, isIncomplete } from "./completionOf.ts"

const at = (minute: number) => new Date(Date.UTC(2060, 0, 1, 0, minute))
const unknown = {
  phoneNumber: null,
  dob: null,
  gender: null,
  languagePreferences: null,
  address: null,
  address2: null,
  city: null,
  state: null,
  country: null,
  postalCode: null
}
const record: typeof CompletedRecord.Type = {
  known: unknown,
  firstName: "Maria",
  lastName: "Lopez",
  nameReportedAt: null,
  addressReportedAt: null,
  version: 2,
  isPhoneTaken: false
}
const patient: PatientDetails = {
  email: "maria@example.com",
  firstName: "Ana",
  lastName: "Diaz",
  phoneNumber: "+14155552671",
  dob: "1988-04-12",
  gender: "FEMALE",
  languagePreferences: ["es"],
  address: { addressLine1: "1 Main St", city: "Austin", state: "TX", country: "US", postalCode: "78701" }
}
const full = {
  phoneNumber: "+14155552672",
  dob: "1990-05-01",
  gender: "OTHER",
  languagePreferences: ["en"],
  address: "2 B St",
  address2: "Apt 2",
  city: "Boston",
  state: "MA",
  country: "US",
  postalCode: "02101"
} as const
const unchanged = { firstName: "Maria", lastName: "Lopez", nameReportedAt: null, addressReportedAt: null }
const reported = {
  phoneNumber: "+14155552671",
  dob: "1988-04-12",
  gender: "FEMALE",
  languagePreferences: ["es"],
  address: "1 Main St",
  address2: null,
  city: "Austin",
  state: "TX",
  country: "US",
  postalCode: "78701"
} as const

describe("a completion", () => {
  const after = (changes: Partial<typeof record>, isFirst = false) =>
    completionOf({ ...record, ...changes }, { isFirst, nameReportedAt: undefined, patient }, at(9))

  it("fills the missing fields of the record", () => {
    assert.deepStrictEqual(after({}), { ...unchanged, ...reported, addressReportedAt: at(9) })
    assert.deepStrictEqual(after({ known: full }), { ...unchanged, ...full })
    assert.isNull(after({ isPhoneTaken: true }).phoneNumber)
  })

  it("of the first case replaces a record that nobody has changed, and removes fields that the report does not have", () => {
    assert.deepStrictEqual(after({ known: full, version: 1 }, true), {
      ...unchanged,
      ...reported,
      firstName: "Ana",
      lastName: "Diaz"
    })
    assert.deepStrictEqual(after({ known: full, version: 2 }, true), { ...unchanged, ...full })
    const { address: _, dob: __, ...partial } = patient
    const replaced = completionOf({ ...record, known: full, version: 1 }, { isFirst: true, patient: partial }, at(9))
    assert.deepInclude(replaced, { dob: null, address: null, city: null, gender: "FEMALE" })
  })

  it("renames when its name is as new as the record's", () => {
    for (const [storedMinute, reportedMinute, isRenamed] of [
      [null, undefined, false],
      [null, 1, true],
      [2, 1, false],
      [2, 2, true],
      [2, 3, true]
    ] as const) {
      const nameReportedAt = reportedMinute === undefined ? undefined : at(reportedMinute)
      const before = { ...record, nameReportedAt: storedMinute === null ? null : at(storedMinute) }
      const { firstName, nameReportedAt: stored } = completionOf(
        before,
        { isFirst: false, nameReportedAt, patient },
        at(9)
      )
      assert.deepStrictEqual(
        [firstName, stored],
        isRenamed ? ["Ana", nameReportedAt] : ["Maria", before.nameReportedAt]
      )
    }
  })

  it("is due exactly when it would change something other than the name", () => {
    for (const known of [
      unknown,
      full,
      { ...full, gender: null },
      { ...full, address: null },
      { ...unknown, city: "AUSTIN" },
      { ...unknown, city: "Boston" },
      { ...full, languagePreferences: null }
    ]) {
      const { addressReportedAt, firstName, lastName, nameReportedAt, ...filled } = after({ known })
      assert.strictEqual(isIncomplete(known, patient), JSON.stringify(filled) !== JSON.stringify(known))
    }
  })
})
