import { assert, describe, it } from "@effect/vitest"
import { isPostOfficeBox } from "./StreetAddress.ts"

describe("isPostOfficeBox", () => {
  it("is true for the common spellings", () => {
    for (const line of [
      "P.O. Box 12",
      "p.o.box 12",
      "PO Box 12",
      "PO BOX12",
      "POBox 12",
      "P O Box 12",
      "P. O. Box 12",
      "P.O Box #12",
      "P.0. Box 12",
      "PO-Box 12",
      "PO Bx 12",
      "PO Drawer 7",
      "Post Office Box 12",
      "post  office box 12",
      "Postal Box 12",
      "Post Box 12",
      "POB 12",
      "P.O.B. 12",
      "POB#12",
      "POB No. 12",
      "Box 12",
      "box #12",
      "Box 12, Main Post Office",
      "Suite 4, P.O. Box 12",
      "c/o Maria Lopez, PO Box 12"
    ]) {
      assert.isTrue(isPostOfficeBox(line), line)
    }
  })

  it("is false for streets", () => {
    for (const line of [
      "500 Howard Street",
      "12 Box Elder Rd",
      "Box Elder Rd 12",
      "7 Boxwood Lane",
      "1 Post Office Road",
      "22 Old Post Road",
      "3 Pocket Box Street",
      "9 Po Boxwood Way",
      "14 Postal Way",
      "5 Lunchbox Court",
      "8 Pob Hill",
      "RR 2 Mailbox Lane 4",
      "Apt 4, 12 Hope Box Canyon Rd"
    ]) {
      assert.isFalse(isPostOfficeBox(line), line)
    }
  })

  it("is linear in the length of the line", () => {
    assert.isFalse(isPostOfficeBox("p o ".repeat(50_000)))
    assert.isFalse(isPostOfficeBox(`box ${" ".repeat(50_000)}`))
  })
})
